"""compare.py - whether a report tells what it was wanted to tell"""
import shutil
import sys

from readers import FORMATS

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


def form_of(name, options):
    """A format with these options; it ends the test where what reads it is not there."""
    form = FORMATS[name](name, options)
    if form.program and not shutil.which(form.program):
        print(f'there is no {form.program}')
        sys.exit(SKIPPED)
    return form


def compare(form, text, rows, command=None):
    """Says what of a report is not as those rows of csv have it. 0: nothing; 1."""
    found, failed = form.read(text), 0
    for difference in differences(found, form.wanted(rows), form):
        print(f'{form.name}: {difference}')
        failed = 1
    if command is not None and found.command not in (None, form.shows(command)):
        print(f'{form.name}: the command is {found.command!r}, not {form.shows(command)!r}')
        failed = 1
    return failed
