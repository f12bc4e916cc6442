"""reader.py - code that the readers of all formats share"""
import os
import subprocess
import tempfile

from told import Told, kind_of, names_of

COUNTS = ('calls', 'timed', 'errors', 'open')
TIMES = ('total_ns', 'self_ns', 'mean_ns', 'stddev_ns', 'min_ns', 'p50_ns', 'p90_ns', 'p99_ns',
         'p999_ns', 'max_ns')


class Format:
    """A reader that identifies rows by their stacks. `wanted` gives the expected result from the
    rows of csv."""
    kinds = ('instance', 'scope')
    figures = COUNTS + TIMES
    report = None         # the format itself; None: it is named as in FORMATS
    options = ''          # further options of the report
    program = None        # the program that reads it
    is_whole = True       # otherwise the report leaves rows out
    is_always_by_threads = False
    is_of_library = True  # otherwise only the command has this format
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
    """The text after the name of a scope if another scope has the same name."""
    file, line = row['file'], row['line']
    places = {(other['file'], other['line']) for other in rows
              if kind_of(other) == 'scope' and other['name'] == row['name']}
    is_ambiguous = file and kind_of(row) == 'scope' and len(places) > 1
    return f' ({file.rsplit("/", 1)[-1]}:{line})' if is_ambiguous else ''


def run(*words, text):
    """The output of another program for `text`, which is the file `report` in its folder."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'report'), 'wb') as file:
            file.write(text)
        done = subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    if done.stderr:
        raise ValueError(f'{words[0]}: {done.stderr.decode()}')
    return done.stdout.decode()
