"""readers.py - from a report in a format to what it tells, by the format's own rules

FORMATS has each: which kinds and figures it carries, and how it is read.
"""
import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from html.parser import HTMLParser

from told import Told, kind_of, names_of, read_csv, read_hex, seen

COUNTS = ('calls', 'timed', 'errors', 'open')
TIMES = ('total_ns', 'self_ns', 'mean_ns', 'stddev_ns', 'min_ns', 'p50_ns', 'p90_ns', 'p99_ns',
         'p999_ns', 'max_ns')


class Format:
    """One that tells of a row by its stack. `wanted` is what csv's rows come to in it."""
    kinds = ('instance', 'scope')
    figures = COUNTS + TIMES
    report = None        # the format itself; None: as it is called in FORMATS
    options = ''         # that are asked for besides
    program = None       # that reads it
    is_whole = True      # else it leaves rows out
    shows = staticmethod(lambda name: name)

    def __init__(self, is_by_threads):
        self.is_by_threads = is_by_threads

    def stack(self, row, rows):
        return tuple(self.shows(name) for name in names_of(row['path']))

    def figure(self, row, figure):
        return int(row[figure])

    def wanted(self, rows):
        told = Told(places=set())
        for row in rows:
            if kind_of(row) not in self.kinds:
                continue
            told.add(kind_of(row), self.shows(row['thread']), self.stack(row, rows),
                     **{figure: self.figure(row, figure) for figure in self.figures})
            if kind_of(row) == 'scope':
                told.places.add((self.shows(row['name']), self.shows(row['file']), int(row['line'])))
        return told


def place_behind(row, rows):
    """What stands behind a scope's name where another has the same."""
    file, line = row['file'], row['line']
    places = {(other['file'], other['line']) for other in rows
              if kind_of(other) == 'scope' and other['name'] == row['name']}
    is_ambiguous = file and kind_of(row) == 'scope' and len(places) > 1
    return f' ({file.rsplit("/", 1)[-1]}:{line})' if is_ambiguous else ''


