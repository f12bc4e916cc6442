#!/usr/bin/env python3
"""check_serve_clients.py CASE EPROF BUSY - real clients of `eprof serve`: Prometheus and `go tool
pprof`

BUSY is a service that handles a known number of requests a second. 77: the client is not installed.
"""
import gzip
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from served import PATIENCE_S, Program, Server, equal, fail, folder, matches, wait_until

CASE, EPROF, BUSY = sys.argv[1:]
PER_SECOND = 100
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
PATH = '{path="request",kind="scope"'


def needs(program):
    if not shutil.which(program):
        print(program, 'is not installed (tests/packages.txt)')
        sys.exit(77)


def busy():
    return Program(BUSY, str(PER_SECOND), items=',budget=off')


# ---- Prometheus ----

class Prometheus:
    def __init__(self, port):
        needs('prometheus')
        pathlib.Path('prometheus.yml').write_text(
            'global: {scrape_interval: 500ms, scrape_timeout: 500ms}\n'
            'scrape_configs: [{job_name: eprof, static_configs: '
            f'[{{targets: ["127.0.0.1:{port}"]}}]}}]\n')
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ['prometheus', '--config.file=prometheus.yml', '--storage.tsdb.path=data',
             f'--web.listen-address=127.0.0.1:{self.port}', '--log.level=error'])

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.terminate()
        self.process.wait(PATIENCE_S)

    def query(self, query, at=None):
        """The results, as {labels: value}; {} while it does not listen yet."""
        parameters = {'query': query} | ({'time': at} if at else {})
        url = f'http://127.0.0.1:{self.port}/api/v1/query?{urllib.parse.urlencode(parameters)}'
        try:
            with DIRECT.open(url, timeout=10) as answer:
                result = json.load(answer)['data']['result']
        except OSError:
            return {}
        return {frozenset(series['metric'].items()): float(series['value'][1])
                for series in result}

    def value(self, query, at=None):
        found = self.query(query, at)
        return next(iter(found.values())) if found else None


def check_prometheus(seconds):
    """A program is killed and started again. Its rates and histograms are those of the tables. The
    answers are compressed, as for Prometheus on another machine."""
    with busy() as first, Server(EPROF, 'images', listen='0.0.0.0:0') as server, \
            Prometheus(server.port) as prometheus:
        count = f'eprof_scope_seconds_count{PATH}}}'
        wait_until(lambda: prometheus.value(count), 'the first scrape')
        time.sleep(seconds / 2)
        first.kill()
        last = int(server.rows(first.pid)['scope', 'request']['timed'])
        wait_until(lambda: prometheus.value(count) == last, 'the last call of the killed one')
        with busy() as second:
            of_second = f'{count[:-1]},process_id="{second.pid}"}}'
            wait_until(lambda: prometheus.value(of_second), 'the second one')
            check_rates(prometheus, server, second, seconds / 2)
            second.kill()
        check_sums(prometheus, server, (first.pid, second.pid))
    print(f'{last} calls of the first process')


def check_rates(prometheus, server, running, seconds):
    """The rate of all processes is that of the table of the one that runs: the start of one is not
    taken for a restart of the other, which would count all its calls again. A busy machine makes the
    rate uneven, and scrapes late."""
    def look():
        return int(server.rows(running.pid)['scope', 'request']['timed']), time.monotonic()
    first_calls, first_s = look()
    time.sleep(seconds)
    calls, now_s = look()
    expected = (calls - first_calls) / (now_s - first_s)
    window = max(2, int(seconds))
    rate = prometheus.value(f'sum(rate(eprof_scope_seconds_count{PATH}}}[{window}s]) '
                            'and on (process_id) eprof_running == 1)')
    print(f'rate {rate}, of the table {expected}')
    if not rate or not 0.6 * expected < rate < 1.6 * expected:
        fail('the rate is wrong')
    resets = prometheus.query('resets({__name__=~"eprof_.*(_total|_sum|_count|_bucket)"}[1h]) > 0')
    equal(resets, {}, 'counters that have fallen')


def check_sums(prometheus, server, pids):
    rows = [server.rows(pid)[key] for pid in pids
            for key in (('scope', 'request'), ('scope', 'request;parse'), ('instance', 'connection'))]
    for row in rows:
        kind = row['kind']
        label = 'name' if kind == 'instance' else 'path'
        of = f'{{{label}="{row["path"] if kind == "scope" else row["name"]}"'
        all_calls = sum(int(other['timed']) for other in rows if other['path'] == row['path'])
        query = f'sum(eprof_{kind}_seconds_count{of}}})'
        wait_until(lambda: prometheus.value(query) == all_calls, f'{all_calls} calls: {query}')
        all_ns = sum(int(other['total_ns']) for other in rows if other['path'] == row['path'])
        seconds = prometheus.value(f'sum(eprof_{kind}_seconds_sum{of}}})')
        # the figures that Prometheus has scraped never fall by what is known better later
        if abs(seconds * 1e9 - all_ns) > all_ns / 1e4:
            fail(f'{row["path"]}: {seconds} s, not {all_ns} ns')
        check_quantiles(prometheus, kind, of, row['path'], rows)


