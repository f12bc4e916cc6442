# sqlite3.sh - a C program: the shell of a database, 290,000 lines
#
# The script run reads this file, as it reads cmark.sh. The program is built in the same way as by
# its authors and by Debian: from one file that contains the whole library (making it needs tclsh),
# so that gcc splits and inlines functions in all of it. The test compares the call tree; callgrind
# would need an hour to count the calls.

package=sqlite3
compiler=gcc
checksum="2657308832 2199"
judged=tree
command -v tclsh >/dev/null || {
    echo "sqlite3: no tclsh (Debian: tcl)" >&2
    exit 77
}

# build COMPILER FLAGS LIBRARIES: makes ./program
# shellcheck disable=SC2086 # the flags are words of their own
build() {
    ./configure --disable-tcl --disable-shared --disable-readline CC="$1" CFLAGS=-O1 >log 2>&1 &&
        make sqlite3.c shell.c >>log 2>&1 &&
        "$1" $2 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_MATH_FUNCTIONS \
            shell.c sqlite3.c $3 -lpthread -ldl -lm -o program >>log 2>&1
}

# The tests of its authors belong to another program, or need Tcl. So this test fills a database,
# checks it, writes it as SQL, reads that again and compares.
own_tests() {
    rm -f one.db other.db
    ./program -batch one.db <input.sql >one.out &&
        ./program one.db .dump >one.sql && ./program -batch other.db <one.sql &&
        ./program other.db .dump | cmp - one.sql &&
        ./program other.db 'PRAGMA integrity_check'
}

make_input() {
    cat >input.sql <<'END'
.bail on
CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT, weight REAL, day TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
INSERT INTO word SELECT i, printf('%x-%s', i * 2654435761 % 1000003, char(97 + i % 26)),
    (i * 16807 % 2147483647) / 1024.0, date('2020-01-01', i % 1000 || ' days') FROM n;
CREATE INDEX by_text ON word(text);
CREATE INDEX by_day ON word(day, weight);
SELECT count(*), sum(weight), min(text), max(text) FROM word;
SELECT strftime('%Y-%m', day) AS month, count(*), round(avg(weight), 3) FROM word GROUP BY month ORDER BY 3 DESC LIMIT 5;
SELECT a.text, b.text FROM word a JOIN word b ON b.day = a.day AND b.weight > a.weight WHERE a.id % 97 = 0 ORDER BY b.weight, a.id, b.id LIMIT 10;
SELECT text, rank() OVER (PARTITION BY substr(text, -1) ORDER BY weight) AS place FROM word ORDER BY place DESC, text LIMIT 5;
SELECT max(time(2459000.5 + id / 1000.0)), count(DISTINCT strftime('%H:%M:%f', 2459000.5 + id / 1000.0)) FROM word;
SELECT sum(length(json_extract(json_object('a', id, 'b', json_array(text, weight)), '$.b[0]'))) FROM word;
BEGIN;
UPDATE word SET weight = weight + 1 WHERE text GLOB '*[0-4]*a';
DELETE FROM word WHERE id % 7 = 3;
SAVEPOINT inner;
DELETE FROM word;
ROLLBACK TO inner;
COMMIT;
CREATE VIRTUAL TABLE note USING fts5(body);
INSERT INTO note SELECT replace(text, '-', ' ') || ' ' || day FROM word;
SELECT count(*) FROM note WHERE note MATCH '"2021" AND a*';
CREATE VIRTUAL TABLE box USING rtree(id, low, high);
INSERT INTO box SELECT id, weight, weight + 100 FROM word;
SELECT count(*) FROM box WHERE low > 100000 AND high < 900000;
WITH RECURSIVE fib(i, a, b) AS (SELECT 0, 0, 1 UNION ALL SELECT i + 1, b, a + b FROM fib WHERE i < 80)
SELECT max(a) FROM fib;
ANALYZE;
PRAGMA integrity_check;
VACUUM;
.mode json
SELECT * FROM word WHERE id < 20;
.schema
END
}

# The database is in memory, since the time of a file system varies.
long_run="./program -batch -init input.sql :memory: .quit"
