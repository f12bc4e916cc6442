#!/usr/bin/env python3
"""check_openmetrics.py EPROF PROFILE - tests that Prometheus reads the same figures as csv has

PROFILE makes the profiles. promtool must report no problem in their reports. A real Prometheus
scrapes each report twice, as text and as OpenMetrics, since it has a parser for each. Its answers
must be all figures of csv, to the last ns, and no others. Its quantiles of a histogram, also of two
processes added up, must lie between the bounds around the percentiles of csv. 77: Prometheus is not
installed.
"""
import csv
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from collections import Counter, defaultdict
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PARSERS = {'text': 'text/plain; version=0.0.4; charset=utf-8',
           'openmetrics': 'application/openmetrics-text; version=1.0.0; charset=utf-8'}
OPTIONS = ['', ':threads', ':raw', ':ticks', ':ticks:threads', ':summary', ':ticks:summary:threads']
LADDER = [mantissa * 10**decade / 10 for decade in range(3, 11) for mantissa in (1, 2.5, 5)] + [1e10]
QUANTILES = {'0': 'min', '0.5': 'p50', '0.9': 'p90', '0.99': 'p99', '0.999': 'p999', '1': 'max'}
PATIENCE_S = 90  # on a busy machine; otherwise 10, as it looks for its targets every 5 s
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def report(eprof, images, form):
    images = images if isinstance(images, list) else [images]
    return subprocess.run([eprof, 'report', *images, '--format', form], check=True,
                          stdout=subprocess.PIPE).stdout


# ---- content of csv and json ----

def series_of(rows, options, unit):
    """For joined rows: {(metric, labels): value}; a label without a value does not exist."""
    first = rows[0]
    what = 'instance' if first['kind'] == 'instance' else 'scope'
    labels = {'name': first['name']}
    if what == 'scope':
        labels |= {'kind': first['kind'], 'path': first['path']}
    if ':threads' in options:
        labels['thread'] = first['thread']
    labels = {label: value for label, value in labels.items() if value}
    figures = {'calls_total': 'calls', 'errors_total': 'errors', 'open': 'open',
               f'{unit}_sum': 'total', f'{unit}_count': 'timed'}
    if what == 'scope':
        figures[f'self_{unit}_total'] = 'self'
    for part in ('cpu', 'wait'):  # of series whose rows all have it
        if all(row[part] is not None for row in rows):
            figures[f'{part}_{unit}_total'] = part
    found = {(f'eprof_{what}_{metric}', frozenset(labels.items())): sum(row[field] for row in rows)
             for metric, field in figures.items()}
    if ':summary' not in options:
        ladder = {'calls': sum(row['timed'] for row in rows)}
        if len(rows) == 1 and first['timed'] > 0:
            ladder |= {quantile: first[field] for quantile, field in QUANTILES.items()}
        found[f'eprof_{what}_{unit}_bucket', frozenset(labels.items())] = ladder
    elif len(rows) == 1 and first['timed'] > 0:
        for quantile, field in QUANTILES.items():
            key = frozenset((labels | {'quantile': quantile}).items())
            found[f'eprof_{what}_{unit}', key] = first[field]
    return found


def wanted(eprof, image, options):
    """A metric that ends with _bucket has its number of calls, and percentiles if they are known."""
    of_csv = options.replace(':summary', '')
    text = report(eprof, image, 'csv' + of_csv).decode()
    unit = 'ticks' if ':ticks' in options else 'seconds'
    found, groups = {}, defaultdict(list)
    for row in csv.DictReader(io.StringIO(text, newline=''), strict=True):
        row = {re.sub('_(ns|ticks)$', '', key): value for key, value in row.items()}
        row |= {key: int(row[key]) if row[key] else None for key in list(row)[5:]
                if key not in ('unit', 'imbalance')}
        if row['kind'] == 'diagnostic':
            found['eprof_diagnostics_total', frozenset({('kind', row['name'])})] = row['calls']
        else:
            path = row['path'] if row['kind'] != 'instance' else row['name']
            groups[row['kind'], path, row['thread']].append(row)
    for rows in groups.values():
        found |= series_of(rows, options, unit)
    head = json.loads(report(eprof, image, 'json' + of_csv))
    labels = {'source': head['source'], 'raw': str(head['raw']).lower(),
              'command': head['command'], 'process_id': str(head['process_id'])}
    found['eprof_info', frozenset(labels.items())] = 1
    return found


# ---- Prometheus ----

