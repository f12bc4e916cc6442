#!/usr/bin/env python3
"""check_folded.py EPROF PROFILE - flamegraph.pl draws what `folded` says

PROFILE makes the profiles. The picture's boxes are compared with the rows of csv: each scope's
name, the sum of its time over all its boxes, to the last ns, and that a box is as wide as its
time. 77: there is no flamegraph.pl.
"""
import csv
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from collections import Counter

DRAWER = shutil.which('flamegraph.pl') or '/usr/share/perl5/Devel/NYTProf/flamegraph.pl'
SVG = '{http://www.w3.org/2000/svg}'
WIDTH, MARGINS = 10000, 20  # of the picture, and what flamegraph.pl leaves free of it
OFF_MOST = 0.11             # it rounds both ends of a box to a tenth


def report(eprof, image, form):
    return subprocess.run([eprof, 'report', image, '--format', form], check=True,
                          stdout=subprocess.PIPE).stdout


def names_of(path):
    """A path of csv: ';' between the names, in which ';' and '\\' have a backslash before them."""
    return tuple(re.sub(r'\\([;\\])', r'\1', name)
                 for name in re.findall(r'((?:[^;\\]|\\.)*)(?:;|$)', path + ';', flags=re.S)[:-1])


def wanted(eprof, image, options):
    """What each name's boxes take together: a box takes the self time of all below it."""
    text = report(eprof, image, 'csv' + options).decode()
    inclusive = Counter()
    for row in csv.DictReader(io.StringIO(text, newline=''), strict=True):
        if row['kind'] in ('scope', 'function'):
            stack = names_of(row['path'])
            if options:
                stack = (row['thread'],) + stack
            for name in stack:
                inclusive[name] += int(row['self_ns'])
    return +inclusive


def draw(folded):
    # it cuts what has no room: characters, not bytes
    done = subprocess.run(['perl', '-CSD', DRAWER, '--countname=ns', '--minwidth=0', f'--width={WIDTH}'],
                          input=folded, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.stderr:
        sys.exit(f'flamegraph.pl: {done.stderr.decode()}')
    return xml.fromstring(done.stdout)


def read_frame(frame):
    """\\xNN is a byte; csv shows one that is not UTF-8 as the same text."""
    value = re.sub(rb'\\x(..)', lambda found: bytes.fromhex(found[1].decode()), frame.encode())
    return value.rstrip(b'\0').decode(errors='backslashreplace')


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
            drawn[read_frame(name)] += ns
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
