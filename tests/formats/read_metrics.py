"""read_metrics.py - reads OpenMetrics line by line"""
import re
from decimal import Decimal

from reader import COUNTS, Format
from told import Told, kind_of, names_of

LABEL = r'(\w+)="((?:[^"\\\n]|\\.)*)"'
SAMPLE = re.compile(r'eprof_(instance|scope)_(\w+){((?:' + LABEL + r',?)*)} (\S+)')
FIGURES = {'seconds_sum': 'total_ns', 'seconds_count': 'timed', 'self_seconds_total': 'self_ns',
           'calls_total': 'calls', 'errors_total': 'errors', 'open': 'open'}


class OpenMetrics(Format):
    figures = COUNTS + ('total_ns', 'self_ns')

    def figure(self, row, figure):
        """An instance is not inside another one: it has a total, and no self time."""
        return 0 if kind_of(row) == 'instance' and figure == 'self_ns' else int(row[figure])

    def value(self, text):
        return re.sub(r'\\(.)', lambda found: '\n' if found[1] == 'n' else found[1], text)

    def read(self, text):
        told = Told()
        lines = text.decode().split('\n')
        if lines[-2:] != ['# EOF', '']:
            raise ValueError('it has no end')
        for line in lines[:-2]:
            command = re.match('eprof_info{.*command="((?:[^"\\\\]|\\\\.)*)"', line)
            if command:
                told.command = self.value(command[1])
            sample = SAMPLE.fullmatch(line)
            if not sample and not line.startswith(('#', 'eprof_')):
                raise ValueError(f'no line of this format: {line!r}')
            if not sample or sample[2] not in FIGURES:
                continue
            labels = {name: self.value(value) for name, value in re.findall(LABEL, sample[3])}
            if 'quantile' in labels:
                continue
            number = Decimal(sample[6]) * (10**9 if 'seconds' in sample[2] and
                                           not sample[2].endswith('count') else 1)
            stack = names_of(labels['path']) if 'path' in labels else (labels['name'],)
            told.add(sample[1], labels.get('thread', '*'), stack,
                     **{FIGURES[sample[2]]: int(number)})
        return told
