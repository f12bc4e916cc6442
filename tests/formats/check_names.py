#!/usr/bin/env python3
"""check_names.py FORMAT EPROF PROFILE - tests that names are data: each must come back from a
format unchanged

PROFILE makes a profile with hostile names, as labels of instances and scopes, as threads, files and
words of a command line, and prints these names. The names in the report are compared with these,
each with its own figures; no other report is used. In reports for people the names are only
searched for.
"""
import os
import subprocess
import sys
import tempfile

from compare import compare, form_of
from read_text import Page
from reader import TIMES
from told import is_unseen, report, seen, shown

TEXT_MOST = 4095    # bytes of a text that are kept
COLUMNS_MOST = 100  # of a name in a tree; a longer one is cut


def row(kind, names, thread, total_ns, self_ns, file='', line=0, calls=1):
    """The figures in the form of csv, for calls that took the same time each."""
    path = ';'.join(name.replace('\\', '\\\\').replace(';', '\\;') for name in names)
    figures = dict.fromkeys(TIMES, total_ns // calls)
    figures.update(calls=calls, timed=calls, errors=0, open=0, total_ns=total_ns, self_ns=self_ns,
                   stddev_ns=0)
    return dict(figures, kind=kind, name=names[-1], path=path, thread=thread, file=file, line=line)


def rows_of(names, line_of_thread, is_by_threads):
    """The recorded data of profile.c, which documents them."""
    main = 'main' if is_by_threads else '*'
    for i, name in enumerate(names):
        next_name = names[(i + 1) % len(names)]
        yield row('instance', [name], main, 1000 + i, 1000 + i)
        yield row('scope', [name], main, 5000 + 2 * i, 2000 + i)
        yield row('scope', [name, next_name], main, 3000 + i, 3000 + i)
        yield row('scope', ['in a file'], main, 4000 + i, 4000 + i, file=name, line=i + 1)
        if is_by_threads:
            yield row('scope', ['thread'], name, 1, 1, file='profile.c', line=line_of_thread)
    if not is_by_threads:
        yield row('scope', ['thread'], main, len(names), len(names), file='profile.c',
                  line=line_of_thread, calls=len(names))


def line_of_thread():
    """The place at which each thread enters a scope in profile.c."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'profile.c')
    with open(source, encoding='utf-8') as lines:
        return next(i for i, line in enumerate(lines, 1) if 'EPROF_SCOPE("thread")' in line)


def check_seen(name, text, names, command):
    """A report for people must have each name, and no character that changes the visible text."""
    failed = 0
    for char in sorted(set(text) - {'\n'}):
        if is_unseen(char):
            print(f'{name}: {char!r} stands in it as it is')
            failed = 1
    if name == 'html':
        page = Page(text)
        text = '\n'.join(page.names + page.headings)
    for hostile in map(seen, [*names, command]):
        is_cut = name == 'tree' and hostile != seen(command) and len(hostile) > COLUMNS_MOST
        if hostile not in text and not is_cut:
            print(f'{name}: there is no {hostile!r}')
            failed = 1
    return failed


def main():
    name, eprof, profile = sys.argv[1:]
    words = subprocess.run([profile, 'names'], check=True, stdout=subprocess.PIPE).stdout
    words = words.split(b'\0')[:-1]
    names = [shown(word) for word in words]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, 'hostile')
        subprocess.run([profile, image, 'hostile'], check=True)
        command = b' '.join([profile.encode(), image.encode(), b'hostile', *words])[:TEXT_MOST]
        for options in ('', ':threads'):
            if name in ('table', 'tree', 'html'):
                failed |= check_seen(name, report(eprof, image, name + options).decode(), names,
                                     shown(command))
                continue
            rows = list(rows_of(names, line_of_thread(), is_by_threads=bool(options)))
            form = form_of(name, options)
            failed |= compare(form, report(eprof, image, form.item), rows, shown(command))
    return failed


sys.exit(main())
