"""read_pprof.py - decodes a profile of pprof by the rules of protocol buffers"""
import gzip

from reader import Format
from told import Told, kind_of, seen


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, value) of each field of a message: a number, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def message(data):
    """The fields of a message, each a list."""
    lists = {}
    for number, value in fields(data):
        lists.setdefault(number, []).append(value)
    return lists


def numbers(values):
    """The values of a repeated field, packed or not."""
    for value in values:
        at = 0
        while isinstance(value, bytes) and at < len(value):
            number, at = varint(value, at)
            yield number
        if isinstance(value, int):
            yield value


def one(lists, number):
    return lists.get(number, [0])[0]


class Pprof(Format):
    """Fields by their numbers in a Profile: 1 value types, 2 samples, 4 locations, 5 functions,
    6 strings."""
    figures = ('calls', 'time_ns')
    is_of_library = False
    shows = staticmethod(seen)

    def figure(self, row, figure):
        """The time of an instance is its total, that of a scope its self time: the stacks give the
        sums."""
        if figure == 'time_ns':
            return int(row['total_ns' if kind_of(row) == 'instance' else 'self_ns'])
        return super().figure(row, figure)

    def read(self, text):
        profile = message(gzip.decompress(text))
        self.strings = [string.decode() for string in profile[6]]
        functions = {one(function, 1): function for function in map(message, profile[5])}
        locations = {one(location, 1): functions[one(message(location[4][0]), 1)]
                     for location in map(message, profile[4])}
        types = [tuple(self.strings[one(kind, i)] for i in (1, 2))
                 for kind in map(message, profile[1])]
        told = Told(places=set())
        for sample in map(message, profile[2]):
            self.add(told, types, [locations[number] for number in numbers(sample[1])], sample)
        return told

    def add(self, told, types, frames, sample):
        values = dict(zip(types, numbers(sample[2])))
        labels = {self.strings[one(label, 1)]: self.strings[one(label, 2)]
                  for label in map(message, sample.get(3, []))}
        # a label that is an empty string does not count
        thread = labels.get('thread', '') if self.is_by_threads else '*'
        if values['values', 'count']:
            return  # check_pprof.py reads them
        names = [self.strings[one(frame, 2)] for frame in reversed(frames)]
        before = 'instance_' if values['instance_calls', 'count'] else ''
        calls = values[before + 'calls', 'count']
        told.add('instance' if before else 'scope', thread, names, calls=calls,
                 time_ns=values[before + 'time', 'nanoseconds'])
        if not before:
            told.places.add((names[-1], self.strings[one(frames[0], 4)], one(frames[0], 5)))
