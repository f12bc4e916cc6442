#!/usr/bin/env python3
"""check_pprof.py CASE EPROF PROFILE - tests that `go tool pprof` reads the output of `eprof report
-f pprof`

PROFILE makes the profiles. The figures in pprof are compared with csv, to the last ns.
check_names.py tests the names. 77: go is not installed.
"""
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

from told import read_csv, seen

CASE, EPROF, PROFILE = sys.argv[1:]
VALUES = ('calls/count time/nanoseconds[dflt] instance_calls/count instance_time/nanoseconds '
          'values/count value/count bytes/bytes over_budget/nanoseconds')
MOST_FRAMES, OUTER_FRAMES, INNER_FRAMES = 256, 64, 191  # docs/reference/formats.md


def run(*words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def output(*words):
    done = run(*words, check=True)
    if done.stderr:
        sys.exit(f'{words} says: {done.stderr.decode()}')
    return done.stdout.decode()


def profile(*words):
    output(PROFILE, 'image', *words)


def write_pprof(*words, form='pprof', to='pb.gz'):
    output(EPROF, 'report', 'image', '-f', form, '-o', to, *words)


def pprof(*words):
    return output('go', 'tool', 'pprof', *words)


def expect(what, wanted, found):
    if wanted != found:
        sys.exit(f'{CASE}: {what}: pprof says\n{found}\nand not\n{wanted}')


def expect_same(what, wanted, found):
    """The elements that only one of two Counters has."""
    expect(what, wanted - found, found - wanted)


class Frame:
    def __init__(self, text):
        self.text = text  # NAME FILE:LINE; both may have blanks
        self.name = text.rpartition(' ')[0]


class Raw:
    """The output of -raw: pprof has no other complete format."""
    def __init__(self, *words):
        self.text = pprof('-raw', *words)
        head, rest = self.text.split('Samples:\n')
        self.types, samples = rest.split('\nLocations\n')[0].split('\n', 1)
        self.comments = re.findall('^Comment: (.*)$', head, flags=re.M)
        self.frames = {}
        for number, text in re.findall(r'^ *(\d+): 0x0 M=1 (.*) s=\d+(?:\(\))?$', rest, flags=re.M):
            self.frames[number] = Frame(text)
        self.samples = [self.sample(*found) for found in re.findall(
            r'^ +([\d -]+): ([\d ]+) $(?:\n +thread:\[(.*)\]$)?', samples, flags=re.M)]
        assert len(self.samples) == len(re.findall('^ +[0-9]', samples, flags=re.M))

    def sample(self, values, frames, thread):
        """The frames from the root on, in the form of csv."""
        return ([int(value) for value in values.split()],
                [self.frames[number] for number in reversed(frames.split())], thread)


def rows_of_csv(options, *words):
    return read_csv(run(EPROF, 'report', 'image', '-f', 'csv' + options, *words, check=True).stdout)


def values_of(row):
    if row['kind'] == 'value':
        total = int(row.get('total_ns', row.get('total_ticks')))
        unit = row['unit']
        return (0, 0, 0, 0, int(row['calls']), total * (unit == '1'), total * (unit == 'bytes'),
                total * (unit in ('ns', 'ticks')))
    # with :ticks the columns have other names
    total, own = (int(row.get(name + '_ns', row.get(name + '_ticks'))) for name in ('total', 'self'))
    if row['kind'] == 'instance':
        return 0, 0, int(row['calls']), total, 0, 0, 0, 0
    return int(row['calls']), own, 0, 0, 0, 0, 0, 0


def place_of(row):
    return f"{row['name']} {row['file']}:{row['line']}"


def compare(options, *words, with_paths):
    write_pprof(*words, form='pprof' + options)
    raw = Raw('pb.gz')
    wanted, found = Counter(), Counter()  # pprof adds up samples with the same frames
    for row in rows_of_csv(options, *words):
        thread = row['thread'] if 'threads' in options else ''
        path = row['path'] if with_paths else ''
        for value_name, value in zip(VALUES.split(), values_of(row)):
            wanted[value_name, place_of(row), path, thread] += value
    for values, frames, thread in raw.samples:
        path = ';'.join(frame.name for frame in frames) if with_paths else ''
        for value_name, value in zip(VALUES.split(), values):
            found[value_name, frames[-1].text, path, thread] += value
    expect_same(f'{options} {words}', +wanted, +found)
    types = VALUES.replace('nanoseconds', 'ticks') if 'ticks' in options else VALUES
    expect('the values', types, raw.types)


def raw_shows_the_figures_of_csv():
    profile()
    for options in ('', ':threads', ':raw', ':ticks', ':threads:ticks:raw'):
        compare(options, with_paths=True)


def raw_shows_values():
    profile('values')
    for options in ('', ':threads', ':ticks'):
        compare(options, with_paths=True)
    write_pprof()
    shown = pprof('-top', '-sample_index=bytes', '-unit=B', 'pb.gz')
    for line in (' *9007B +100% +100% +9007B +100% +input', ' *0 +0% +100% +6004B +66.66% +frame'):
        if not re.search('^' + line + '$', shown, flags=re.M):
            sys.exit(f'{CASE}: no line {line} in {shown}')


def raw_shows_the_rows_that_were_asked_for():
    profile()
    for words in (['--filter', 'parse'], ['--top', '2'], ['--thread', 'worker']):
        compare(':threads', *words, with_paths=True)
    compare('', '--focus', 'open;walk', with_paths=False)  # this begins where the focus does


def top(*words):
    """NAME: flat, cum, of the given text."""
    text = pprof('-top', '-nodecount=0', '-nodefraction=0', '-unit=ns', *words, 'pb.gz')
    return Counter({(name, int(flat), int(cum)): 1 for flat, cum, name in re.findall(
        r'^ *(\d+)(?:ns)? +\S+% +\S+% +(\d+)(?:ns)? +\S+% +(.*)$', text, flags=re.M)})


def top_shows_the_same():
    profile()
    write_pprof()
    for index, name in enumerate(('calls', 'time', 'instance_calls', 'instance_time', 'values')):
        flat, cum = Counter(), Counter()
        for row in rows_of_csv(''):
            value = values_of(row)[index]
            flat[row['name']] += value
            for name_around in set(row['path'].split(';')):
                cum[name_around] += value
        wanted = Counter({(one, flat[one], cum[one]): 1 for one in cum if cum[one]})
        expect_same(name, wanted, top('-sample_index=' + name))
    expect_same('what it shows first', top('-sample_index=time'), top())


def tells_how_far_it_can_be_trusted():
    profile()
    write_pprof()
    comments = '\n'.join(Raw('pb.gz').comments)
    for line in ('^of .*profile image, process [0-9]+, ', '^source hand: 1000.0 ticks/us$',
                 r'^1 call with a handle of no instance \(bad_handles\)'):
        expect(line, True, bool(re.search(line, comments, flags=re.M)))
    expect('the program', 'File: profile', pprof('-top', 'pb.gz').split('\n')[0])


def shows_names_that_do_nothing_to_a_terminal():
    profile('hostile')
    write_pprof(form='pprof:threads')
    shown = pprof('-raw', 'pb.gz') + pprof('-top', '-nodecount=0', 'pb.gz') + pprof('-tags', 'pb.gz')
    expect('what a terminal would obey', [], [c for c in shown if seen(c) != c and c != '\n'])


def frames_of_chain(depth):
    """The path from the root to the scope at that depth."""
    names = [f'level {i} :0' for i in range(depth)]
    if depth <= MOST_FRAMES:
        return names
    return names[:OUTER_FRAMES] + ['(frames left out) :0'] + names[-INNER_FRAMES:]


def leaves_out_the_middle_of_deep_stacks():
    for depth in (MOST_FRAMES, MOST_FRAMES + 1, 3000):
        profile('chain', str(depth))
        write_pprof()
        raw = Raw('pb.gz')
        stacks = {frames[-1].text: [frame.text for frame in frames] for _, frames, _ in raw.samples}
        for i in range(depth):
            expect(f'the stack at {i}', frames_of_chain(i + 1), stacks.pop(f'level {i} :0'))
        expect('stacks besides', {}, stacks)
        line = f'stacks of more than {MOST_FRAMES} frames, .*: {depth - MOST_FRAMES}$'
        expect('a line that tells so', depth > MOST_FRAMES,
               any(re.match(line, comment) for comment in raw.comments))


def compares_any_two_profiles():
    """pprof refuses two profiles with different sample types: here one has no instances."""
    profile()
    write_pprof()
    write_pprof('--focus', 'walk', to='part.gz')
    expect('the difference', 'File: profile', pprof('-top', '-base=part.gz', 'pb.gz').split('\n')[0])


def shows_instances_where_there_is_nothing_else():
    profile()
    write_pprof('--filter', 'read')
    types = VALUES.replace('[dflt]', '').replace('instance_time/nanoseconds',
                                                 'instance_time/nanoseconds[dflt]')
    expect('the values', types, Raw('pb.gz').types)
    expect_same('what it shows first', top('-sample_index=instance_time'), top())


def goes_through_a_pipe():
    profile()
    write_pprof()
    piped = run(EPROF, 'report', 'image', '-f', 'pprof', check=True).stdout
    with open('pb.gz', 'rb') as file:
        expect('what went through a pipe', True, piped == file.read())


def complains(done, status, pattern):
    expect('status', status, done.returncode)
    if not re.fullmatch(pattern + '\n', done.stderr.decode()):
        sys.exit(f'{CASE}: eprof says {done.stderr.decode()}')


def is_not_for_terminals():
    profile()
    _, terminal = pty.openpty()
    done = subprocess.run([EPROF, 'report', 'image', '-f', 'pprof'], stdout=terminal,
                          stderr=subprocess.PIPE)
    complains(done, 2, 'eprof: pprof: no text, and stdout is a terminal; name a file with -o')


def says_that_the_disk_is_full():
    profile()
    complains(run(EPROF, 'report', 'image', '-f', 'pprof', '-o', '/dev/full'), 1,
              'eprof: /dev/full: No space left on device')
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([EPROF, 'report', 'image', '-f', 'pprof'], stdout=full,
                              stderr=subprocess.PIPE)
    complains(done, 1, 'eprof: stdout: No space left on device')


def main():
    if not shutil.which('go'):
        print('there is no go (Debian: golang-go)')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        # the folders in which pprof keeps files and looks for programs
        for name in ('HOME', 'PPROF_TMPDIR', 'PPROF_BINARY_PATH'):
            os.environ[name] = folder
        os.chdir(folder)
        globals()[CASE]()
    return 0


sys.exit(main())
