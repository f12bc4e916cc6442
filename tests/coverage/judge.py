#!/usr/bin/env python3
"""judge.py EXCLUDED COUNTS - checks the coverage requirements: each line of the folders
LINES_FOLDERS of src/ is run, and over all folders BRANCHES_LEAST_PERCENT of the branches are taken
both ways.

EXCLUDED lists the lines that are left out, with reasons (its head describes the format). COUNTS is
the output of `gcovr --json` for src/, run in the root of the source tree. Prints the missing lines,
then the figures; ends with 1 if a requirement is not met, or if a line is left out without need.
"""
import json
import re
import sys
from pathlib import Path

LINES_FOLDERS = ["base", "clock", "image", "record", "instrument", "snapshot", "merge", "diff"]
BRANCHES_LEAST_PERCENT = 90


class Source:
    """A file of src/: its lines that have code, and the function that each is in."""

    def __init__(self, counted, root):
        self.name = counted["file"].removeprefix("src/")
        self.text = (root / counted["file"]).read_text().splitlines()
        self.lines = {line["line_number"]: line for line in counted["lines"]
                      if not line["gcovr/noncode"]}

    def text_of(self, number):
        return self.text[number - 1].strip()

    def function_of(self, number):
        """A definition begins in the first column, with its name before the first bracket."""
        for line in reversed(self.text[:number]):
            found = re.match(r"\w.*?\b(\w+)\(", line)
            if found:
                return found.group(1)
        return ""

    def missed(self):
        return [number for number, line in sorted(self.lines.items()) if line["count"] == 0]


class Exclusion:
    """The lines that one entry of EXCLUDED leaves out."""

    def __init__(self, head, where):
        found = re.fullmatch(r"(\S+?\.[ch])(?: (\w+)\(\))?(?:: (.+))?", head)
        if not found:
            sys.exit(f"{where}: not FILE [FUNCTION()][: LINE]: {head}")
        self.where, self.head, self.reason = where, head, ""
        self.file, self.function, self.text = found.groups()

    def holds(self, source, number):
        return (self.file == source.name
                and self.function in (None, source.function_of(number))
                and self.text in (None, source.text_of(number)))


def read_exclusions(path):
    entries = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            entries[-1].reason += line.strip()
        else:
            entries.append(Exclusion(line, f"{path}:{number}"))
    return entries


class Figures:
    """The lines of LINES_FOLDERS and the branches of all folders, without the excluded ones."""

    def __init__(self):
        self.lines = self.lines_run = self.branches = self.branches_taken = 0

    def add(self, line, is_low):
        self.branches += len(line["branches"])
        self.branches_taken += sum(branch["count"] > 0 for branch in line["branches"])
        if is_low:
            self.lines += 1
            self.lines_run += line["count"] > 0

    def branches_percent(self):
        return 100 * self.branches_taken / self.branches


def judge(sources, exclusions):
    """The figures, and the errors as lines of text."""
    figures, wrong = Figures(), []
    needed = set()
    for source in sources:
        is_low = source.name.split("/")[0] in LINES_FOLDERS
        for number, line in sorted(source.lines.items()):
            holding = [entry for entry in exclusions if entry.holds(source, number)]
            if not line["count"]:
                needed.update(holding)
            if not holding:
                figures.add(line, is_low)
                if is_low and not line["count"]:
                    wrong.append(f"src/{source.name}:{number}: {source.function_of(number)}(): "
                                 f"not run: {source.text_of(number)}")
    return figures, wrong, needed


def main():
    excluded_path, counts_path = map(Path, sys.argv[1:])
    root = Path.cwd()
    exclusions = read_exclusions(excluded_path)
    sources = [Source(counted, root) for counted in json.loads(counts_path.read_text())["files"]]
    figures, wrong, needed = judge(sources, exclusions)
    wrong += [f"{entry.where}: need not be left out: {entry.head}"
              for entry in exclusions if entry not in needed]
    wrong += [f"{entry.where}: has no reason: {entry.head}"
              for entry in exclusions if not entry.reason]
    if figures.branches_percent() < BRANCHES_LEAST_PERCENT:
        wrong.append(f"less than {BRANCHES_LEAST_PERCENT} % of the branches are taken")
    print(*wrong, sep="\n")
    print(f"lines of {', '.join(LINES_FOLDERS)}: "
          f"{figures.lines_run} of {figures.lines} are run")
    print(f"branches of all folders: {figures.branches_taken} of {figures.branches} are taken, "
          f"{figures.branches_percent():.1f} %")
    print(f"left out, with reasons: {len(exclusions)} entries of {excluded_path.name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
