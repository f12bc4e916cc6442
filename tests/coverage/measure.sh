#!/bin/bash
# measure.sh - builds the preset `coverage`, runs its tests and tells which lines and
# branches of src/ they take: judge.py says what is asked, excluded.txt what is left out.
#
# A test that fails or is skipped does not end it, but it fails.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build/coverage
status=0

cmake --preset coverage
cmake --build --preset coverage
find "$build" -name '*.gcda' -delete # the counts of what was run before
chmod -R a+rwX "$build"              # some tests run programs as another user, which count as well
tests/run coverage || status=1

# A process that is killed while it writes leaves counts that gcov finds below zero: of such a
# branch it is not known whether it was taken. More than one job of gcovr 5.2 would hang at that.
gcovr --root . --object-directory "$build" --filter src/ --exclude "$build/" -j 1 \
    --gcov-ignore-parse-errors --json "$build/counts.json" "$build/src"
tests/coverage/judge.py tests/coverage/excluded.txt "$build/counts.json" || status=1
exit $status
