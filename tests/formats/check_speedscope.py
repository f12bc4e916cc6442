#!/usr/bin/env python3
"""check_speedscope.py CASE EPROF PROFILE - tests that speedscope itself reads the format
`speedscope`

PROFILE makes the profiles. The viewer and the schema of its files are those that its authors
publish: npm fetches them, and checks them with the hash in its registry. 77: npm, jsonschema or
Chromium is not installed, or npm cannot fetch the package.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter

from told import kind_of, names_of, read_csv, report

PACKAGE = 'speedscope@1.25.0'
SKIPPED = 77
UNITS = {'': 1, 'ns': 1, 'µs': 10**3, 'ms': 10**6, 's': 10**9}
BROWSER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'browser.js')

# The sandwich view is the only one that is text: a line for each frame, sorted by self time. It is
# complete when the bar at the top names the right profile.
SHOWN = '''new Promise((done) => {
    const look = () => {
        const rows = [...document.querySelectorAll('tr')].map((row) =>
            [...row.cells].map((cell) => cell.textContent));
        const first = rows.findIndex((cells) => cells.includes('Symbol Name')) + 1;
        if (document.body.textContent.includes('Something went wrong'))
            done([['the viewer', 'cannot', 'read it']]);
        else if (document.body.textContent.includes('(%s)') && first > 0 && first < rows.length)
            done(rows.slice(first));
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true,
                                                   characterData: true });
    look();
})'''
NEXT_PROFILE = "void window.dispatchEvent(new KeyboardEvent('keypress', { key: 'n' }))"


def skip(why):
    print(why)
    sys.exit(SKIPPED)


def fetch(folder):
    """The folder of the package with the viewer and the schema."""
    if not shutil.which('npm'):
        skip('there is no npm (README.md)')
    done = subprocess.run(['npm', 'pack', PACKAGE], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode:
        skip(f'npm does not get at {PACKAGE}: {done.stderr.decode()}')
    with tarfile.open(os.path.join(folder, done.stdout.decode().split()[-1])) as archive:
        archive.extractall(folder)
    return os.path.join(folder, 'package', 'dist', 'release')


def record(profile, folder, *mode):
    image = os.path.join(folder, 'image' + ''.join(mode))
    subprocess.run([profile, image, *mode], check=True)
    return image


def keeps_to_the_published_schema(eprof, profile, folder):
    try:
        import jsonschema
    except ImportError:
        skip('there is no jsonschema (tests/packages.txt)')
    with open(os.path.join(fetch(folder), 'file-format-schema.json'), encoding='utf-8') as file:
        schema = json.load(file)
    failed = 0
    for mode in ((), ('hostile',), ('chain', '0')):
        image = record(profile, folder, *mode)
        for options in ('', ':threads', ':ticks', ':threads:ticks:raw'):
            text = report(eprof, image, 'speedscope' + options)
            for error in jsonschema.Draft7Validator(schema).iter_errors(json.loads(text)):
                print(f'{mode}{options}: {error.message} at {list(error.path)}')
                failed = 1
    return failed


# ---- the viewer ----

def show(viewer, text, folder, profiles):
    """The first profiles of a file, as the viewer shows them: rows of (total, self, name). For a
    page in a file, the viewer gets another file from a script."""
    script = os.path.join(folder, 'profile.js')
    with open(script, 'w', encoding='ascii') as file:
        file.write(f'speedscope.loadFileFromBase64("file", "{base64.b64encode(text).decode()}")')
    page = f'file://{viewer}/index.html#localProfilePath={script.lstrip("/")}&view=sandwich'
    steps = []
    for number in range(profiles):
        steps += [f'--evaluate={NEXT_PROFILE}'] if number else []
        steps += ['--evaluate=' + SHOWN % f'{number + 1}/{profiles}']
    # it makes only the visible lines
    done = subprocess.run(['node', BROWSER, page, '--size=1280x3000', *steps, '--messages'],
                          check=True, stdout=subprocess.PIPE)
    told = done.stdout.decode().split('\n')
    for line in told:
        if re.match('dialog:|error:', line):
            raise ValueError(line)
    return [json.loads(line) for line in told if line.startswith('[[')]


def is_as_shown(number, shown):
    """'119.86ms (46%)' is a number of ns, rounded; '1,234 (5.0%)' one that is not."""
    found = re.fullmatch(r'(([0-9,]+)(?:\.[0-9]+)?)(|ns|µs|ms|s) \(.*\)', shown)
    if not found:  # for example a time of more than a minute
        return False
    figure, digits, unit = found.groups()
    value, unit_ns = float(figure.replace(',', '')), UNITS[unit]
    return abs(value * unit_ns - number) <= (0.00501 * unit_ns if figure != digits else 0)


def frames(rows, figure):
    """The rows of csv, for each frame: total and self; a recursive call counts once."""
    totals, own, stack = Counter(), Counter(), []
    for row in rows:
        if kind_of(row) != 'scope':
            continue
        del stack[len(names_of(row['path'])) - 1:]
        stack.append((row['name'], row['file'], row['line']))
        own[stack[-1]] += int(row[figure])
        for frame in set(stack):
            totals[frame] += int(row[figure])
    return sorted(((totals[frame], own[frame], frame[0]) for frame in totals),
                  key=lambda row: -row[1])


def is_shown(wanted, shown, what):
    """All frames, and those with the largest self time first."""
    if len(shown) != len(wanted):
        print(f'{what}: {len(shown)} frames, not {len(wanted)}')
        return False
    left = list(wanted)
    for row, (_, most, _) in zip(shown, wanted):
        same = [one for one in left if row[2] == one[2] and is_as_shown(one[0], row[0]) and
                is_as_shown(one[1], row[1])]
        if not same or not is_as_shown(most, row[1]):
            print(f'{what}: the viewer shows {row}; these are left: {left}')
            return False
        left.remove(same[0])
    return True


def viewer_shows_the_frames(eprof, profile, folder):
    for program in (os.environ.get('CHROMIUM', 'chromium'), 'node'):
        if not shutil.which(program):
            skip(f'there is no {program} (tests/packages.txt)')
    viewer, failed = fetch(folder), 0
    for mode in ((), ('hostile',)):
        image = record(profile, folder, *mode)
        rows = read_csv(report(eprof, image, 'csv'))
        time, calls = show(viewer, report(eprof, image, 'speedscope'), folder, 2)
        failed |= not is_shown(frames(rows, 'self_ns'), time, f'{mode} time')
        failed |= not is_shown(frames(rows, 'calls'), calls, f'{mode} calls')
    return failed


def main():
    case, eprof, profile = sys.argv[1:]
    cases = {one.__name__: one for one in (keeps_to_the_published_schema, viewer_shows_the_frames)}
    with tempfile.TemporaryDirectory() as folder:
        return cases[case](os.path.abspath(eprof), os.path.abspath(profile), folder)


sys.exit(main())
