#!/usr/bin/env python3
"""check_agreement.py FORMAT EPROF PROFILE - tests that a format has the same figures as csv, to the
last ns

PROFILE makes the profile: two threads, recursion, scopes at several places, 3 instances. Figures
that the format does not contain are not compared: readers.py lists those that it does. The test
covers reports on a file, and those that the program itself writes at its end. 77: the reader of the
format is not installed.
"""
import os
import subprocess
import sys
import tempfile

from compare import compare, form_of
from told import read_csv, report


def at_end(profile, folder, *items):
    """The reports that the program itself writes when it ends."""
    paths = [os.path.join(folder, str(number)) for number, _ in enumerate(items)]
    wanted = ','.join(f'{item}={path}' for item, path in zip(items, paths))
    subprocess.run([profile, os.path.join(folder, 'image')], check=True,
                   env=dict(os.environ, EPROF=wanted))
    for path in paths:
        with open(path, 'rb') as file:
            yield file.read()


def main():
    name, eprof, profile = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, 'plain')
        subprocess.run([profile, image], check=True)
        for options in ('', ':threads'):
            form = form_of(name, options)
            rows = read_csv(report(eprof, image, 'csv' + options))
            failed |= compare(form, report(eprof, image, form.item), rows)
            if form.is_of_library:
                csv, text = at_end(profile, folder, 'csv' + options, form.item)
                failed |= compare(form, text, read_csv(csv))
    return failed


sys.exit(main())