def serve(folder):
    """/PARSER/FILE, with the type that makes Prometheus use that parser."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            parser, name = self.path.strip('/').split('/')
            self.send_response(200)
            self.send_header('Content-Type', PARSERS[parser])
            self.end_headers()
            self.wfile.write((folder / name).read_bytes())

        def log_message(self, *words):
            pass

    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


class Prometheus:
    def __init__(self, folder, port, names):
        jobs = ''.join(f'- job_name: {parser}/{name}\n  metrics_path: /{parser}/{name}\n'
                       f'  static_configs: [{{targets: ["127.0.0.1:{port}"]}}]\n'
                       for parser in PARSERS for name in names)
        (folder / 'prometheus.yml').write_text(
            f'global: {{scrape_interval: 2s, scrape_timeout: 2s}}\nscrape_configs:\n{jobs}')
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]
        self.log = open(folder / 'prometheus.log', 'w+')
        self.process = subprocess.Popen(
            ['prometheus', f'--config.file={folder}/prometheus.yml',
             f'--storage.tsdb.path={folder}/data', '--log.level=warn',
             f'--web.listen-address=127.0.0.1:{self.port}'],
            stdout=self.log, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def ask(self, what, **parameters):
        url = f'http://127.0.0.1:{self.port}/api/v1/{what}?{urllib.parse.urlencode(parameters)}'
        with DIRECT.open(url, timeout=10) as answer:
            return json.load(answer)['data']

    def targets(self):
        try:
            return self.ask('targets')['activeTargets']
        except OSError:  # it does not listen yet
            return []

    def wait(self, count):
        """Waits until all targets have been scraped; a report that cannot be read is an error."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.process.poll() is None:
            targets = self.targets()
            broken = [f"{target['scrapePool']}: {target['lastError']}" for target in targets
                      if target['health'] == 'down' and 'deadline' not in target['lastError']]
            if broken:
                sys.exit('Prometheus: ' + '\n'.join(broken))
            if len(targets) == count and all(target['health'] == 'up' for target in targets):
                return
            time.sleep(0.1)
        self.log.seek(0)
        sys.exit(f'Prometheus did not scrape all of {count} reports:\n{self.log.read()}')

    def figures(self, job):
        found = {}
        # a later scrape may have been too late, so that its target has no figures then
        query = f'last_over_time({{job="{job}"}}[10m])'
        for series in self.ask('query', query=query)['result']:
            labels = series['metric']
            metric = labels.pop('__name__')
            del labels['job'], labels['instance']
            is_duration = '_seconds' in metric and not metric.endswith(('_count', '_bucket'))
            value = Decimal(series['value'][1]) * (10**9 if is_duration else 1)
            if not metric.endswith('_bucket'):
                found[metric, frozenset(labels.items())] = value
                continue
            bound = float(labels.pop('le')) * (1e9 if '_seconds' in metric else 1)
            found.setdefault((metric, frozenset(labels.items())), {})[bound] = int(value)
        return found

    def quantiles(self, quantile, metric, jobs, added_up):
        """By labels, in ns or ticks; those of several jobs are of the sum."""
        query = f'last_over_time({metric}_bucket{{job=~"{jobs}"}}[10m])'
        if added_up:
            query = f'sum without (job) ({query})'
        answer = self.ask('query', query=f'histogram_quantile({quantile}, {query})')['result']
        unit = 1e9 if 'seconds' in metric else 1
        return {frozenset((label, value) for label, value in series['metric'].items()
                          if label not in ('job', 'instance')): float(series['value'][1]) * unit
                for series in answer}

    def kinds(self, job):
        target = '{job="%s"}' % job
        return {kind['metric']: (kind['type'], kind['unit'])
                for kind in self.ask('targets/metadata', match_target=target)}


# ---- both formats ----

IS_OF_THE_HEAD = re.compile('eprof_(source|probe|start_time)_|scrape_|up$')


def bounds_around(time):
    """The highest bound below a time, and the lowest that is not."""
    return (max((bound for bound in LADDER if bound < time), default=0),
            min((bound for bound in LADDER if bound >= time), default=float('inf')))


def problem_of(ladder, expected):
    """Says what differs between the calls below each bound and what csv says; '': nothing."""
    bounds, calls = sorted(ladder), [ladder[bound] for bound in sorted(ladder)]
    if len(bounds) != len(LADDER) + 1 or any(
            abs(bound - to_be) > to_be / 1e6 for bound, to_be in zip(bounds, LADDER)):
        return f'its bounds are {bounds}'
    if calls != sorted(calls) or calls[-1] != expected['calls']:
        return f'{calls} are not {expected["calls"]} calls'
    for quantile in ('0.5', '0.9', '0.99', '0.999'):
        rank = Decimal(quantile) * expected['calls']
        at = next(i for i, count in enumerate(calls) if count >= rank)
        bound = ([*LADDER, float('inf')])[at]
        if quantile in expected and bounds_around(expected[quantile])[1] != bound:
            return f'quantile {quantile}: csv {expected[quantile]}, up to {bounds[at]} are {calls}'
    return ''


def check_ladders(job, found, expected):
    """Takes the ladders out of both."""
    keys = [key for key in expected if key[0].endswith('_bucket')]
    for key in keys:
        problem = problem_of(found.pop(key, {}), expected.pop(key))
        if problem:
            sys.exit(f'{job}: {key[0]}{sorted(key[1])}: {problem}')
    return len(keys)


