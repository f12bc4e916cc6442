#!/usr/bin/env python3
"""judge.py FLOORS EXCLUDED COUNTS - holds what is promised of the tests: of the floors that
LINES_FLOORS names every line is run, and over all floors BRANCHES_LEAST_PERCENT of the branches
are taken both ways.

FLOORS is docs/floors.md, EXCLUDED tells what is left out and why (its head says how), COUNTS is
what `gcovr --json` found of src/. Prints what is missing, then the figures; ends with 1 if a
promise is broken, or if something is left out that need not be.
"""
import json
import re
import sys
from pathlib import Path

LINES_FLOORS = range(0, 5)
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
    """What one entry of EXCLUDED leaves out."""

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


def read_floors(path):
    """The floor of each name of the table: `image` is image.c and image.h."""
    floors = {}
    for line in path.read_text().splitlines():
        row = re.match(r"\| (\d)[^|]*\|([^|]*)\|", line)
        if row:
            floors.update((name, int(row[1])) for name in re.findall(r"`([^`]+)`", row[2]))
    return floors


def floor_of(floors, name):
    return floors[name] if name in floors else floors[re.sub(r"\.[ch]$", "", name)]


class Figures:
    """Lines of the lower floors and branches of all, without what is excluded."""

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


def judge(sources, floors, exclusions):
    """The figures, and what is wrong: lines of text."""
    figures, wrong = Figures(), []
    needed = set()
    for source in sources:
        is_low = floor_of(floors, source.name) in LINES_FLOORS
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


def uncounted(sources, floors, root):
    """Files of the lower floors that this machine does not compile."""
    counted = {source.name for source in sources}
    return [name + ".c" for name, floor in floors.items()
            if (root / "src" / (name + ".c")).exists() and name + ".c" not in counted]


def main():
    floors_path, excluded_path, counts_path = map(Path, sys.argv[1:])
    root = floors_path.parent.parent
    floors, exclusions = read_floors(floors_path), read_exclusions(excluded_path)
    sources = [Source(counted, root) for counted in json.loads(counts_path.read_text())["files"]]
    figures, wrong, needed = judge(sources, floors, exclusions)
    for name in uncounted(sources, floors, root):
        entries = [entry for entry in exclusions if entry.file == name]
        needed.update(entries)
        if not entries:
            wrong.append(f"src/{name}: is not compiled")
    wrong += [f"{entry.where}: need not be left out: {entry.head}"
              for entry in exclusions if entry not in needed]
    wrong += [f"{entry.where}: has no reason: {entry.head}"
              for entry in exclusions if not entry.reason]
    if figures.branches_percent() < BRANCHES_LEAST_PERCENT:
        wrong.append(f"less than {BRANCHES_LEAST_PERCENT} % of the branches are taken")
    print(*wrong, sep="\n")
    print(f"lines of floors {LINES_FLOORS[0]} to {LINES_FLOORS[-1]}: "
          f"{figures.lines_run} of {figures.lines} are run")
    print(f"branches of all floors: {figures.branches_taken} of {figures.branches} are taken, "
          f"{figures.branches_percent():.1f} %")
    print(f"left out, with reasons: {len(exclusions)} entries of {excluded_path.name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
