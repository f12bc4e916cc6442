#!/usr/bin/env python3
"""check_serve_load.py CASE EPROF RECORDER - tests that clients and images of all kinds take no more
than 64 MiB of `eprof serve`, and no answer from other clients

With a sanitizer (LOOSE_MEMORY is set) the memory is not compared.
"""
import gzip
import os
import pathlib
import random
import re
import select
import signal
import socket
import struct
import sys
import threading
import time

from served import Program, Server, equal, fail, folder, matches, record, wait_until

CASE, EPROF, RECORDER = sys.argv[1:]
MOST_KIB = 64 * 1024


class Watched(Server):
    """A server whose memory is measured all the time."""

    def __enter__(self):
        self.is_watched = True
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()
        return self

    def watch(self):
        while self.is_watched:
            self.look_at_memory()
            time.sleep(0.01)

    def __exit__(self, *error):
        self.is_watched = False
        self.watcher.join()
        peak_kib = self.peak_kib()
        super().__exit__(*error)
        print(f'the server: {peak_kib} KiB at most; with its renderer {self.most_kib} KiB')
        if 'LOOSE_MEMORY' not in os.environ and max(peak_kib, self.most_kib) > MOST_KIB:
            fail('more than', MOST_KIB)


def copies(count, source):
    """Makes images of other processes; only the used cells, so that the files are short."""
    image = pathlib.Path(source).read_bytes()
    used = struct.unpack_from('<I', image, 4 * 64)[0]
    changed = bytearray(image[:used * 64])
    for i in range(count):
        struct.pack_into('<QQ', changed, 24, 100000 + i, (1000 + i) * 10**9)
        pathlib.Path(f'images/copy-{i}').write_bytes(changed)


def connect(server, request=b''):
    client = socket.create_connection(('127.0.0.1', server.port))
    client.sendall(request)
    return client


