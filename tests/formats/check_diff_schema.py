#!/usr/bin/env python3
"""check_diff_schema.py SCHEMA EPROF PROFILE REPORT... - tests that comparisons conform to their
schema

It tests the given reports, and those on the profiles that PROFILE makes: with one file on each
side, and with enough files for verdicts.
"""
import sys
import tempfile

from diffs import diff, make_profiles
from schema import Schema

MAY_BE_NULL = frozenset({'command', 'process_id', 'started', 'ticks_per_us', 'resolution_ns',
                         'pair_ns', 'inside_ns', 'wall_ns', 'cpu_ns', 'overhead_ns',
                         'cpu_read_ns', 'ratio', 'ratio_low',
                         'ratio_high', 'cpu_before_ns', 'cpu_after_ns', 'wait_before_ns',
                         'wait_after_ns'})
MANY = 8  # files of a side are enough for verdicts on some dozens of regions


def main():
    schema_path, eprof, profile, *paths = sys.argv[1:]
    schema = Schema(schema_path, closed=('row', 'side'), parts=('before', 'after'),
                    optional=frozenset({'sampled', 'holds', 'forked_children', 'unended',
                                        'cpu_read_ns'}),
                    may_be_null=MAY_BE_NULL,
                    may_be_fraction=frozenset({'calls_before', 'calls_after'}),
                    may_be_negative=frozenset({'change_ns'}), may_be_text=frozenset({'command'}))
    failed = 0
    for path in paths:
        failed |= schema.check_file(path)
    with tempfile.TemporaryDirectory() as folder:
        images = make_profiles(profile, folder)
        plain, hostile = [images['plain']], [images['hostile']]
        for name, before, after in (('one and the same', plain, plain),
                                    ('one and another', plain, hostile),
                                    ('many', MANY * plain, MANY * plain)):
            failed |= schema.check(name, diff(eprof, 'json', before, after))
    return failed


sys.exit(main())
