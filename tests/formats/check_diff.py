#!/usr/bin/env python3
"""check_diff.py CASE EPROF PROFILE - tests the csv and json of a comparison

Both must have the same content, and for each side the figures of the csv of its profile. Prints the
differences.
"""
import json
import sys
import tempfile
from collections import Counter

from diffs import diff, make_profiles, read_rows
from told import read_csv, report

SUMS = ('calls', 'total_ns', 'self_ns')


def value_of(text):
    """A field of csv, in the form of json."""
    try:
        return float(text) if text else None
    except ValueError:
        return text


def json_tells_what_csv_tells(eprof, images):
    for before, after in (('plain', 'hostile'), ('hostile', 'plain'), ('plain', 'plain')):
        files = [images[before]], [images[after]]
        whole = json.loads(diff(eprof, 'json', *files))
        rows = read_rows(diff(eprof, 'csv', *files))
        if len(rows) != len(whole['rows']) or not rows:
            yield f'{before}, {after}: {len(rows)} rows in csv, {len(whole["rows"])} in json'
        for row, other in zip(rows, whole['rows']):
            if row.pop('judged') != whole['judged']:
                yield f'{row}: another figure is judged in json'
            texts = ('kind', 'name', 'path', 'verdict')
            told = {name: text if name in texts else value_of(text) for name, text in row.items()}
            if told != other:
                yield f'csv has {told}, json {other}'


def column(name, side):
    """The columns such as calls_before, total_before_ns"""
    figure, *unit = name.rsplit('_ns', 1)
    return f'{figure}_{side}_ns' if unit else f'{figure}_{side}'


def told_of(rows, columns):
    """The sums of equal regions, for each kind and path."""
    told = Counter()
    for row in rows:
        for figure, name in columns.items():
            told[row['kind'], row['path'], figure] += float(row[name])
    return told


def sides_are_as_their_profiles(eprof, images):
    for before, after in (('plain', 'hostile'), ('hostile', 'plain'), ('plain', 'plain')):
        rows = read_rows(diff(eprof, 'csv', [images[before]], [images[after]]))
        for side, image in (('before', before), ('after', after)):
            of_diff = told_of(rows, {figure: column(figure, side) for figure in SUMS})
            of_profile = told_of(read_csv(report(eprof, images[image], 'csv')),
                                 {figure: figure for figure in SUMS})
            for key in sorted(of_diff.keys() | of_profile.keys()):
                if of_diff[key] != of_profile[key]:
                    yield f'{side} {key}: {of_diff[key]}, the profile has {of_profile[key]}'


def many_files_are_the_one_in_the_middle(eprof, images):
    plain, hostile = images['plain'], images['hostile']
    of_one = told_of(read_csv(report(eprof, plain, 'csv')), {figure: figure for figure in SUMS})
    for plains, hostiles, part in ((5, 3, 1), (4, 4, 0.5), (3, 5, 0)):
        rows = read_rows(diff(eprof, 'csv', plains * [plain] + hostiles * [hostile], 8 * [plain]))
        told = told_of(rows, {figure: column(figure, 'before') for figure in SUMS})
        for key, number in told.items():
            if key in of_one and abs(number - of_one[key] * part) > 0.5:
                yield f'{plains} of 8, {key}: {number}, {part} of {of_one[key]} was expected'


def main():
    case, eprof, profile = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        differences = list(globals()[case](eprof, make_profiles(profile, folder)))
    for difference in differences[:20]:
        print(difference)
    return 1 if differences else 0


sys.exit(main())