def hundred_clients_lose_nothing():
    pids = [record(RECORDER, 'end') for _ in range(3)]
    paths = ['/', '/metrics', *(f'/p/{pid}/' for pid in pids),
             *(f'/p/{pid}/report.csv' for pid in pids)]
    failures, done = [], []
    with Program(RECORDER, 'wait'), Watched(EPROF, 'images') as server:
        lengths = {path: len(server.get(path).body) for path in paths}

        def work(number):
            for i in range(3):
                path = paths[(number + i) % len(paths)]
                answer = server.get(path)
                changes = path in ('/', '/metrics')  # the times of the one that runs
                if answer.status != 200 or not (changes or len(answer.body) == lengths[path]):
                    failures.append((path, answer.status, len(answer.body)))
                done.append(1)
        threads = [threading.Thread(target=work, args=(number,)) for number in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    equal((failures, len(done)), ([], 300), 'failures')


def clients_that_do_not_read_take_nothing():
    copies(20, f'images/{record(RECORDER, "kill")}.eprof')
    with Watched(EPROF, 'images') as server:
        request = b'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'
        never = [connect(server, request) for _ in range(50)]
        half = [connect(server, b'GET /metr') for _ in range(60)]
        silent = [connect(server) for _ in range(40)]
        equal(server.get('/metrics').status, 200, 'another client')
        # a slow one gets all of it
        slow = connect(server, b'GET /p/copy-0/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        received = b''
        for piece in iter(lambda: slow.recv(4096), b''):
            received += piece
            time.sleep(0.001)
        matches(received.decode(), r'</html>\n\Z', 'a slow client')
        for client in never + half + silent:
            client.close()
        equal(server.get('/').status, 200, 'after all')


def clients_that_go_away_free_their_place():
    """More than there are connections; also while their answers are made."""
    record(RECORDER, 'end')
    with Watched(EPROF, 'images') as server:
        for _ in range(6):
            gone = [connect(server, b'GET /debug/pprof/profile?seconds=3600 HTTP/1.1\r\n'
                                    b'Host: localhost\r\n\r\n') for _ in range(150)]
            for client in gone:
                client.close()
            equal(server.get('/').status, 200, 'after they have gone')


def a_client_that_only_stops_sending_gets_its_answer():
    record(RECORDER, 'end')
    with Watched(EPROF, 'images') as server:
        for _ in range(20):
            client = connect(server, b'GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n')
            first = client.recv(1)
            client.shutdown(socket.SHUT_WR)
            matches((first + client.makefile('rb').read()).decode(), 'no such page')


def many_images(count, patience_s):
    copies(count, f'images/{record(RECORDER, "kill")}.eprof')
    with Program(RECORDER, 'wait') as running, \
            Watched(EPROF, 'images', listen='0.0.0.0:0') as server:
        for path, accepted in (('/', ''), ('/metrics', ''), ('/metrics', 'gzip')):
            began = time.monotonic()
            answer = server.get(path, **{'Accept-Encoding': accepted})
            took_s = time.monotonic() - began
            equal(answer.status, 200, path)
            print(f'{path}: {len(answer.body)} bytes of {count} images in {took_s:.1f} s')
            if took_s > patience_s:
                fail('too long')
        text = answer.body
        if answer.headers.get('content-encoding'): # not without zlib
            text = gzip.decompress(text)
        equal(text.count(b'\neprof_running{'), count + 2, 'processes')
        equal(server.get(f'/p/{running.pid}/').status, 200, 'one')
        equal(server.get('/p/copy-0/report.tree').status, 200, 'by name')
        equal(server.get('/debug/pprof/profile?seconds=1').status, 200, 'profile')


def five_hundred_images_take_no_more():
    many_images(500, 60)


def ten_thousand_images_take_no_more():
    many_images(10000, 300)


def images_that_come_and_go_and_are_hostile():
    """Images are damaged at random, replaced and removed while they are read."""
    seed = int(os.environ.get('EPROF_SEED', 1))
    print(f'EPROF_SEED={seed}')
    source = random.Random(seed)
    good = pathlib.Path(f'images/{record(RECORDER, "kill")}.eprof').read_bytes()
    is_over = threading.Event()

    def damage():
        while not is_over.is_set():
            image = bytearray(good)
            for _ in range(source.randrange(20)):
                struct.pack_into('<I', image, source.randrange(20000) * 4,
                                 source.choice((0, 1, 0xFFFFFFFF, 0x7FFFFFFF, source.getrandbits(32))))
            path = pathlib.Path(f'images/hostile-{source.randrange(8)}')
            if source.random() < 0.2:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(image[:source.choice((len(image), source.randrange(len(image))))])
            time.sleep(0.001)

    with Watched(EPROF, 'images') as server:
        writer = threading.Thread(target=damage)
        writer.start()
        try:
            for i in range(60):
                path = ('/', '/metrics', f'/p/hostile-{i % 8}/', f'/p/hostile-{i % 8}/report.json')
                status = server.get(path[i % 4]).status
                if status not in ((200,) if i % 4 < 2 else (200, 404, 500, 503)):
                    fail(path[i % 4], status)
        finally:
            is_over.set()
            writer.join()


def survives_random_requests(count=2000):
    """Requests made of parts that have a meaning, cut and mixed at random."""
    record(RECORDER, 'end')
    seed = int(os.environ.get('EPROF_SEED', 1))
    print(f'EPROF_SEED={seed}')
    source = random.Random(seed)
    parts = [b'GET ', b'HEAD ', b'POST ', b'/', b'/p/', b'..', b'%2e', b'%', b'%00', b'metrics',
             b'report.', b'html', b'json:threads', b'debug/pprof/profile', b'?', b'seconds=', b'1',
             b'9' * 30, b'&', b'first=', b' HTTP/1.1', b' HTTP/1.0', b'\r\n', b'\r\n\r\n',
             b'Host: localhost', b'Connection: close', b'Content-Length: 3', b'Transfer-Encoding: chunked',
             b'Accept: application/openmetrics-text', b'\0', b'\xff\xfe', b':', b' ', b'a' * 300]
    with Watched(EPROF, 'images') as server:
        for _ in range(count):
            request = b''.join(source.choices(parts, k=source.randrange(1, 14)))
            if source.random() < 0.7:
                request = b'GET /' + request + b' HTTP/1.1\r\nHost: localhost\r\n\r\n'
            with connect(server, request.replace(b'seconds=1', b'seconds=0')):
                pass
        equal(server.get('/').status, 200, 'after all')


def requests_that_are_refused_leave_nothing():
    """MHD itself refuses them: there is no Host, or the header is too long."""
    record(RECORDER, 'end')
    with Watched(EPROF, 'images') as server:
        def refuse(count):
            for i in range(count):
                target = b'/' + b'a' * 3000
                with connect(server, b'GET ' + target + b' HTTP/1.1\r\n' +
                             (b'\r\n' if i % 2 else b'X: ' + b'y' * 16000 + b'\r\n\r\n')) as client:
                    try:
                        if not re.match(br'HTTP/1.1 4', client.recv(100)):
                            fail('no refusal')
                    except ConnectionError:  # it did not read all of the header
                        pass
            return server.peak_kib()
        early_kib = refuse(100)
        late_kib = refuse(1000)
        if 'LOOSE_MEMORY' not in os.environ and late_kib > early_kib + 1024:
            fail(f'{late_kib} KiB after {early_kib} KiB')


def at_most_twenty_profiles_are_taken_at_once():
    """They would take all connections for an hour."""
    record(RECORDER, 'end')
    with Server(EPROF, 'images') as server:
        clients = [connect(server, b'GET /debug/pprof/profile?seconds=3600 HTTP/1.1\r\n'
                                   b'Host: localhost\r\n\r\n') for _ in range(50)]
        refused = wait_until(lambda: (found := select.select(clients, [], [], 0)[0])
                             and len(found) >= 30 and found, '30 refusals')
        equal(server.get('/').status, 200, 'another request')
        equal(len(select.select(clients, [], [], 0)[0]), 30, 'refused')
        for client in refused:
            matches(client.recv(1000).decode(), r'^HTTP/1.1 503 (.*\n)*Retry-After: 1\r\n')
        waiting = next(client for client in clients if client not in refused)
        waiting.close()
        wait_until(lambda: not is_refused(server), 'a free place')
        for client in clients:
            client.close()


def is_refused(server):
    with connect(server, b'GET /debug/pprof/profile?seconds=3600 HTTP/1.1\r\n'
                         b'Host: localhost\r\n\r\n') as client:
        server.get('/')  # it is answered after the first moment of the profile
        return bool(select.select([client], [], [], 0)[0])


def a_profile_that_is_too_large_is_an_error():
    """Others are served. RECORDER is busy."""
    with Program(RECORDER, '100', '100000') as large, Program(RECORDER, '100') as small:
        wait_until(lambda: large.image.stat().st_size > 20 << 20, 'a large image')
        with Watched(EPROF, 'images') as server:
            for path in (f'/p/{large.pid}/', f'/p/{large.pid}/report.json'):
                answer = server.get(path)
                equal((answer.status, answer.text),
                      (503, 'it takes more memory than --memory leaves for it\n'), path)
            matches(server.get('/').text, f'{large.pid}.eprof</bdi></h2>\n.*--memory')
            matches(server.get('/').text, f'href="p/{small.pid}/"')
            matches(server.get('/metrics').text, '^eprof_unreadable_images 1$')
        with Server(EPROF, '--memory', '2048', 'images') as server:
            equal(server.get(f'/p/{large.pid}/').status, 200, 'with more memory')


def metrics_outlast_a_process_whose_instances_change():
    """Its rows that are gone take little memory; if they take too much, the others are served.
    RECORDER is busy."""
    with Program(RECORDER, '100', '0', '900') as few, Program(RECORDER, '100') as small:
        with Server(EPROF, '--memory', '32', 'images') as server:
            def scrape(unreadable):
                answer = server.get('/metrics')
                equal(answer.status, 200, answer.text[:200])
                matches(answer.text, f'^eprof_running{{process_id="{small.pid}"')
                return f'\neprof_unreadable_images {unreadable}\n' in answer.text
            wait_until(lambda: f'href="p/{few.pid}/"' in server.get('/').text, 'the image')
            for _ in range(50):
                equal(scrape(0), True, 'all can be read')
            with Program(RECORDER, '100', '0', '12000') as many:
                wait_until(lambda: f'href="p/{many.pid}/"' in server.get('/').text, 'the image')
                for unreadable in (0, 1, 0):
                    wait_until(lambda: scrape(unreadable), f'{unreadable} unreadable images')


def slow_clients_are_cut():
    """One that sends nothing more, after 30 s; one that sends a byte each second, after 60 s."""
    with Watched(EPROF, 'images') as server:
        clients = {'silent': connect(server, b'GET /'), 'slow': connect(server, b'GET /')}
        began, cut_s = time.monotonic(), {}
        while len(cut_s) < 2 and time.monotonic() - began < 150:
            for name, client in clients.items():
                client.settimeout(0.5)
                try:
                    if name == 'slow':
                        client.sendall(b'a')
                    is_cut = client.recv(1) == b''
                except TimeoutError:
                    is_cut = False
                except OSError:
                    is_cut = True
                if is_cut:
                    cut_s.setdefault(name, time.monotonic() - began)
        print(cut_s)
        if not 25 < cut_s['silent'] < 50 or not 55 < cut_s['slow'] < 80:
            fail('they stay for', cut_s)


def a_renderer_that_hangs_is_ended():
    """The test stops it by a signal. Others are answered, at once or after it."""
    pid = record(RECORDER, 'end')
    with Watched(EPROF, 'images') as server:
        children = pathlib.Path(f'/proc/{server.process.pid}/task/{server.process.pid}/children')
        answers, is_stopped = [], False
        while not is_stopped:
            began = time.monotonic()
            thread = threading.Thread(target=lambda: answers.append(server.get(f'/p/{pid}/')))
            thread.start()
            for child in wait_until(children.read_text, 'a renderer').split():
                try:
                    os.kill(int(child), signal.SIGSTOP)
                except ProcessLookupError:
                    pass
            thread.join(2)
            is_stopped = thread.is_alive()
        equal(server.get('/nothing').status, 404, 'while it hangs')
        equal(server.get('/').status, 200, 'after it')
        thread.join()
        equal(answers[-1].status, 500, 'its answer')
        print(f'{time.monotonic() - began:.1f} s')
        if not 20 < time.monotonic() - began < 60:
            fail('not in time')


def memory_stays_flat(seconds=60):
    pids = [record(RECORDER, 'end') for _ in range(3)]
    with Program(RECORDER, 'wait'), Watched(EPROF, 'images') as server:
        early_kib, end = None, time.monotonic() + seconds
        while time.monotonic() < end:
            for path in ('/', '/metrics', f'/p/{pids[0]}/', '/nothing'):
                server.get(path)
            if early_kib is None and time.monotonic() > end - seconds / 2:
                early_kib = server.peak_kib()
        if server.peak_kib() > early_kib + 256:
            fail(f'{server.peak_kib()} KiB after {early_kib} KiB')


with folder():
    globals()[CASE]()
