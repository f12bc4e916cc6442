"""told.py - what a report tells, in one form for all formats

Numbers are told of a kind (instance or scope), a thread and a stack of names: rows of which all
three are the same are added up, since not every format can tell them apart. Names are as csv shows
them, with a byte that is not UTF-8 as \\xNN.
"""
import csv
import io
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from typing import Optional


@dataclass
class Told:
    numbers: Counter = field(default_factory=Counter)  # by (kind, thread, stack, figure)
    places: Optional[set] = None                       # (name, file, line) of scopes
    command: Optional[str] = None

    def add(self, kind, thread, stack, **figures):
        for figure, number in figures.items():
            self.numbers[kind, thread, tuple(stack), figure] += number


def report(eprof, image, form):
    return subprocess.run([eprof, 'report', image, '--format', form], check=True,
                          stdout=subprocess.PIPE).stdout


def read_csv(text):
    """The rows of csv but for diagnostics. It has to be UTF-8, and as RFC 4180 has it."""
    rows = csv.DictReader(io.StringIO(text.decode(), newline=''), strict=True)
    return [row for row in rows if row['kind'] != 'diagnostic']


def kind_of(row):
    """Functions go where scopes go."""
    return 'instance' if row['kind'] == 'instance' else 'scope'


def names_of(path):
    """A path of csv: ';' between the names, in which ';' and '\\' have a backslash before them."""
    return tuple(re.sub(r'\\([;\\])', r'\1', name)
                 for name in re.findall(r'((?:[^;\\]|\\.)*)(?:;|$)', path + ';', flags=re.S)[:-1])


def shown(name):
    """A name, bytes, as csv shows it."""
    return name.decode(errors='backslashreplace')


def read_hex(text):
    """What folded and callgrind write: \\xNN is that byte, and an empty name is \\x00."""
    value = re.sub(rb'\\x(..)', lambda found: bytes.fromhex(found[1].decode()), text.encode())
    return shown(value.replace(b'\0', b''))


def is_unseen(char):
    """What stands as \\xNN where people read names: it is not seen, or changes what is."""
    point = ord(char)
    return (point < 0x20 or 0x7F <= point <= 0x9F or point == 0x061C or 0x200B <= point <= 0x200F or
            0x2028 <= point <= 0x202E or 0x2060 <= point <= 0x206F or point == 0xFEFF or
            0xE0000 <= point <= 0xE0FFF)


def seen(name):
    """A name as csv shows it, as people are to see it."""
    return ''.join(''.join(f'\\x{byte:02x}' for byte in char.encode()) if is_unseen(char) else char
                   for char in name)
