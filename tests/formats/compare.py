"""compare.py - compares a report with its expected content"""
import shutil
import sys

from readers import FORMATS

ROWS_LEAST = 5  # for a format that leaves some rows out
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
    """A format with these options; ends the test if its reader is not installed."""
    form = FORMATS[name](name, options)
    if form.program and not shutil.which(form.program):
        print(f'there is no {form.program}')
        sys.exit(SKIPPED)
    return form


def compare(form, text, rows, command=None):
    """Prints the differences between a report and those rows of csv. 0: none; 1."""
    found, failed = form.read(text), 0
    for difference in differences(found, form.wanted(rows), form):
        print(f'{form.name}: {difference}')
        failed = 1
    if command is not None and found.command not in (None, form.shows(command)):
        print(f'{form.name}: the command is {found.command!r}, not {form.shows(command)!r}')
        failed = 1
    return failed
