"""told.py - the content of a report, in one form for all formats

Numbers belong to a kind (instance or scope), a thread and a stack of names: rows with the same
three are added up, since not each format can distinguish them. Names are in the form of csv, in
which a byte that is not UTF-8 is \\xNN.
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
    numbers: Counter = field(default_factory=Counter)  # for each (kind, thread, stack, figure)
    places: Optional[set] = None                       # (name, file, line) of scopes
    command: Optional[str] = None

    def add(self, kind, thread, stack, **figures):
        for figure, number in figures.items():
            self.numbers[kind, thread, tuple(stack), figure] += number


def report(eprof, image, form):
    return subprocess.run([eprof, 'report', image, '--format', form], check=True,
                          stdout=subprocess.PIPE).stdout


def read_csv(text):
    """The rows of csv, without diagnostics. It must be UTF-8 and conform to RFC 4180."""
    rows = csv.DictReader(io.StringIO(text.decode(), newline=''), strict=True)
    return [row for row in rows if row['kind'] != 'diagnostic']


def kind_of(row):
    """Functions are handled like scopes."""
    return 'instance' if row['kind'] == 'instance' else 'scope'


def names_of(path):
    """A path of csv: ';' between the names, in which ';' and '\\' have a backslash before them."""
    return tuple(re.sub(r'\\([;\\])', r'\1', name)
                 for name in re.findall(r'((?:[^;\\]|\\.)*)(?:;|$)', path + ';', flags=re.S)[:-1])


def shown(name):
    """A name, given as bytes, in the form of csv."""
    return name.decode(errors='backslashreplace')


def read_hex(text):
    """The form of folded and callgrind: \\xNN is that byte, and an empty name is \\x00."""
    value = re.sub(rb'\\x(..)', lambda found: bytes.fromhex(found[1].decode()), text.encode())
    return shown(value.replace(b'\0', b''))


def is_unseen(char):
    """Whether the character is shown as \\xNN to people: it is invisible, or changes the visible
    text."""
    point = ord(char)
    return (point < 0x20 or 0x7F <= point <= 0x9F or point == 0x061C or 0x200B <= point <= 0x200F or
            0x2028 <= point <= 0x202E or 0x2060 <= point <= 0x206F or point == 0xFEFF or
            0xE0000 <= point <= 0xE0FFF)


def seen(name):
    """A name in the form of csv, in the form that people see."""
    return ''.join(''.join(f'\\x{byte:02x}' for byte in char.encode()) if is_unseen(char) else char
                   for char in name)
