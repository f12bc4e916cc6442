"""reader.py - what the readers of all formats have in common"""
import os
import subprocess
import tempfile

from told import Told, kind_of, names_of

COUNTS = ('calls', 'timed', 'errors', 'open')
TIMES = ('total_ns', 'self_ns', 'mean_ns', 'stddev_ns', 'min_ns', 'p50_ns', 'p90_ns', 'p99_ns',
         'p999_ns', 'max_ns')


class Format:
    """One that tells of a row by its stack. `wanted` is what csv's rows come to in it."""
    kinds = ('instance', 'scope')
    figures = COUNTS + TIMES
    report = None         # the format itself; None: as it is called in FORMATS
    options = ''          # that are asked for besides
    program = None        # that reads it
    is_whole = True       # else it leaves rows out
    is_always_by_threads = False
    is_of_library = True  # else it is one of the command alone
    shows = staticmethod(lambda name: name)

    def __init__(self, name, options):
        asked_for = '' if self.is_always_by_threads else options
        self.name = name + options
        self.item = (self.report or name) + asked_for + self.options
        self.is_by_threads = 'threads' in options

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
                told.places.add((self.shows(row['name']), self.shows(row['file']),
                                 int(row['line'])))
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
