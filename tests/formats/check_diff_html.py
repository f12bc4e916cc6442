#!/usr/bin/env python3
"""check_diff_html.py CASE EPROF COMPARED PROFILE - tests the page of a comparison in a real browser

COMPARED makes profiles of two versions of a program (compared.c), PROFILE makes one with hostile
names. 77: Chromium or node is not installed.
"""
import os
import subprocess
import sys
import tempfile

from diffs import diff, make_profiles, read_rows
from flame import GRAPHS, boxes, browse, browse_lines, is_drawn, missing_program, self_ns
from told import kind_of, read_csv, report

SIZES = ('1400x900', '420x700')
COUNTS = {'before': 7, 'after': 6}  # files: enough on each side for verdicts
LEAST_CONTRAST = 4.5  # of text that is not large (WCAG 2.2, 1.4.3)

# The contrast of the letters of each box: with its own colour, and with a stripe of the hatch.
CONTRASTS = '''(() => {
    const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
    const over = ([r, g, b, a = 1], ground) => [r, g, b].map((c, i) => c * a + ground[i] * (1 - a));
    const light = (color) => color.map((c) => (c /= 255, c <= 0.04045 ? c / 12.92
                                                    : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const stripe = rgb(getComputedStyle(document.querySelector('#hatch path')).stroke);
    return [...document.querySelectorAll('figure.flame svg svg:has(text)')].flatMap((box) => {
        const [text, ground] = ['text', 'rect'].map(
            (name) => rgb(getComputedStyle(box.querySelector(name)).fill));
        const grounds = box.querySelector('.hatch') ? [ground, over(stripe, ground)] : [ground];
        return grounds.map((one) => {
            const [low, high] = [light(text), light(one)].sort((a, b) => a - b);
            return [box.querySelector('text').textContent, (high + 0.05) / (low + 0.05)];
        });
    });
})()'''
LEAST_LABELS = 20  # that are wide enough, in both graphs

# For each link between table and graphs: its target, its region, and the region of the target.
TARGETS = '''[...document.querySelectorAll('th>a, figure a')].map((link) => {
    const href = link.getAttribute('href'), target = document.querySelector(href);
    const name = (one) => one?.querySelector('title, bdi')?.textContent.split('\\n')[0];
    return [href, name(link), name(target)];
})'''
FOCUS = '''(document.querySelector('%s').focus(), 0)'''
ARRIVED = '''new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    const one = document.querySelector(':target'), at = one?.getBoundingClientRect();
    done([one?.id, at?.height > 0 && at.top >= 0 && at.bottom <= innerHeight]);
})))'''

OPEN = '(document.querySelectorAll("details").forEach((one) => one.open = true), 0)'
ROWS = 'document.querySelectorAll("tr[id]").length'
# Effects that could come only from a name, and not from the page.
STRANGE = '''[...document.querySelectorAll('*')].filter((one) =>
        [...one.attributes].some(({ name }) => name == 'style' || name.startsWith('on')) ||
        one.matches('script,img,iframe,object,embed,link,base,form,image,use'))
    .map((one) => one.outerHTML.slice(0, 200))'''
# Parts that do not fit into the window.
WIDE = '''[...document.querySelectorAll(':not(svg *)')].filter((one) =>
        one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.outerHTML.slice(0, 200))'''


def make_sides(compared, folder):
    sides = {}
    for side, count in COUNTS.items():
        sides[side] = [os.path.join(folder, f'{side}-{run}') for run in range(count)]
        for run, image in enumerate(sides[side]):
            subprocess.run([compared, image, side, str(run)], check=True)
    return sides


def write_page(folder, text):
    path = os.path.join(folder, 'page.html')
    with open(path, 'wb') as file:
        file.write(text)
    return path


def scopes_of(eprof, images, folder):
    whole = os.path.join(folder, 'whole')
    subprocess.run([eprof, 'merge', '-o', whole, *images], check=True)
    return [row for row in read_csv(report(eprof, whole, 'csv')) if kind_of(row) == 'scope']