def run(*words, text):
    """What another program makes of `text`, which is the file `report` where it runs."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'report'), 'wb') as file:
            file.write(text)
        done = subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    if done.stderr:
        raise ValueError(f'{words[0]}: {done.stderr.decode()}')
    return done.stdout.decode()


class Csv(Format):
    def rows(self, text):
        return read_csv(text)

    def read(self, text):
        told = Told(places=set())
        for row in self.rows(text):
            told.add(kind_of(row), row['thread'], names_of(row['path']),
                     **{figure: int(row[figure]) for figure in self.figures})
            if kind_of(row) == 'scope':
                told.places.add((row['name'], row['file'], int(row['line'])))
        return told


class CsvInSqlite(Csv):
    """What a database takes in."""
    report = 'csv'
    program = 'sqlite3'

    def rows(self, text):
        return json.loads(run('sqlite3', '-json', ':memory:', '.import --csv report rows',
                              "SELECT * FROM rows WHERE kind != 'trouble'", text=text))


class Json(Format):
    def profile(self, text):
        return json.loads(text)

    def read(self, text):
        profile = self.profile(text)
        told = Told(places=set(), command=profile['command'])
        for row in profile['rows']:
            told.add(kind_of(row), row['thread'], names_of(row['path']),
                     **{figure: row[figure] for figure in self.figures})
            if kind_of(row) == 'scope':
                told.places.add((row['name'], row['file'], row['line']))
        return told


class JsonByJq(Json):
    report = 'json'
    program = 'jq'

    def profile(self, text):
        return json.loads(run('jq', '.', 'report', text=text))


class Folded(Format):
    kinds = ('scope',)
    figures = ('self_ns',)

    def read(self, text):
        told = Told()
        for line in text.decode().split('\n')[:-1]:
            stack, number = line.rsplit(' ', 1)
            frames = [read_hex(frame) for frame in stack.split(';')]
            thread = frames.pop(0) if self.is_by_threads else '*'
            told.add('scope', thread, frames, self_ns=int(number))
        return told


class Callgrind(Format):
    """A function is its file and name, whatever its path; callgrind_annotate reads them."""
    program = 'callgrind_annotate'
    kinds = ('scope',)
    figures = ('calls', 'total_ns', 'self_ns')

    def stack(self, row, rows):
        thread = f"'{row['thread']}" if self.is_by_threads else ''
        return (f'{row["file"] or "???"}:{row["name"]}{place_behind(row, rows)}{thread}',)

    def wanted(self, rows):
        """Which thread it is stands in its name."""
        told = Told()
        for (kind, _, stack, figure), number in super().wanted(rows).numbers.items():
            told.numbers[kind, '*', stack, figure] += number
        return told

    def figure(self, row, figure):
        """Calls are those that have begun."""
        if figure == 'calls':
            return int(row['calls']) + int(row['open'])
        return super().figure(row, figure)

    def annotate(self, text, *options):
        """The lines of its list, which is behind the last of its rules."""
        out = run('callgrind_annotate', '--threshold=100', '--auto=no', *options, 'report', text=text)
        return out.split('file:function\n')[1].split('\n')[1:]

    def functions(self, lines, before_name):
        """Each with the figure in front of it; but for threads, which are no functions."""
        for line in lines:
            found = re.fullmatch(r' *([0-9,]+) \( ?[0-9.]+%\) ' + before_name + '(.*)', line)
            if found and not found[2].startswith('(thread):'):
                yield read_hex(found[2]), int(found[1].replace(',', ''))

    def read(self, text):
        told = Told(command=read_hex(re.search(r'^cmd: (.*)$', text.decode(), flags=re.M)[1]))
        for name, number in self.functions(self.annotate(text), ' '):
            told.add('scope', '*', (name,), self_ns=number)
        calls = 0
        for line in self.annotate(text, '--inclusive=yes', '--tree=caller'):
            by_caller = re.search(r' < .* \(([0-9,]+)x\) \[\]$', line)
            calls += int(by_caller[1].replace(',', '')) if by_caller else 0
            for name, number in self.functions([line], r' \*  '):
                told.add('scope', '*', (name,), total_ns=number, calls=calls)
            calls = calls if by_caller else 0
        return told


class Table(Format):
    """With ticks, which are ns here, it has all digits. Rows are as deep as they are indented."""
    figures = ('calls', 'total_ns', 'self_ns')
    options = ':ticks'
    shows = staticmethod(seen)

    def stack(self, row, rows):
        return super().stack(row, rows) + (self.shows(place_behind(row, rows)),)

    def row(self, line, titles):
        """What stands before the figures, and they by their titles; None: it is no row."""
        words = line.replace(' %', '%').rsplit(maxsplit=len(titles) - 1)
        if len(words) < len(titles) or not words[1].isdigit():
            return None
        return words[0], dict(zip(titles[1:], words[1:]))

    def read(self, text):
        told, titles, stack = Told(), [], []
        for line in text.decode().split('\n'):
            if re.match('ID name|scope  ', line):
                titles = re.split(r' {2,}', line.strip())
            row = self.row(line, titles) if titles else None
            if not row:
                continue
            name, place = re.fullmatch(r'(.*?)( \([^ ]*:\d+\))?', row[0]).groups()
            if titles[0] == 'ID name':
                stack = [name.split(': ', 1)[1]]
            else:
                stack = stack[:(len(name) - len(name.lstrip(' '))) // 2] + [name.lstrip(' ')]
            figures = row[1]
            told.add('instance' if titles[0] == 'ID name' else 'scope', figures.get('thread', '*'),
                     stack + [place or ''], calls=int(figures['calls']),
                     total_ns=int(figures['total']),
                     self_ns=int(figures.get('self', figures['total'])))
        return told


class Tree(Table):
    """Branches take two columns for each level: then it is read as the table is."""
    kinds = ('scope',)
    is_whole = False

    def read(self, text):
        told, thread = Told(), '*'
        for part in re.split('\n(?=scope  |top functions)', text.decode()):
            lines = [re.sub('^((?:[│ ] )*)[├└]─', lambda branch: ' ' * len(branch[0]), line)
                     for line in part.split('\n') if '… ' not in line]
            for (kind, _, stack, figure), number in super().read('\n'.join(lines).encode()).numbers.items():
                told.numbers[kind, thread, stack, figure] += number
            heading = re.search('^(.*): [0-9]+ scopes at [0-9]+ places', part, flags=re.M)
            thread = heading[1] if heading and self.is_by_threads else thread
        return told


FORMATS = {'csv': Csv, 'csv_in_sqlite': CsvInSqlite, 'json': Json, 'json_by_jq': JsonByJq,
            'folded': Folded, 'callgrind': Callgrind, 'table': Table, 'tree': Tree}
