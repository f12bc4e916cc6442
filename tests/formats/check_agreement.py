#!/usr/bin/env python3
"""check_agreement.py FORMAT EPROF PROFILE - a format tells what csv tells, to the last ns

PROFILE makes the profile: two threads, recursion, scopes at several places, 3 instances. What the
format has no room for is not compared: readers.py says what it carries. 77: its reader is not
installed.
"""
import os
import subprocess
import sys
import tempfile

from compare import compare
from told import read_csv, report


def main():
    name, eprof, profile = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, 'plain')
        subprocess.run([profile, image], check=True)
        for options in ('', ':threads'):
            rows = read_csv(report(eprof, image, 'csv' + options))
            failed |= compare(name, eprof, image, options, rows)
    return failed


sys.exit(main())
