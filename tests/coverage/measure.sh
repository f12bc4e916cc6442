#!/bin/bash
# measure.sh - builds the preset `coverage`, runs its tests and prints which lines and branches of
# src/ they run: judge.py has the requirements, excluded.txt the exceptions.
#
# A test that fails or is skipped does not end the script, but makes it fail.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build/coverage
status=0

cmake --preset coverage
cmake --build --preset coverage
find "$build" -name '*.gcda' -delete # the counts of earlier runs
chmod -R a+rwX "$build"              # some tests run programs as another user, which count as well
tests/run coverage || status=1

# A process that is killed while it writes leaves counts that gcov finds below zero: for such a
# branch it is unknown whether it was taken. With more than one job gcovr 5.2 would hang at such
# counts.
gcovr --root . --object-directory "$build" --filter src/ --exclude "$build/" -j 1 \
    --gcov-ignore-parse-errors --json "$build/counts.json" "$build/src"
tests/coverage/judge.py tests/coverage/excluded.txt "$build/counts.json" || status=1
exit $status
