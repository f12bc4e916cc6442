#!/usr/bin/env python3
"""check_schema.py SCHEMA EPROF PROFILE REPORT... - tests that profiles conform to the schema of
json

It tests the given reports, and those on the profiles that PROFILE makes.
"""
import os
import subprocess
import sys
import tempfile

from schema import Schema
from told import report

# Parts that a report may lack: that of a running program lacks the first three, most reports lack
# all.
OPTIONAL = frozenset({'command', 'process_id', 'started', 'sampled', 'holds', 'forked_children',
                      'unended', 'cpu_read_ns', 'processes'})
MAY_BE_NULL = frozenset({'command', 'process_id', 'started', 'ticks_per_us', 'resolution_ns',
                         'pair_ns', 'inside_ns', 'wall_ns', 'cpu_ns', 'overhead_ns', 'cpu_read_ns',
                         *(f'{figure}_{unit}' for unit in ('ns', 'ticks')
                           for figure in ('mean_error', 'total_error', 'cpu', 'wait', 'process_min',
                                          'process_mean', 'process_max'))})


def main():
    schema_path, eprof, profile, *paths = sys.argv[1:]
    schema = Schema(schema_path, closed=('row_in_ns', 'row_in_ticks'), optional=OPTIONAL,
                    may_be_null=MAY_BE_NULL)
    failed = 0
    for path in paths:
        failed |= schema.check_file(path)
    with tempfile.TemporaryDirectory() as folder:
        for mode in ([], ['hostile']):
            image = os.path.join(folder, ''.join(mode) or 'plain')
            subprocess.run([profile, image, *mode], check=True)
            for options in ('', ':threads', ':raw', ':ticks'):
                name = f'{os.path.basename(image)}{options}'
                failed |= schema.check(name, report(eprof, image, 'json' + options))
    return failed


sys.exit(main())
