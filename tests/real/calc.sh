# calc.sh - a C program: a calculator for numbers of any length, 77,000 lines
#
# The script run reads this file, as it reads cmark.sh. The program spends most of its time in loops
# over the digits of a number: its functions are long, do not wait for memory, and make no system
# calls. So the time is nearly proportional to the instructions, and the test also compares the
# ranks.

package=calc
compiler=gcc
checksum="3218476820 10"
judged="calls ranks"

make_static() {
    make BLD_TYPE=calc-static-only USE_READLINE= READLINE_LIB= READLINE_EXTRAS= "$@"
}

# build COMPILER FLAGS LIBRARIES: makes ./program. The programs that it builds to examine the
# machine have hooks too.
build() {
    EPROF=off make_static LCC="$1" DEBUG=-O2 EXTRA_CFLAGS="$2 $3" EXTRA_LDFLAGS="$2 $3" \
        calc-static-only >log 2>&1 && ln calc-static program
}

own_tests() {
    make_static chk 2>&1
}

# Powers modulo a prime, roots, series, and decimal digits of numbers with several hundred digits.
make_input() {
    cat >input.cal <<'END'
define rounds(count)
{
    local i, sum = 0;
    for (i = 0; i < count; i++) {
        sum += pmod(3 + i, 2^500 - 1, 2^521 - 1) % 1000003;
        sum += ptest(2^127 - 1 + 2 * i, 3);
        sum += isqrt(7^400 + i) % 10007;
        sum += fib(1500 + i) % 101 + fact(200 + i % 10) % 1009;
        sum += strlen(str(3^(900 + i % 100)));
        sum += int(1e9 * exp(1 + i / 64, 1e-120)) % 10007;
        sum += int(1e9 * sin(1 + i / 32, 1e-120)) % 10007;
    }
    return sum;
}
print rounds(1500);
END
}

long_run="./program -d -q read input.cal"