def graphs_are_drawn_on_one_scale(eprof, compared, _, folder):
    sides = make_sides(compared, folder)
    page = write_page(folder, diff(eprof, 'html', sides['before'], sides['after']))
    rows = {side: scopes_of(eprof, images, folder) for side, images in sides.items()}
    run_ns = {side: self_ns(rows[side]) / COUNTS[side] for side in rows}
    for size in SIZES:
        graphs, = browse(page, f'--size={size}', '--evaluate=' + GRAPHS)
        if [graph[0] for graph in graphs] != ['Flame graph of after', 'Flame graph of before']:
            yield f'{size}: the graphs are {[graph[0] for graph in graphs]}'
        for side, graph in zip(('after', 'before'), graphs):
            wanted = boxes(rows[side], [], run_ns[side] / max(run_ns.values()))
            if not is_drawn(wanted, graph, size):
                yield f'{size}: {side} is not as csv has it'


def boxes_and_rows_lead_to_each_other(eprof, compared, _, folder):
    sides = make_sides(compared, folder)
    page = write_page(folder, diff(eprof, 'html', sides['before'], sides['after']))
    targets, = browse(page, '--evaluate=' + TARGETS)
    for href, name, found in targets:
        if name != found:
            yield f'{href} of {name} leads to {found}'
    by_name = {name: href[2:] for href, name, _ in targets}
    links = [('th>', 'a' + by_name['render']), ('figure ', 'd' + by_name['render']),
             ('th>', 'b' + by_name['hash']), ('figure ', 'd' + by_name['hash'])]
    by_mouse = [[f'--click={where}[href="#{anchor}"] :is(rect,bdi)', '--evaluate=' + ARRIVED]
                for where, anchor in links]
    by_key = [['--evaluate=' + FOCUS % f'{where}[href="#{anchor}"]', '--key=Enter',
               '--evaluate=' + ARRIVED] for where, anchor in links]
    wanted = [[anchor, True] for _, anchor in links]
    for how in by_mouse, by_key:
        arrived = [one for one in browse(page, '--size=900x400', *sum(how, [])) if one]
        if arrived != wanted:
            yield f'{how[0][0]} and so on lead to {arrived}, not {wanted}'


def letters_can_be_read(eprof, compared, _, folder):
    sides = make_sides(compared, folder)
    page = write_page(folder, diff(eprof, 'html', sides['before'], sides['after']))
    for scheme in ('light', 'dark'):
        contrasts, = browse(page, f'--scheme={scheme}', '--evaluate=' + CONTRASTS)
        if len(contrasts) < LEAST_LABELS:
            yield f'{scheme}: there are only {contrasts}'
        for text, contrast in contrasts:
            if contrast < LEAST_CONTRAST:
                yield f'{scheme}: the contrast of {text} is {contrast}'


def page_fits_into_any_window(eprof, compared, _, folder):
    sides = make_sides(compared, folder)
    page = write_page(folder, diff(eprof, 'html', sides['before'], sides['after']))
    for size in ('1400x900', '1000x700', '420x700'):
        wide, = browse(page, f'--size={size}', '--evaluate=' + WIDE)
        if wide:
            yield f'{size}: {wide}'


def page_of_hostile_names_is_text_and_style(eprof, _, profile, folder):
    images = make_profiles(profile, folder)
    for before, after in (('plain', 'hostile'), ('hostile', 'plain')):
        files = [images[before]], [images[after]]
        page = write_page(folder, diff(eprof, 'html', *files))
        answers = browse_lines(page, '--evaluate=' + OPEN, '--evaluate=' + ROWS,
                               '--evaluate=' + STRANGE, '--messages')
        if answers[1:] != [str(len(read_rows(diff(eprof, 'csv', *files)))), '[]']:
            yield f'{before}, {after}: {answers}'


def main():
    case, eprof, compared, profile = sys.argv[1:]
    if missing_program():
        print(f'there is no {missing_program()} (tests/packages.txt)')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        differences = list(globals()[case](eprof, compared, profile, folder))
    for difference in differences[:20]:
        print(difference)
    return 1 if differences else 0


sys.exit(main())
