"""read_stacks.py - reads formats that contain only scopes, as stacks or as callers and callees"""
import json
import re

from reader import Format, place_behind, run
from told import Told, read_hex


class Folded(Format):
    kinds = ('scope',)
    figures = ('self_ns',)

    def read(self, text):
        told = Told()
        for line in text.decode().split('\n')[:-1]:
            stack, number = line.rsplit(' ', 1)
            frames = [read_hex(frame) for frame in stack.split(';')]
            thread = frames.pop(0) if self.is_by_threads else '*'
            told.add('scope', thread, frames, self_ns=int(number))
        return told


class Speedscope(Format):
    """The time between two events belongs to the stack that is open."""
    kinds = ('scope',)
    figures = ('calls', 'self_ns')

    def place(self, name, file, line):
        """A line without a file is not a place."""
        return name, file, int(line) if file else 0

    def wanted(self, rows):
        told = super().wanted(rows)
        told.places = {self.place(*place) for place in told.places}
        return told

    def read(self, text):
        content = json.loads(text)
        told = Told(places=set(), command=content.get('name'))
        frames = content['shared']['frames']
        for profile in content['profiles']:
            thread, _, what = ('*: ' * (not self.is_by_threads) + profile['name']).rpartition(': ')
            figure = {('time', 'nanoseconds'): 'self_ns', ('calls', 'none'): 'calls'}[
                what, profile['unit']]
            stack, at = [], profile['startValue']
            for event in profile['events']:
                told.add('scope', thread, [frame['name'] for frame in stack],
                         **{figure: event['at'] - at})
                at = event['at']
                frame = frames[event['frame']]
                if event['type'] == 'O':
                    stack.append(frame)
                elif stack.pop() is not frame:
                    raise ValueError(f'{frame} is closed and was not the last one')
        told.places = {self.place(frame['name'], frame.get('file', ''), frame.get('line', 0))
                       for frame in frames}
        return told


class Callgrind(Format):
    """A function is identified by file and name, on any path; callgrind_annotate reads them."""
    program = 'callgrind_annotate'
    kinds = ('scope',)
    figures = ('calls', 'total_ns', 'self_ns')

    def stack(self, row, rows):
        thread = f"'{row['thread']}" if self.is_by_threads else ''
        return (f'{row["file"] or "???"}:{row["name"]}{place_behind(row, rows)}{thread}',)

    def wanted(self, rows):
        """The thread is a part of the name."""
        told = Told()
        for (kind, _, stack, figure), number in super().wanted(rows).numbers.items():
            told.numbers[kind, '*', stack, figure] += number
        return told

    def figure(self, row, figure):
        """Calls are those that have begun."""
        if figure == 'calls':
            return int(row['calls']) + int(row['open'])
        return super().figure(row, figure)

    def annotate(self, text, *options):
        """The lines of its list, which comes after the last of its rules."""
        out = run('callgrind_annotate', '--threshold=100', '--auto=no', *options, 'report',
                  text=text)
        return out.split('file:function\n')[1].split('\n')[1:]

    def functions(self, lines, before_name):
        """Each function with the figure before it, except for threads, which are not functions."""
        for line in lines:
            found = re.fullmatch(r' *([0-9,]+) \( ?[0-9.]+%\) ' + before_name + '(.*)', line)
            if found and not found[2].startswith('(thread):'):
                yield read_hex(found[2]), int(found[1].replace(',', ''))

    def read(self, text):
        command = re.search(r'^cmd: (.*)$', text.decode(), flags=re.M)
        told = Told(command=command and read_hex(command[1]))
        for name, number in self.functions(self.annotate(text), ' '):
            told.add('scope', '*', (name,), self_ns=number)
        calls = 0
        for line in self.annotate(text, '--inclusive=yes', '--tree=caller'):
            by_caller = re.search(r' < .* \(([0-9,]+)x\) \[\]$', line)
            calls += int(by_caller[1].replace(',', '')) if by_caller else 0
            for name, number in self.functions([line], r' \*  '):
                told.add('scope', '*', (name,), total_ns=number, calls=calls)
            calls = calls if by_caller else 0
        return told
