#!/usr/bin/env python3
"""check_flame.py EPROF PROFILE - the flame graphs of an html page as a real browser draws them

PROFILE makes the profile. Boxes stand where csv's rows say, in a window of any width; a click leads
to the row. 77: there is no Chromium or no node.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from reader import place_behind
from told import kind_of, names_of, read_csv, report

BROWSER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'browser.js')
NARROWEST = 0.0005  # of the width, that has a box
LEVEL_PX = 18
GAP_PX, NO_GAP = 1, 0.6  # between boxes, but a box has that part of its width in any case
OFF_PX = 0.05

# Of each graph its name, how wide it is, and its boxes: title, left, top, width, height of the text.
GRAPHS = '''[...document.querySelectorAll('.flame > svg')].map((graph) => {
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

# The box in the middle of a graph of threads leads to a row that was out of sight, in a closed part
# of the tree.
BOX = '#thread-1 ~ section .flame a[href="#t%d"]'
CLOSE = '(document.querySelectorAll("details").forEach((one) => one.open = false), 0)'
ARRIVED = '''new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    const row = document.querySelector(location.hash), at = row.getBoundingClientRect();
    done([location.hash, at.height > 0 && at.top >= 0 && at.bottom <= innerHeight,
          row.matches(':target'), row.querySelector('.name').textContent]);
})))'''


def browse(page, *steps):
    done = subprocess.run(['node', BROWSER, page, *steps], check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.decode().split('\n') if line]


def boxes(rows, all_rows):
    """(title, left, level, width) of csv's rows of one tree, as parts of the whole."""
    found, stack = [], []
    for row in rows:
        depth = len(names_of(row['path'])) - 1
        del stack[depth:]
        stack.append({'title': row['name'] + place_behind(row, all_rows), 'level': depth + 1, 'ns': 0})
        for box in stack:
            box['ns'] += int(row['self_ns'])
        found.append(stack[-1])
    whole = sum(box['ns'] for box in found if box['level'] == 1)
    next_ns = {1: 0}
    for box in found:
        left = next_ns[box['level']]
        next_ns[box['level']] = left + box['ns']
        next_ns[box['level'] + 1] = left
        if box['ns'] >= NARROWEST * whole:
            yield box['title'], left / whole, box['level'], box['ns'] / whole


def is_drawn(rows, all_rows, graph, what):
    name, width, drawn = graph
    wanted = list(boxes(rows, all_rows))
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


def check_boxes(page, merged, by_threads):
    """Letters are as high in a narrow window as in a wide one."""
    failed, heights = 0, set()
    trees = [('all threads', merged)]
    for thread in dict.fromkeys(row['thread'] for row in by_threads):
        trees.append((thread, [row for row in by_threads if row['thread'] == thread]))
    for size in ('1400x900', '420x700'):
        graphs, = browse(page, f'--size={size}', '--evaluate=' + GRAPHS)
        names = [graph[0] for graph in graphs]
        if names != [f'Flame graph of {name}' for name, _ in trees]:
            print(f'{size}: the graphs are {names}')
            return 1
        for (_, rows), graph in zip(trees, graphs):
            failed |= not is_drawn(rows, by_threads, graph, size)
            heights |= {round(box[4], 3) for box in graph[2] if box[4] > 0}
    if len(heights) != 1:
        print(f'letters are {sorted(heights)} high')
        failed = 1
    return failed


def check_links(page, instances, by_threads):
    """By the mouse, and by the keyboard. Instances have no row in the tree, and come first."""
    number, row = next((i, row) for i, row in enumerate(by_threads) if row['name'] == 'is_odd')
    box, wanted = BOX % (instances + number), [f'#t{instances + number}', True, True]
    choose = '--click=label[for=thread-1]'
    by_mouse = browse(page, '--size=900x400', choose, '--evaluate=' + CLOSE, f'--click={box}',
                      '--evaluate=' + ARRIVED)
    by_key = browse(page, '--size=900x400', choose, '--evaluate=' + CLOSE,
                    f"--evaluate=(document.querySelector('{box}').focus(), 0)", '--key=Enter',
                    '--evaluate=' + ARRIVED)
    failed = 0
    for how, answers in (('a click', by_mouse), ('Enter', by_key)):
        if answers[-1][:3] != wanted or row['name'] not in answers[-1][3]:
            print(f'{how} on {row["path"]} leads to {answers[-1]}, not {wanted}')
            failed = 1
    return failed


def main():
    eprof, profile = sys.argv[1:]
    for program in (os.environ.get('CHROMIUM', 'chromium'), 'node'):
        if not shutil.which(program):
            print(f'there is no {program} (tests/packages.txt)')
            return 77
    with tempfile.TemporaryDirectory() as folder:
        image, page = os.path.join(folder, 'image'), os.path.join(folder, 'page.html')
        subprocess.run([profile, image], check=True)
        with open(page, 'wb') as file:
            file.write(report(eprof, image, 'html'))
        merged = read_csv(report(eprof, image, 'csv'))
        by_threads = read_csv(report(eprof, image, 'csv:threads'))
        scopes = [[row for row in rows if kind_of(row) == 'scope'] for rows in (merged, by_threads)]
        instances = len(by_threads) - len(scopes[1])
        return check_boxes(page, *scopes) | check_links(page, instances, scopes[1])


sys.exit(main())
