"""diffs.py - comparisons of profiles, made by `eprof diff`"""
import csv
import io
import os
import shutil
import subprocess


def make_profiles(profile, folder):
    """Makes one profile of each mode; the key is its name."""
    images = {}
    for mode in ('plain', 'hostile'):
        images[mode] = os.path.join(folder, mode)
        subprocess.run([profile, images[mode], *([] if mode == 'plain' else [mode])], check=True)
    return images


def as_runs(files):
    """As many files as there are names: a file that is named again is copied, since a file counts
    as one run."""
    runs = []
    for file in files:
        if file in runs:
            runs.append(shutil.copy(file, f'{file}.{len(runs)}'))
        else:
            runs.append(file)
    return runs


def diff(eprof, form, before, after, *options):
    return subprocess.run([eprof, 'diff', '--format', form, *options, '--before', *as_runs(before),
                           '--after', *as_runs(after)], check=True, stdout=subprocess.PIPE).stdout


def read_rows(text):
    """The rows of csv, without diagnostics. It must be UTF-8 and conform to RFC 4180."""
    rows = csv.DictReader(io.StringIO(text.decode(), newline=''), strict=True)
    return [row for row in rows if row['kind'] != 'diagnostic']
