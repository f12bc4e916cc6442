# mawk.awk - a long run for an awk: joins and splits text in every way that awk has
#
#     awk -f mawk.awk -v ROUNDS=N FILE
#
# It is the fixed input of tests/real, with the same calls in each run. So it does not use a clock,
# the environment or rand().

function draw(limit)
{
    state = state * 16807 % 2147483647 # Park and Miller, CACM 31(10), 1988: exact in a double
    return state % limit
}

function word(length_left,    text)
{
    text = ""
    while (length_left-- > 0)
        text = text substr("abcdefghijklmnopqrstuvwxyz", draw(26) + 1, 1)
    return text
}

function fibonacci(n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
}

function sort(list, low, high,    left, right, middle, kept)
{
    if (low >= high)
        return
    left = low; right = high; middle = list[int((low + high) / 2)]
    while (left <= right) {
        while (list[left] < middle)
            left++
        while (list[right] > middle)
            right--
        if (left <= right) {
            kept = list[left]; list[left++] = list[right]; list[right--] = kept
        }
    }
    sort(list, low, right)
    sort(list, left, high)
}

function sieve(limit,    composite, i, k, found)
{
    for (i = 2; i <= limit; i++) {
        if (i in composite)
            continue
        found++
        for (k = i * i; k <= limit; k += i)
            composite[k] = 1
    }
    return found
}

function rewrite(line,    parts, count, i, changed)
{
    count = split(line, parts, /[aeiou]+/)
    for (i = 1; i <= count; i++)
        changed = changed "-" toupper(parts[i])
    gsub(/[^A-Z-]/, "", changed)
    sub(/^-+/, "", changed)
    if (match(changed, /[B-D]+-[F-H]*/))
        changed = substr(changed, RSTART, RLENGTH) ":" index(changed, "-")
    return changed
}

BEGIN {
    state = 1
    if (!ROUNDS)
        ROUNDS = 1
    numbers = "sum %d mean %.3f exp %.6g text %-8s|%c\n"
}

# of the file's lines, again and again by getline below
{
    $2 = $2 "x"
    fields += NF
    NF = NF + 1
    lengths[length($0) % 64]++
}
/begin/, /end/ { ranges++ }
$1 ~ "^[a-m]" && $1 !~ /z$/ { matched++ }

END {
    print FNR, fields, ranges, matched
    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < 400; i++) {
            text = word(3 + i % 7) " " word(8) " " word(5)
            seen[text] = i
            list[i + 1] = text
            total += length(rewrite(text))
        }
        sort(list, 1, 400)
        for (text in seen)
            if (seen[text] % 3 == 0)
                delete seen[text]
        total += fibonacci(16) + sieve(4000)
        while ((getline line < FILENAME) > 0)
            if (split(line, cut) > 2 && cut[3] > "m")
                total += cut[1] == cut[2] ? 1 : 2
        close(FILENAME)
        grid[round % 5, round % 7] = sprintf(numbers, total, total / (round + 1),
            exp(sin(round) + cos(round) - atan2(round, 3)), list[round % 400 + 1], 65 + round % 26)
        printf "%s", grid[round % 5, round % 7] > "/dev/null"
    }
    for (pair in grid) {
        split(pair, at, SUBSEP)
        sum += at[1] * at[2] + log(1 + length(grid[pair])) + sqrt(at[1])
    }
    printf "%d %d %.3f %s\n", total, length(list), sum, tolower(substr(list[7], 2))
}
