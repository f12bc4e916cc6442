#!/usr/bin/env python3
"""check_names.py SOURCES OBJECTS - tests that the name of a function gives its file: ep_X and
ep_X_Y must be defined in X.c, or in a file whose name begins with X_. The names of the folders may
come before X: ep_report_sheet_write is in report/sheet.c.

SOURCES is src/. OBJECTS is its build directory, which may contain old objects of removed sources.
ep_upward, the only table for calls to a higher layer (src/record/process.h), is an exception.
"""
import os
import re
import subprocess
import sys

EXEMPT = {"ep_upward"}


def forms(name, folders):
    """The possible rest of a name: without `ep_`, and without the names of its folders."""
    yield name
    for first in range(len(folders)):
        before = "_".join(folders[first:]) + "_"
        if name.startswith(before):
            yield name.removeprefix(before)
    if folders and name.startswith(folders[0] + "_"):
        yield name.removeprefix(folders[0] + "_")


def is_found(name, folders, stem):
    for form in forms(name.removeprefix("ep_"), folders):
        words = form.split("_")
        for count in range(1, len(words) + 1):
            beginning = "_".join(words[:count])
            if stem == beginning or stem.startswith(beginning + "_"):
                return True
    return False


def defined_in(path):
    listed = subprocess.run(["nm", "-g", "--defined-only", path], check=True, capture_output=True,
                            text=True).stdout
    return {line.split()[-1] for line in listed.splitlines()} - EXEMPT


def main(sources, objects):
    names = wrong = 0
    for folder, _, files in os.walk(objects):
        layer = re.search(r"/ep_(\w+)\.dir(?:/|$)(.*)", folder)
        for file in files if layer else []:
            stem = file.removesuffix(".c.o")
            folders = [layer[1]] + [part for part in layer[2].split("/") if part not in ("", layer[1])]
            if not os.path.exists(os.path.join(sources, *folders, stem + ".c")):
                continue
            for name in sorted(defined_in(os.path.join(folder, file))):
                if not name.startswith("ep_"):
                    continue
                names += 1
                if not is_found(name, folders, stem):
                    print(f"{'/'.join(folders)}/{stem}.c: {name}")
                    wrong += 1
    print(f"{names} names, {wrong} of them in a file of another name")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
