#!/usr/bin/env python3
"""check_folded.py EPROF PROFILE - tests that flamegraph.pl draws the content of `folded`

PROFILE makes the profiles. The boxes of the picture are compared with the rows of csv: the name of
each scope, the sum of its time over all its boxes, to the last ns, and the width of each box, which
must be proportional to its time. 77: flamegraph.pl is not installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from collections import Counter

from told import kind_of, names_of, read_csv, read_hex, report

DRAWER = shutil.which('flamegraph.pl') or '/usr/share/perl5/Devel/NYTProf/flamegraph.pl'
SVG = '{http://www.w3.org/2000/svg}'
WIDTH, MARGINS = 10000, 20  # of the picture, and what flamegraph.pl leaves free of it
OFF_MOST = 0.11             # it rounds both ends of a box to a tenth


def wanted(eprof, image, options):
    """The total of the boxes of each name: a box has the self time of all boxes below it."""
    inclusive = Counter()
    for row in read_csv(report(eprof, image, 'csv' + options)):
        if kind_of(row) == 'scope':
            threads = (row['thread'],) if options else ()
            for name in threads + names_of(row['path']):
                inclusive[name] += int(row['self_ns'])
    return +inclusive


def draw(folded):
    # flamegraph.pl cuts names that have no room: by characters, not by bytes
    done = subprocess.run(['perl', '-CSD', DRAWER, '--countname=ns', '--minwidth=0', f'--width={WIDTH}'],
                          input=folded, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.stderr:
        sys.exit(f'flamegraph.pl: {done.stderr.decode()}')
    return xml.fromstring(done.stdout)


def boxes(picture):
    for group in picture.iter(SVG + 'g'):
        name, ns = re.fullmatch(r'(.*) \(([0-9,]+) ns, [0-9.]+%\)', group.find(SVG + 'title').text,
                                flags=re.S).groups()
        yield name, int(ns.replace(',', '')), float(group.find(SVG + 'rect').get('width'))


def check(eprof, image, options):
    drawn, inclusive, failed = Counter(), Counter(), 0
    found = list(boxes(draw(report(eprof, image, 'folded' + options))))
    whole_ns = max(ns for name, ns, _ in found if name == 'all')
    for name, ns, width in found:
        wanted_width = ns / whole_ns * (WIDTH - MARGINS)
        if abs(width - wanted_width) > OFF_MOST:
            print(f'{options} {name!r}: {width} wide, not {wanted_width}')
            failed = 1
        if name != 'all':
            drawn[read_hex(name)] += ns
    # flamegraph.pl itself draws brackets as parentheses
    for name, ns in wanted(eprof, image, options).items():
        inclusive[name.translate(str.maketrans('<>', '()'))] += ns
    for name in inclusive.keys() | drawn.keys():
        if drawn[name] != inclusive[name]:
            print(f'{image}{options} {name!r}: drawn {drawn[name]} ns, csv {inclusive[name]}')
            failed = 1
    return failed


def main():
    eprof, profile = sys.argv[1:]
    if not os.path.exists(DRAWER):
        print('there is no flamegraph.pl (Debian: libdevel-nytprof-perl)')
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for mode in ([], ['hostile']):
            image = os.path.join(folder, ''.join(mode) or 'plain')
            subprocess.run([profile, image, *mode], check=True)
            for options in ('', ':threads'):
                failed |= check(eprof, image, options)
    return failed


sys.exit(main())
