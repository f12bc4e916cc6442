"""served.py - a server and its programs, for the tests of `eprof serve`"""
import contextlib
import csv
import http.client
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

PATIENCE_S = 60
os.environ.pop('EPROF', None)


def fail(*words):
    sys.exit(' '.join(str(word) for word in words))


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.001)
    fail('in vain waited for', what)


@contextlib.contextmanager
def folder():
    """An empty folder, in which the test works."""
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        pathlib.Path('images').mkdir()
        yield pathlib.Path(name)
        os.chdir('/')


class Program:
    """A program that records to images/PID.eprof; ended by SIGKILL if the test has not ended it."""

    def __init__(self, *words, items=''):
        environment = os.environ | {'EPROF': f'image=images/%p.eprof{items}'}
        self.process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        self.image = pathlib.Path(f'images/{self.pid}.eprof')

    def __enter__(self):
        wait_until(self.image.exists, self.image)
        return self

    def __exit__(self, *unused):
        self.kill()

    def kill(self):
        self.end(signal.SIGKILL)

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait()


def record(recorder, *words):
    """Runs the recorder to its end. Returns the process id."""
    program = Program(recorder, *words)
    program.process.wait()
    return program.pid


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {key.lower(): value for key, value in response.getheaders()}
        self.type = self.headers.get('content-type', '')
        self.body = response.read()

    @property
    def text(self):
        return self.body.decode()


class Server:
    def __init__(self, eprof, *words, listen='0', environment=None, user=None):
        self.process = subprocess.Popen([eprof, 'serve', *words, '--listen', listen],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment or os.environ, user=user)
        line = self.process.stdout.readline()
        if not line:
            fail('the server has not started:', self.process.stderr.read())
        self.url = line.strip()
        self.port = urllib.parse.urlsplit(self.url).port
        self.most_kib = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, *unused):
        self.process.terminate()
        _, said = self.process.communicate(timeout=PATIENCE_S)
        if kind is None and (self.process.returncode != 0 or said):
            fail('the server ends with', self.process.returncode, said)

    def get(self, path, method='GET', **headers):
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, headers=headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def rows(self, pid):
        """The rows of a report, by kind and path."""
        text = self.get(f'/p/{pid}/report.csv').text
        return {(row['kind'], row['path']): row for row in csv.DictReader(io.StringIO(text))}

    def peak_kib(self):
        """The most memory of the server alone so far."""
        status = pathlib.Path(f'/proc/{self.process.pid}/status').read_text()
        return int(re.search(r'VmHWM:\s+(\d+)', status)[1])

    def look_at_memory(self):
        """Measures the memory of the server and of the processes that it has started. Pages that
        they share count once (PSS)."""
        sum_kib = 0
        for pid in [self.process.pid, *descendants(self.process.pid)]:
            try:
                rollup = pathlib.Path(f'/proc/{pid}/smaps_rollup').read_text()
                sum_kib += int(re.search(r'^Pss:\s+(\d+)', rollup, re.M)[1])
            except (OSError, TypeError):  # it has ended
                pass
        self.most_kib = max(self.most_kib, sum_kib)


def descendants(pid):
    try:
        children = pathlib.Path(f'/proc/{pid}/task/{pid}/children').read_text().split()
    except OSError:
        return []
    return [found for child in children for found in [int(child), *descendants(int(child))]]


def equal(found, expected, what):
    if found != expected:
        fail(f'{what}: {found!r}, not {expected!r}')


def matches(text, pattern, what=''):
    if not re.search(pattern, text, re.M):
        fail(f'{what}: nothing like {pattern} in\n{text[:2000]}')


def samples(text):
    """The samples of an answer of /metrics, as {(name, labels): value}."""
    found = {}
    for line in text.splitlines():
        sample = re.fullmatch(r'(\w+)(?:\{(.*)\})? (\S+)', line)
        if line.startswith('#') or not sample:
            continue
        labels = re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', sample[2] or '')
        found[sample[1], frozenset(labels)] = float(sample[3])
    return found
