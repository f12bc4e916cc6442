#!/usr/bin/env python3
"""check_flame.py EPROF PROFILE - tests the flame graphs of an html page in a real browser

PROFILE makes the profile. The rows of csv give the place of each box, in a window of any width; a
click must lead to the row. 77: Chromium or node is not installed.
"""
import os
import subprocess
import sys
import tempfile

from flame import GRAPHS, boxes, browse, is_drawn, missing_program
from told import kind_of, read_csv, report

# The box in the middle of a graph of threads must lead to a row that was not visible, in a closed
# part of the tree.
BOX = '#thread-1 ~ section .flame a[href="#t%d"]'
CLOSE = '(document.querySelectorAll("details").forEach((one) => one.open = false), 0)'
ARRIVED = '''new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    const row = document.querySelector(location.hash), at = row.getBoundingClientRect();
    done([location.hash, at.height > 0 && at.top >= 0 && at.bottom <= innerHeight,
          row.matches(':target'), row.querySelector('.name').textContent]);
})))'''


def check_boxes(page, merged, by_threads):
    """Letters must have the same height in a narrow window as in a wide one."""
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
            failed |= not is_drawn(boxes(rows, by_threads), graph, size)
            heights |= {round(box[4], 3) for box in graph[2] if box[4] > 0}
    if len(heights) != 1:
        print(f'letters are {sorted(heights)} high')
        failed = 1
    return failed


def check_links(page, instances, by_threads):
    """With the mouse, and with the keyboard. Instances have no row in the tree, and come first."""
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
    if missing_program():
        print(f'there is no {missing_program()} (tests/packages.txt)')
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
