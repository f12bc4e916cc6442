"""flame.py - the expected boxes of a flame graph, computed from the rows of csv, and the boxes that
a browser has drawn"""
import json
import os
import shutil
import subprocess

from reader import place_behind
from told import names_of

BROWSER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'browser.js')
NARROWEST = 0.0005  # the smallest part of the whole that has a box
LEVEL_PX = 18
GAP_PX, NO_GAP = 1, 0.6  # between boxes, but a box keeps that part of its width
OFF_PX = 0.05

# For each graph its name, its width, and its boxes: title, left, top, width, height of the text.
GRAPHS = '''[...document.querySelectorAll('figure.flame > svg')].map((graph) => {
    const section = graph.closest('section');
    section.style.display = 'block'; // only one of them is shown
    const whole = graph.getBoundingClientRect();
    return [graph.getAttribute('aria-label'), whole.width,
            [...graph.querySelectorAll('a > svg')].map((box) => {
                const at = box.querySelector('rect').getBoundingClientRect();
                return [box.querySelector('title').textContent.split('\\n')[0],
                        at.left - whole.left, at.top - whole.top, at.width,
                        box.querySelector('text')?.getBoundingClientRect().height ?? 0];
            })];
})'''


def missing_program():
    """A program that the browser needs and that is not installed; None."""
    programs = (os.environ.get('CHROMIUM', 'chromium'), 'node')
    return next((program for program in programs if not shutil.which(program)), None)


def browse_lines(page, *steps):
    done = subprocess.run(['node', BROWSER, page, *steps], check=True, stdout=subprocess.PIPE)
    return done.stdout.decode().split('\n')[:-1]


def browse(page, *steps):
    return [json.loads(line) for line in browse_lines(page, *steps)]


def self_ns(rows):
    return sum(int(row['self_ns']) for row in rows)


def boxes(rows, all_rows, part=1):
    """(title, left, level, width) of the rows of one tree in csv, as parts of a graph in which
    their sum has the width `part`."""
    found, stack = [], []
    for row in rows:
        depth = len(names_of(row['path'])) - 1
        del stack[depth:]
        stack.append({'title': row['name'] + place_behind(row, all_rows), 'level': depth + 1, 'ns': 0})
        for box in stack:
            box['ns'] += int(row['self_ns'])
        found.append(stack[-1])
    whole = self_ns(rows)
    next_ns = {1: 0}
    for box in found:
        left = next_ns[box['level']]
        next_ns[box['level']] = left + box['ns']
        next_ns[box['level'] + 1] = left
        if box['ns'] >= NARROWEST * whole:
            yield box['title'], part * left / whole, box['level'], part * box['ns'] / whole


def is_drawn(wanted, graph, what):
    """Whether the boxes of GRAPHS are the expected ones; prints the first difference."""
    name, width, drawn = graph
    wanted = list(wanted)
    is_same = len(wanted) == len(drawn)
    for (title, left, level, wide), box in zip(wanted, drawn):
        wide *= width
        pixels = (left * width, level * LEVEL_PX, max(wide - GAP_PX, wide * NO_GAP))
        is_same &= title == box[0] and all(abs(a - b) <= OFF_PX for a, b in zip(pixels, box[1:4]))
        if not is_same:
            print(f'{what}, {name}: {title} is to be at {pixels}, and there is {box}')
            return False
    if not is_same:
        print(f'{what}, {name}: {len(drawn)} boxes, not {len(wanted)}')
    return is_same