LADDER_NS = [step * 10**power for power in range(2, 10) for step in (1, 2.5, 5)] + [10**10]


def check_quantiles(prometheus, kind, of, path, rows):
    """The quantile of the sum is within the bounds around those of the two tables."""
    for quantile, field in ((0.5, 'p50_ns'), (0.9, 'p90_ns')):
        found_ns = 1e9 * prometheus.value(
            f'histogram_quantile({quantile}, sum by (le) (eprof_{kind}_seconds_bucket{of}}}))')
        tables = [int(row[field]) for row in rows if row['path'] == path and row['kind'] == kind]
        low = max([bound for bound in LADDER_NS if bound < min(tables)], default=0)
        high = min(bound for bound in LADDER_NS if bound >= max(tables))
        if not low <= found_ns <= high * 1.000001:
            fail(f'{kind} {path} {field}: {found_ns}, tables {tables}, bounds {low} to {high}')


def prometheus_scrapes_a_program_that_is_killed_and_started_again():
    check_prometheus(5)


def prometheus_scrapes_for_a_minute():
    check_prometheus(60)


def promtool_has_no_complaint():
    needs('promtool')
    with busy() as program, Server(EPROF, 'images') as server:
        program.kill()
        for path in ('/metrics', f'/p/{program.pid}/report.openmetrics'):
            done = subprocess.run(['promtool', 'check', 'metrics'], input=server.get(path).body,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            equal((done.returncode, done.stdout), (0, b''), path)


# ---- pprof ----

def pprof(*words):
    needs('go')
    environment = os.environ | {'PPROF_TMPDIR': os.getcwd()}
    done = subprocess.run(['go', 'tool', 'pprof', *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=environment)
    if done.returncode != 0:
        fail(words, done.stderr)
    return done.stdout


def calls_of(text):
    """The calls of each function of `-raw`, by its name."""
    samples, _, rest = text.partition('\nLocations\n')
    names = dict(re.findall(r'^ +(\d+): 0x0 M=\d+ (\S+)', rest, re.M))
    calls = {}
    for values, locations in re.findall(r'^ +((?:\d+ +)+\d+): (\d+)', samples, re.M):
        name = names[locations]
        counts = [int(value) for value in values.split()]
        calls[name] = calls.get(name, 0) + counts[0] + counts[2]
    return calls


def check_pprof(seconds):
    """The calls are those between the moments before and after each of its two."""
    with busy() as program, busy() as other, Server(EPROF, 'images') as server:
        def calls():
            return int(server.rows(program.pid)['scope', 'request']['calls'])
        base = f'{server.url}p/{program.pid}'
        before, began = calls(), time.monotonic()
        text = pprof('-raw', '-seconds', str(seconds), f'{base}/debug/pprof/profile')
        took_s = time.monotonic() - began
        after = calls()
        found = calls_of(text)
        print(text.splitlines()[3], found, f'{took_s:.2f} s')
        if not seconds * PER_SECOND / 4 < found['request'] <= after - before:
            fail(found, 'of', after - before, 'calls in', took_s, 's')
        for name in ('parse', 'answer', 'connection'):
            if abs(found[name] - found['request']) > 1:
                fail(name, found)
        matches(text, fr'^Duration: ({seconds}|1m0)\.')
        # of all processes
        text = pprof('-raw', f'{server.url}debug/pprof/profile?seconds=1')
        for pid in (program.pid, other.pid):
            matches(text, fr'process:\[{pid}\.eprof\]')
        matches(pprof('-top', f'{base}/report.pprof'), '^ .* request$')


def pprof_fetches_two_seconds():
    check_pprof(2)


def pprof_fetches_a_minute():
    check_pprof(60)


def profile_of_a_program_that_starts_and_of_one_that_is_killed():
    with busy() as program, Server(EPROF, 'images') as server:
        process = subprocess.Popen(['curl', '-sf', '-o', 'profile.pb.gz',
                                    f'{server.url}debug/pprof/profile?seconds=2'])
        time.sleep(0.5)
        with busy() as new:
            new_pid = new.pid
            time.sleep(0.5)
            program.kill()
            equal(process.wait(), 0, 'curl')
        text = pprof('-raw', 'profile.pb.gz')
        for pid in (program.pid, new_pid):
            matches(text, fr'process:\[{pid}\.eprof\]')
        # an image that is removed between the two moments
        process = subprocess.Popen(['curl', '-s', '-w', '%{http_code}', '-o', 'none',
                                    f'{server.url}p/{program.pid}/debug/pprof/profile?seconds=1'],
                                   stdout=subprocess.PIPE)
        time.sleep(0.5)
        program.image.unlink()
        equal(process.communicate()[0], b'404', 'status')


def profile_leaves_out_what_was_not_readable_at_its_begin():
    """Else its calls before the profile would count."""
    with busy() as program, busy() as other, busy() as hidden, Server(EPROF, 'images') as server:
        for one in (program, hidden):
            wait_until(lambda: server.rows(one.pid).get(('scope', 'request')), 'the first call')
            one.image.rename(f'images/.{one.pid}')
        program.image.write_bytes(pathlib.Path(f'images/.{program.pid}').read_bytes()[:128])
        process = subprocess.Popen(['curl', '-sf', '-o', 'profile.pb.gz',
                                    f'{server.url}debug/pprof/profile?seconds=2'])
        time.sleep(1)
        for one in (program, hidden):
            pathlib.Path(f'images/.{one.pid}').rename(one.image)
        equal(process.wait(), 0, 'curl')
    profile = gzip.decompress(pathlib.Path('profile.pb.gz').read_bytes())
    for one, is_in in ((program, False), (hidden, False), (other, True)):
        equal(f'{one.pid}.eprof'.encode() in profile, is_in, one.image)
    equal(b'images that could not be read: 2' in profile, True, 'the comment')


# ---- a browser ----

def chromium_shows_the_list_and_a_report():
    """Nothing in the pages runs, is fetched or forbidden; nothing is wider than the window."""
    needs(os.environ.get('CHROMIUM', 'chromium'))
    needs('node')
    browser = pathlib.Path(__file__).parents[2] / 'formats' / 'browser.js'
    fits = ('`${document.title}, ${document.querySelectorAll("a, summary, text").length > 0}, '
            '${document.documentElement.scrollWidth <= innerWidth}`')
    with busy() as program, Server(EPROF, 'images') as server:
        for path, title in (('', 'Processes – eprof'),
                            (f'p/{program.pid}/', f'{BUSY} {PER_SECOND} – profile')):
            for width in (1280, 400):
                done = subprocess.run(
                    ['node', browser, server.url + path, f'--size={width}x900',
                     f'--evaluate={fits}', '--messages'],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                equal(done.stdout.strip(), f'{title}, true, true', f'{path} at {width}')
        links = re.findall('<a href="([^"]*)"', server.get('/').text)
        equal(len(links), 9, 'links')
        for link in links:
            equal(server.get(f'/{link}').status, 200, link)


# ---- systemd ----

def unit_of_the_documents():
    """The name of the file, and its text."""
    page = pathlib.Path(__file__).parents[3] / 'docs' / 'tutorials' / 'watch-a-service.md'
    found = re.search(r'^```ini\n(# (\S+\.service)\n.*?)^```$', page.read_text(), re.M | re.S)
    return found[2], found[1]


def systemd_takes_the_unit_of_the_documents():
    needs('systemd-analyze')
    name, unit = unit_of_the_documents()
    user = subprocess.run(['id', '-un'], stdout=subprocess.PIPE, text=True).stdout.strip()
    text = unit.replace('/usr/bin/eprof', EPROF).replace('User=service', f'User={user}')
    pathlib.Path(name).write_text(text)
    done = subprocess.run(['systemd-analyze', 'verify', f'./{name}'], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    # it also names faults of other units of the machine
    faults = [line for line in done.stdout.splitlines() if name in line]
    equal((done.returncode, faults), (0, []), 'faults')


def command_of_the_unit_serves():
    """As another user, who has only the profiles; boot/ starts the unit itself."""
    command = re.search(r'^ExecStart=(.*)$', unit_of_the_documents()[1], re.M)[1].split()
    equal(command[:2], ['/usr/bin/eprof', 'serve'], 'command')
    other = 65534 if os.geteuid() == 0 else None
    if other:
        os.chmod('.', 0o755)
        os.chown('images', other, other)
    with busy() as program:
        if other:
            os.chown(program.image, other, other)
        words = [word.replace('/var/lib/service', 'images') for word in command[2:]]
        with Server(EPROF, *words, user=other) as server:
            matches(server.get('/').text, f'{program.pid}')
            matches(server.get('/metrics').text, f'^eprof_running.*"{program.pid}".* 1$')


with folder():
    globals()[CASE]()