def check_quantiles(prometheus, jobs, expected, added_up=False):
    """Prometheus and csv say the same, as far as the bounds of the ladder do. Where several processes
    are added up, `eprof report` has put their times into buckets of 1/8 anew."""
    blur, checked = (1.125 if added_up else 1.000001), 0
    for metric in {metric for metric, _ in expected if metric.endswith('_bucket')}:
        for quantile in ('0.5', '0.9', '0.99'):
            found = prometheus.quantiles(quantile, metric[:-len('_bucket')], jobs, added_up)
            for (of, labels), ladder in expected.items():
                # a rank that is a whole number may be rounded up or down
                if (of != metric or quantile not in ladder or
                        Decimal(quantile) * ladder['calls'] % 1 == 0):
                    continue
                low, high = bounds_around(ladder[quantile])
                high = min(high, LADDER[-1])
                if not min(low, LADDER[-1]) / blur <= found[labels] <= high * blur:
                    sys.exit(f'{jobs}: quantile {quantile} of {metric}{sorted(labels)}: csv '
                             f'{ladder[quantile]}, Prometheus {found[labels]}')
                checked += 1
    if checked == 0:
        sys.exit(f'{jobs}: there was no quantile to compare')
    print(f'{jobs}: {checked} quantiles')


def compare(job, prometheus, expected):
    expected = dict(expected)
    found = {key: value for key, value in prometheus.figures(job).items()
             if not IS_OF_THE_HEAD.match(key[0])}
    ladders = check_ladders(job, found, expected)
    differences = [f'{key[0]}{sorted(key[1])}'[:300] +
                   f': csv {expected.get(key)}, Prometheus {found.get(key)}'
                   for key in expected.keys() | found.keys()
                   if expected.get(key) != found.get(key)]
    if differences:
        sys.exit(f'{job}: {len(differences)} differences\n' + '\n'.join(sorted(differences)[:20]))
    print(f'{job}: {len(found)} figures, {ladders} histograms')


def compare_kinds(job, prometheus):
    """The units show which parser was used: for the text format they are comments."""
    unit = 'ticks' if ':ticks' in job else 'seconds'
    shown = unit if job.startswith('openmetrics/') else ''
    kinds = prometheus.kinds(job)
    kind = 'summary' if ':summary' in job else 'histogram'
    expected = {f'eprof_scope_{unit}': (kind, shown), f'eprof_instance_{unit}': (kind, shown),
                f'eprof_scope_self_{unit}_total': ('counter', ''),
                'eprof_scope_calls_total': ('counter', ''), 'eprof_scope_open': ('gauge', '')}
    for what in ('scope', 'instance'):
        for part in ('cpu', 'wait'):
            metric = f'eprof_{what}_{part}_{unit}_total'
            expected[metric] = ('counter', '') if '/cpu' in job else None
    for metric, kind in expected.items():
        if kinds.get(metric) != kind:
            sys.exit(f'{job}: {metric} is {kinds.get(metric)}, not {kind}')


def check_with_promtool(name, text):
    done = subprocess.run(['promtool', 'check', 'metrics'], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0 or done.stdout:
        sys.exit(f'promtool of {name}: status {done.returncode}\n{done.stdout.decode()}')


def check_that_each_stands_once(name, text):
    """Prometheus does not report a duplicate series, but uses one of the two."""
    samples = Counter(line.rsplit(b' ', 1)[0] for line in text.split(b'\n')
                      if line and not line.startswith(b'#'))
    for sample, times in samples.items():
        if times > 1:
            sys.exit(f'{name}: {sample.decode()} stands {times} times')


def main(eprof, profile):
    with tempfile.TemporaryDirectory() as name:
        folder, expected = Path(name), {}
        for kind in ('plain', 'hostile', 'cpu'):
            image = folder / kind
            words, items = ['hostile'] * (kind == 'hostile'), {'EPROF': 'cpu'} if kind == 'cpu' else {}
            subprocess.run([profile, image, *words], check=True, env=os.environ | items)
            for options in OPTIONS:
                text = report(eprof, image, 'openmetrics' + options)
                check_with_promtool(f'{image.name}{options}', text)
                check_that_each_stands_once(f'{image.name}{options}', text)
                (folder / f'{image.name}{options}.txt').write_bytes(text)
                expected[f'{image.name}{options}.txt'] = wanted(eprof, image, options)
        with Prometheus(folder, serve(folder), expected) as prometheus:
            prometheus.wait(len(PARSERS) * len(expected))
            for parser in PARSERS:
                for name, figures in expected.items():
                    compare(f'{parser}/{name}', prometheus, figures)
                    compare_kinds(f'{parser}/{name}', prometheus)
                    if ':summary' not in name:
                        check_quantiles(prometheus, f'{parser}/{name}', figures)
                check_quantiles(prometheus, f'{parser}/(plain|cpu).txt',
                                wanted(eprof, [folder / 'plain', folder / 'cpu'], ''), added_up=True)


if __name__ == '__main__':
    for program in ('prometheus', 'promtool'):
        if not shutil.which(program):
            print(f'{program} is not installed (tests/packages.txt)')
            sys.exit(77)
    main(*sys.argv[1:])
