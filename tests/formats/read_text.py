"""read_text.py - reads reports for people"""
import re
from html.parser import HTMLParser

from reader import Format, place_behind
from told import Told, kind_of, seen


class Table(Format):
    """With ticks, which are ns here, the figures have all digits. The indentation gives the depth
    of a row."""
    figures = ('calls', 'total_ns', 'self_ns')
    options = ':ticks'
    shows = staticmethod(seen)

    def stack(self, row, rows):
        return super().stack(row, rows) + (self.shows(place_behind(row, rows)),)

    def row(self, line, titles):
        """The text before the figures, and the figures by their titles; None: the line is not a
        row."""
        line = line.replace(' %', '%').replace(' x ', 'x').replace('<1 probe', '0')
        words = line.rsplit(maxsplit=len(titles) - 1)
        if len(words) < len(titles) or not words[1].isdigit():
            return None
        return words[0], dict(zip(titles[1:], words[1:]))

    @staticmethod
    def without_place(name):
        return re.fullmatch(r'(.*?)( \([^ ]*:\d+\))?', name).groups()

    def chain(self, name):
        """The names of the rows that share a line."""
        return [name]

    def read(self, text):
        told, titles, levels = Told(), [], []
        for line in text.decode().split('\n'):
            if re.match('ID name|scope  ', line):
                titles = re.split(r' {2,}', line.strip())
            row = self.row(line, titles) if titles else None
            if not row:
                continue
            name, place = self.without_place(row[0])
            if titles[0] == 'ID name':
                levels, above = [], [name.split(': ', 1)[1]]
            else:
                levels = levels[:(len(name) - len(name.lstrip(' '))) // 2]
                above = self.chain(name.lstrip(' '))
            levels.append(above)
            stack = [name for names in levels for name in names]
            figures = row[1]
            told.add('instance' if titles[0] == 'ID name' else 'scope', figures.get('thread', '*'),
                     stack + [place or ''], calls=int(figures['calls']),
                     total_ns=int(figures['total']),
                     self_ns=int(figures.get('self', figures['total'])))
        return told


class Tree(Table):
    """Branches take two columns for each level, and a chain of only children shares a line; the
    rest is read like the table."""
    kinds = ('scope',)
    is_whole = False

    def chain(self, name):
        return [self.without_place(part)[0] for part in name.split(' > ')]

    def read(self, text):
        told, thread = Told(), '*'
        for part in re.split('\n(?=scope  |top functions)', text.decode()):
            lines = [re.sub('^((?:[│ ] )*)[├└]─', lambda branch: ' ' * len(branch[0]), line)
                     for line in part.split('\n') if '… ' not in line]
            found = super().read('\n'.join(lines).encode()).numbers
            for (kind, _, stack, figure), number in found.items():
                told.numbers[kind, thread, stack, figure] += number
            heading = re.search('^(.*): [0-9]+ scopes on [0-9]+ call paths', part, flags=re.M)
            thread = heading[1] if heading and self.is_by_threads else thread
        return told


class Row:
    def __init__(self):
        self.name = ''
        self.values = []  # exact values, of the cells that have one
        self.cells = ['']
        self.all = ''     # all figures, as text


class Page(HTMLParser):
    """The rows of an html page: of the tree by their anchors (r and the number of the row in csv,
    or t and that in csv:threads), and of the instances; with their names on the page."""
    def __init__(self, text):
        super().__init__()
        self.scopes, self.instances, self.names, self.headings = {}, [], [], []
        self.row = self.name = self.anchor = None
        self.is_instances = self.is_in_all = self.is_all = self.is_heading = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        anchor = attributes.get('id') or ''
        if re.fullmatch('[rt][0-9]+', anchor):
            self.row = self.scopes[anchor] = Row()
        if tag == 'table':
            self.is_instances = attributes.get('class') == 'instances'
        elif tag == 'tr' and self.is_instances:
            self.row = Row()
            self.instances.append(self.row)
        elif tag in ('td', 'th') and self.row:
            self.row.cells.append('')
        elif tag == 'data' and self.row:
            self.row.values.append(int(attributes['value']))
        elif tag == 'bdi':
            self.name = ''
        if attributes.get('class') == 'all':
            self.is_in_all = True  # the name again, followed by
        elif self.is_in_all and tag == 'span':
            self.is_in_all, self.is_all = False, True
        else:
            self.is_all = False
        self.is_heading = tag == 'h1'

    def handle_endtag(self, tag):
        if tag == 'bdi':
            self.names.append(self.name)
            if self.row:
                self.row.name = self.name
            self.name = None
        elif tag == 'tr' or (self.row and self.row.all):
            self.row = None

    def handle_data(self, text):
        if self.is_heading:
            self.headings.append(text)
            self.is_heading = False
        if self.name is not None:
            self.name += text
        if self.row and self.is_all:
            self.row.all += text
        elif self.row:
            self.row.cells[-1] += text


class Html(Format):
    """The number of a scope gives its place. Folded rows are left out. A page contains the threads,
    with any options."""
    figures = ('calls', 'total_ns', 'self_ns', 'max_ns')
    is_whole = False
    is_always_by_threads = True
    shows = staticmethod(seen)

    def wanted(self, rows):
        told = Told()
        for number, row in enumerate(rows):
            where = str(number) if kind_of(row) == 'scope' else ''
            told.add(kind_of(row), '*', (where, self.shows(row['name'])),
                     **{figure: self.figure(row, figure) for figure in self.figures})
        return told

    def words(self, row):
        """The figures in the text must be those in the cells."""
        figures = {name: int(number) for name, number in
                   re.findall(r'(\w+) ([0-9]+) ns', row.all)}
        if row.values[:2] != [figures['total'], figures['self']]:
            raise ValueError(f'{row.values} and {row.all}')
        return dict(calls=int(re.match('([0-9]+) call', row.all)[1]), total_ns=figures['total'],
                    self_ns=figures['self'], max_ns=figures.get('max', 0))

    def read(self, text):
        told, page = Told(), Page(text.decode())
        kind = 't' if self.is_by_threads else 'r'  # of anchors
        for anchor, row in page.scopes.items():
            if anchor[0] == kind:
                told.add('scope', '*', (anchor[1:], row.name), **self.words(row))
        for row in page.instances[1:]:
            told.add('instance', '*', ('', row.name), calls=int(row.cells[4]),
                     total_ns=row.values[0], self_ns=row.values[0], max_ns=row.values[-1])
        return told
