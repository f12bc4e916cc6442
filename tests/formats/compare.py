"""compare.py - whether a report tells what it was wanted to tell"""
import shutil
import sys

from readers import FORMATS
from told import report

ROWS_LEAST = 5  # of a format that leaves some out
SKIPPED = 77


def differences(found, wanted, form):
    keys = found.numbers.keys()
    if form.is_whole:
        keys |= wanted.numbers.keys()
    elif len(keys) < ROWS_LEAST * len(form.figures):
        yield f'there are only {sorted(keys)}'
    for key in sorted(keys):
        if found.numbers[key] != wanted.numbers[key]:
            yield f'{key}: it is {found.numbers[key]}, not {wanted.numbers[key]}'
    if found.places is not None:
        for place in sorted(found.places ^ wanted.places):
            yield f'{place}: ' + ('there is no such' if place in found.places else 'it is missing')


def compare(name, eprof, image, options, rows, command=None):
    """Says what is not as those rows of csv have it. 0: nothing; 1."""
    form = FORMATS[name](is_by_threads='threads' in options)
    if form.program and not shutil.which(form.program):
        print(f'there is no {form.program}')
        sys.exit(SKIPPED)
    found = form.read(report(eprof, image, (form.report or name) + options + form.options))
    failed = 0
    for difference in differences(found, form.wanted(rows), form):
        print(f'{name}{options}: {difference}')
        failed = 1
    if command is not None and found.command not in (None, form.shows(command)):
        print(f'{name}{options}: the command is {found.command!r}, not {form.shows(command)!r}')
        failed = 1
    return failed
