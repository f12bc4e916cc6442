"""diffs.py - comparisons of profiles, made by `eprof diff`"""
import csv
import io
import os
import subprocess


def make_profiles(profile, folder):
    """One of each mode, by its name."""
    images = {}
    for mode in ('plain', 'hostile'):
        images[mode] = os.path.join(folder, mode)
        subprocess.run([profile, images[mode], *([] if mode == 'plain' else [mode])], check=True)
    return images


def diff(eprof, form, before, after, *options):
    return subprocess.run([eprof, 'diff', '--format', form, *options, '--before', *before,
                           '--after', *after], check=True, stdout=subprocess.PIPE).stdout


def read_rows(text):
    """Those of csv but for trouble. It has to be UTF-8, and as RFC 4180 has it."""
    rows = csv.DictReader(io.StringIO(text.decode(), newline=''), strict=True)
    return [row for row in rows if row['kind'] != 'trouble']
