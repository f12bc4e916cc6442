#!/usr/bin/env python3
"""check_serve.py CASE EPROF RECORDER - tests the pages of `eprof serve` and its errors"""
import gzip
import http.client
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

from served import (Program, Server, equal, fail, folder, matches, record, samples, wait_until)

CASE, EPROF, RECORDER = sys.argv[1:]
FORMATS = {'table': 'text/plain', 'tree': 'text/plain', 'csv': 'text/csv',
           'json': 'application/json', 'html': 'text/html', 'folded': 'text/plain',
           'speedscope': 'application/json', 'callgrind': 'text/plain',
           'openmetrics': 'application/openmetrics-text', 'pprof': 'application/octet-stream'}


def run(*words):
    return subprocess.run([EPROF, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


# ---- pages ----

def lists_processes_with_their_hottest_regions():
    ended, killed = record(RECORDER, 'end'), record(RECORDER, 'kill')
    run('merge', '-o', 'images/both', f'images/{ended}.eprof', f'images/{killed}.eprof')
    with Program(RECORDER, 'wait') as running, Server(EPROF, 'images') as server:
        page = server.get('/')
        equal(page.status, 200, 'status')
        matches(page.type, '^text/html; charset=utf-8$')
        for pid, life in ((ended, 'ended'), (killed, 'killed'), (running.pid, 'running')):
            matches(page.text, f'href="p/{pid}/".*<small>{life},.* process {pid},', life)
        matches(page.text, 'href="p/both/".*<small>saved, 2 processes,')
        matches(page.text, '<bdi>work</bdi>')
        matches(page.text, '<bdi>step</bdi>')
        # the one that runs comes first
        equal(re.search(r'href="p/(\d+)/"', page.text)[1], str(running.pid), 'the first')


def list_is_empty_without_images():
    with Server(EPROF, 'images') as server:
        matches(server.get('/').text, 'There is no profile')
        matches(server.get('/metrics').text, '^eprof_unreadable_images 0$')


def list_has_pages():
    image = pathlib.Path(f'images/{record(RECORDER, "kill")}.eprof').read_bytes()
    for i in range(150):
        write_image(f'images/{i}', image, pid=1000 + i, realtime_s=1000 + i)
    with Server(EPROF, 'images') as server:
        first, second = server.get('/').text, server.get('/?first=100').text
        matches(first, r'<a href="\?first=100">… 51 more</a>')
        equal([len(re.findall('<section>', page)) for page in (first, second)], [100, 51], 'sections')
        equal(server.get('/?first=x').status, 400, 'status')


def shows_instances_of_a_program_without_scopes():
    record(RECORDER, 'instances')
    with Server(EPROF, 'images') as server:
        matches(server.get('/').text, '<bdi>parse</bdi>')


def writes_each_format():
    pid = record(RECORDER, 'end')
    with Server(EPROF, 'images') as server:
        for name, kind in FORMATS.items():
            answer = server.get(f'/p/{pid}/report.{name}')
            equal(answer.status, 200, name)
            matches(answer.type, f'^{kind}', name)
            equal(answer.body, run('report', f'images/{pid}.eprof', '-f', name).stdout, name)
        equal(server.get(f'/p/{pid}/').body, server.get(f'/p/{pid}/report.html').body, 'page')
        by_threads = server.get(f'/p/{pid}/report.csv:threads').text
        matches(by_threads, 'worker')
        equal(server.get(f'/p/{pid}/report.csv%3Athreads').text, by_threads, 'escaped')


def reload_renews_the_report():
    with Program(RECORDER, 'open') as program, Server(EPROF, 'images') as server:
        def total():
            return int(server.rows(program.pid)['scope', 'stuck']['total_ns'])
        first = total()
        wait_until(lambda: total() > first, 'more time')


def finds_a_process_by_the_name_of_its_file():
    pid = record(RECORDER, 'end')
    os.rename(f'images/{pid}.eprof', 'images/a b%:#.eprof')
    shutil.copy('images/a b%:#.eprof', 'images/other')  # the same process again
    with Server(EPROF, 'images') as server:
        name = 'a%20b%25%3A%23.eprof'
        matches(server.get(f'/p/{name}/report.tree').text, '^work')
        moved = server.get(f'/p/{name}')
        equal((moved.status, moved.headers['location']), (301, f'./{name}/'), 'moved')
        links = re.findall(r'<h2><a href="([^"]*)"', server.get('/').text)
        equal(sorted(links), sorted([f'p/{pid}/', 'p/other/']), 'links')


def serves_files_and_several_folders():
    pathlib.Path('more').mkdir()
    one, other, third = (record(RECORDER, 'end') for _ in range(3))
    os.rename(f'images/{other}.eprof', 'more/it')
    with Server(EPROF, f'images/{one}.eprof', 'more', 'more/it') as server:
        statuses = [server.get(f'/p/{pid}/').status for pid in (one, other, third)]
        equal(statuses, [200, 200, 404], 'status')
        files = {dict(labels)['file'] for name, labels in samples(server.get('/metrics').text)
                 if name == 'eprof_info'}
        equal(files, {f'images/{one}.eprof', 'more/it'}, 'files')


def serves_names_of_several_hundred_bytes():
    deep = pathlib.Path('d' * 250, 'e' * 250)
    deep.mkdir(parents=True)
    pid = record(RECORDER, 'end')
    os.rename(f'images/{pid}.eprof', deep / ('f' * 250))
    name = urllib.parse.quote(str(deep / ('f' * 250)), safe='')
    with Server(EPROF, str(deep), 'images') as server:
        equal(server.get(f'/p/{name}/').status, 200, 'status')
        moved = server.get(f'/p/{name}')
        equal((moved.status, moved.headers['location']), (301, f'./{name}/'), 'moved')


# ---- metrics ----

def metrics_have_all_processes():
    pids = [record(RECORDER, 'end'), record(RECORDER, 'kill')]
    with Program(RECORDER, 'wait') as running, Server(EPROF, 'images') as server:
        answer = server.get('/metrics')
        equal(answer.type, 'text/plain; version=0.0.4; charset=utf-8', 'type')
        found = samples(answer.text)
        for pid in [*pids, running.pid]:
            labels = {('process_id', str(pid)), ('program', 'recorder'), ('file', f'{pid}.eprof')}
            equal(found['eprof_running', frozenset(labels)], float(pid == running.pid), 'running')
            equal(found['eprof_scope_calls_total',
                        frozenset(labels | {('kind', 'scope'), ('name', 'step'),
                                            ('path', 'work;step')})], 12, 'calls')
        # all samples of a metric are together
        names = re.findall(r'^# TYPE (\S+)', answer.text, re.M)
        equal(len(names), len(set(names)), 'metrics that are there twice')
        accept = {'Accept': 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5'}
        other = server.get('/metrics', **accept)
        matches(other.type, r'^application/openmetrics-text; version=1\.0\.0; charset=utf-8$')
        matches(other.text, r'# EOF\n\Z')


def metrics_leave_out_what_ended_long_ago():
    old, new = record(RECORDER, 'end'), record(RECORDER, 'end')
    os.utime(f'images/{old}.eprof', (1, 1))
    with Program(RECORDER, 'wait') as running, Server(EPROF, '--ended', '3600', 'images') as server:
        os.utime(running.image, (1, 1))
        found = samples(server.get('/metrics').text)
        pids = {dict(labels)['process_id'] for name, labels in found if name == 'eprof_running'}
        equal(pids, {str(new), str(running.pid)}, 'processes')
        matches(server.get('/').text, f'p/{old}/')


def counters_never_fall():
    """Of a program whose figures grow, and after it was killed."""
    with Program(RECORDER, 'open') as program, Server(EPROF, 'images') as server:
        before = samples(server.get('/metrics').text)
        for i in range(20):
            if i == 10:
                program.kill()
            after = samples(server.get('/metrics').text)
            for key, value in before.items():
                if re.search('_total$|_sum$|_count$|_bucket$', key[0]) and after[key] < value:
                    fail(f'{key}: {after[key]} after {value}')
            before = after


# ---- errors ----

def refuses_what_it_does_not_know():
    pid = record(RECORDER, 'end')
    with Server(EPROF, 'images') as server:
        for path, status, line in (
                ('/nothing', 404, 'no such page'), ('/p/', 404, 'no such process'),
                ('/p/1/', 404, 'no such process'), (f'/p/{pid}x/', 404, 'no such process'),
                (f'/p/0{pid}/report.tree', 200, 'work'),
                (f'/p/{pid}/nothing', 404, 'no such page'),
                (f'/p/{pid}/report.xml', 404, 'known are table, .*pprof'),
                (f'/p/{pid}/report.csv:nothing', 404, 'no such format'),
                (f'/p/{pid}/report.', 404, 'no such format'),
                (f'/p/{pid}/metrics', 404, 'no such page'),
                ('/report.csv', 404, 'no such page'),
                ('/p/%zz/', 404, 'no such process'), ('/p/%00/', 404, 'no such process'),
                ('/p/' + 'a' * 300 + '/', 404, 'no such process'),
                *((f'/debug/pprof/profile?seconds={seconds}', 400, 'whole number from 1 to 3600')
                  for seconds in ('', '0', '-1', '3601', '1.5', 'x', '99999999999999999999'))):
            answer = server.get(path)
            equal(answer.status, status, path)
            matches(answer.text, line, path)
            matches(answer.type, '^text/plain', path)
        for method in ('POST', 'PUT', 'DELETE', 'OPTIONS', 'BREW'):
            answer = server.get('/', method)
            equal((answer.status, answer.headers['allow']), (405, 'GET, HEAD'), method)
        for host, status in (('localhost', 200), ('LOCALHOST:1', 200), ('127.0.0.1:80', 200), ('[::1]:80', 200),
                             ('evil.example', 403), ('localhost.evil.example:80', 403), ('127.0.0.1.evil.example', 403)):
            answer = server.get('/', Host=host)
            equal(answer.status, status, host)
        matches(answer.text, 'only for its own machine')
        head = server.get('/', 'HEAD')
        equal((head.status, head.body), (200, b''), 'HEAD')


def survives_requests_that_are_none():
    record(RECORDER, 'end')
    with Server(EPROF, 'images') as server:
        for request in (b'\0\0\0\0\r\n\r\n', b'GET\r\n\r\n', b'GET  HTTP/1.1\r\n\r\n',
                        b'GET nothing HTTP/1.1\r\nHost: localhost\r\n\r\n', b'\xff' * 5000,
                        b'GET / HTTP/1.1\r\nHost: localhost\r\nX: ' + b'y' * 100000 + b'\r\n\r\n',
                        b'GET /' + b'z' * 100000 + b' HTTP/1.1\r\n\r\n',
                        b'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello',
                        b'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n', b'\r\n' * 100):
            with socket.create_connection(('127.0.0.1', server.port)) as client:
                client.settimeout(20)
                try:  # the server may refuse it before it has read all of it
                    client.sendall(request)
                    client.shutdown(socket.SHUT_WR)
                    while client.recv(65536):
                        pass
                except OSError as error:
                    if isinstance(error, TimeoutError):
                        raise
            equal(server.get('/').status, 200, request[:20])
        with socket.create_connection(('127.0.0.1', server.port)) as client:
            client.sendall(b'GET http://anywhere/metrics HTTP/1.1\r\nHost: localhost\r\n'
                           b'Connection: close\r\n\r\n')
            matches(client.makefile('rb').read().decode(), 'eprof_running')


def folder_may_have_the_name_of_a_command():
    pathlib.Path('symbolize').mkdir()
    with Server(EPROF, 'symbolize') as server:
        matches(server.get('/').text, 'There is no profile')


def wants_its_program():
    """The command alone has no server."""
    shutil.copy(EPROF, 'eprof')
    done = subprocess.run(['./eprof', 'serve', 'images'], capture_output=True)
    equal(done.returncode, 1, 'status')
    matches(done.stderr.decode(), r'^eprof: eprof-serve: not found from .*; install it with eprof$')
    equal(subprocess.run(['./eprof', '--version'], capture_output=True).returncode, 0, 'version')


def wants_an_address_and_a_folder():
    for words, status, line in (
            ((), 2, 'serve: no DIR or FILE'), (('nothing',), 1, 'nothing: No such file'),
            (('/dev/null',), 1, 'neither a folder nor a regular file'),
            *((('--listen', text, 'images'), 2, 'no address to listen at')
              for text in ('x', ':80', '80x', '99999', '127.0.0.1', '::1:80', 'example.org:80')),
            (('--memory', '5', 'images'), 2, 'no number for --memory')):
        done = run('serve', *words)
        equal(done.returncode, status, words)
        matches(done.stderr.decode(), f'^eprof: .*{line}', words)
        equal((done.stdout, len(done.stderr.splitlines())), (b'', 1), words)
    with Server(EPROF, 'images') as server:
        matches(server.url, r'^http://127\.0\.0\.1:\d+/$')
        taken = run('serve', '--listen', str(server.port), 'images')
        equal(taken.returncode, 1, 'port in use')
        matches(taken.stderr.decode(), 'Address already in use')
        # a port alone is one of this machine
        with socket.socket() as other:
            other.settimeout(5)
            address = next((found[4] for found in socket.getaddrinfo(
                socket.gethostname(), server.port, socket.AF_INET, socket.SOCK_STREAM)
                if not found[4][0].startswith('127.')), None) if has_other_address() else None
            if address and other.connect_ex(address) == 0:
                fail('it can be reached at', address)


def knows_a_loopback_address_in_any_form():
    """There names of other hosts are refused."""
    for listen, host, status in (('2130706433:0', '127.0.0.1', 403), ('127.9:0', '127.0.0.9', 403),
                                 ('0.0.0.0:0', '127.0.0.1', 200),
                                 ('[0:0:0:0:0:0:0:1]:0', '::1', 403),
                                 ('[::ffff:127.0.0.1]:0', '127.0.0.1', 403),
                                 ('[::]:0', '::1', 200)):
        if listen.startswith('[') and not has_ipv6():
            continue
        with Server(EPROF, 'images', listen=listen) as server:
            connection = http.client.HTTPConnection(host, server.port)
            connection.request('GET', '/', headers={'Host': 'evil.example'})
            equal(connection.getresponse().status, status, listen)
            connection.close()


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as one:
            one.bind(('::1', 0))
        return True
    except OSError:
        return False


def has_other_address():
    try:
        socket.getaddrinfo(socket.gethostname(), None)
        return True
    except OSError:
        return False


# ---- images that are hostile, damaged or gone ----

def write_image(path, image, pid, realtime_s):
    """Writes an image of another process; only the used cells, as a short file."""
    used = struct.unpack_from('<I', image, 4 * 64)[0]
    changed = bytearray(image[:used * 64])
    struct.pack_into('<QQ', changed, 24, pid, realtime_s * 10**9)
    pathlib.Path(path).write_bytes(changed)


def reaches_nothing_outside_the_folder():
    pid = record(RECORDER, 'end')
    pathlib.Path('outside').mkdir()
    os.rename(f'images/{pid}.eprof', 'outside/secret.eprof')
    os.symlink('../outside/secret.eprof', 'images/link.eprof')
    os.symlink('../outside', 'images/folder')
    os.mkfifo('images/pipe.eprof')
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind('images/socket')
        try:
            os.mknod('images/zero', 0o600 | 0o020000, os.makedev(1, 5))
        except PermissionError:
            pass
        with Server(EPROF, 'images') as server:
            for path in ('/p/link.eprof/', f'/p/{pid}/', '/p/folder%2Fsecret.eprof/',
                         '/p/..%2Foutside%2Fsecret.eprof/', '/p/../outside/secret.eprof/',
                         '/p/%2e%2e/', '/p/pipe.eprof/', '/p/zero/', '/p/socket/',
                         f'/p/{pathlib.Path("outside/secret.eprof").absolute()}/',
                         '/../outside/secret.eprof', '/outside/secret.eprof'):
                equal(server.get(path).status, 404, path)
            matches(server.get('/').text, 'There is no profile')
            equal([key for key in samples(server.get('/metrics').text)
                   if key[0] == 'eprof_info'], [], 'metrics')
    # a file that is named is not followed elsewhere later
    pathlib.Path('images/named').write_bytes(pathlib.Path('outside/secret.eprof').read_bytes())
    with Server(EPROF, 'images/named') as server:
        equal(server.get(f'/p/{pid}/').status, 200, 'named')
        os.unlink('images/named')
        os.symlink('../outside/secret.eprof', 'images/named')
        equal(server.get(f'/p/{pid}/').status, 404, 'link')


def names_images_that_cannot_be_read():
    pid = record(RECORDER, 'end')
    good = pathlib.Path(f'images/{pid}.eprof').read_bytes()
    used = struct.unpack_from('<I', good, 4 * 64)[0]
    damaged = bytearray(good)
    damaged[64 * 16:64 * used] = b'\xa5' * (64 * used - 64 * 16)
    struct.pack_into('<QQ', damaged, 24, 77, 0)
    pathlib.Path('images/damaged').write_bytes(damaged)
    pathlib.Path('images/cut').write_bytes(good[:100])
    pathlib.Path('images/newer').write_bytes(good[:8] + struct.pack('<I', 999) + good[12:])
    pathlib.Path('images/text').write_text('no image')
    pathlib.Path('images/empty').touch()
    huge = bytearray(good[:1024])
    struct.pack_into('<I', huge, 4 * 64, 0xFFFFFFF0)
    pathlib.Path('images/huge').write_bytes(huge)
    os.truncate('images/huge', 0xFFFFFFF0 * 64)
    with Server(EPROF, 'images') as server:
        page = server.get('/').text
        for name, why in (('damaged', 'damaged'), ('cut', 'cut off'), ('newer', 'newer'),
                          ('huge', 'memory')):
            matches(page, f'{name}</bdi></h2>\n<p class="rest">.*{why}', name)
            answer = server.get(f'/p/{name}/report.tree')
            if answer.status not in (500, 503):
                fail(name, answer.status)
            matches(answer.text, why, name)
        equal(re.findall('text</bdi>|empty</bdi>', page), [], 'other files')
        metrics = samples(server.get('/metrics').text)
        equal(metrics['eprof_unreadable_images', frozenset()], 4, 'unreadable')
        equal(len([1 for name, _ in metrics if name == 'eprof_running']), 1, 'readable')
        equal(server.get(f'/p/{pid}/').status, 200, 'the good one')


def leaves_out_an_image_that_ends_its_reader():
    """The test kills the renderer itself, since no such image is known, at random moments: mostly
    while it reads the one image."""
    pid = record(RECORDER, 'end')
    image, answers = f'images/{pid}.eprof', []
    with Server(EPROF, 'images') as server:
        children = pathlib.Path(f'/proc/{server.process.pid}/task/{server.process.pid}/children')

        def kill_one(after_s):
            child = wait_until(children.read_text, 'a renderer').split()[0]
            time.sleep(after_s)
            try:
                os.kill(int(child), signal.SIGKILL)
            except ProcessLookupError:
                pass

        def is_left_out():
            os.utime(image)  # it has changed, and is no longer left out
            thread = threading.Thread(target=lambda: answers.append(server.get('/metrics')))
            thread.start()
            kill_one(random.random() * 0.004)
            thread.join()
            answer = answers.pop()
            if answer.status not in (200, 500):
                fail(answer.status)
            return b'\neprof_unreadable_images 1\n' in answer.body
        wait_until(is_left_out, 'an answer without the image')
        equal(server.get(f'/p/{pid}/').text,
              'it cannot be read: a try has crashed or taken too long\n', 'left out')
        os.utime(image)
        equal(server.get(f'/p/{pid}/').status, 200, 'after a change')


def goes_on_when_an_image_vanishes():
    pids = [record(RECORDER, 'end') for _ in range(3)]
    with Server(EPROF, 'images') as server:
        equal(server.get(f'/p/{pids[0]}/').status, 200, 'there')
        os.unlink(f'images/{pids[0]}.eprof')
        equal(server.get(f'/p/{pids[0]}/').status, 404, 'gone')
        equal(server.get('/metrics').text.count('\neprof_running{'), 2, 'metrics')
        shutil.rmtree('images')
        matches(server.get('/').text, 'There is no profile')
        pathlib.Path('images').mkdir()
        again = record(RECORDER, 'end')
        equal(server.get(f'/p/{again}/').status, 200, 'again')


def wants_a_folder_for_temporary_files():
    record(RECORDER, 'end')
    full = os.environ | {'TMPDIR': '/proc'}  # it falls back to /var/tmp
    with Server(EPROF, 'images', environment=full) as server:
        equal(server.get('/').status, 200, 'status')


def compresses_for_other_machines():
    """A client on this one would only have to undo it."""
    pid = record(RECORDER, 'kill')
    accepted = {'Accept-Encoding': 'br;q=1.0, gzip;q=0.8, *;q=0.1'}
    refused = {'Accept-Encoding': 'gzip;q=0, identity'}
    with Server(EPROF, 'images') as near, Server(EPROF, 'images', listen='0.0.0.0:0') as server:
        for path in ('/', '/metrics', f'/p/{pid}/', f'/p/{pid}/report.json'):
            plain = server.get(path)
            for other in (server.get(path, **refused), near.get(path, **accepted)):
                equal(other.headers.get('content-encoding'), None, path)
                equal(other.body, plain.body, path)
            small = server.get(path, **accepted)
            equal(small.headers.get('content-encoding'), 'gzip', path)
            equal(small.type, plain.type, path)
            equal(gzip.decompress(small.body), plain.body, path)
            head = server.get(path, 'HEAD', **accepted)
            equal(head.headers['content-length'], small.headers['content-length'], path)
        for path in ('/no', f'/p/{pid}/report.pprof', '/debug/pprof/profile?seconds=1'):
            equal(server.get(path, **accepted).headers.get('content-encoding'), None, path)


def needs_no_privileges():
    """The tests may run as root; then the server runs as another user, the owner of the profiles."""
    pid = record(RECORDER, 'kill')
    is_root = os.geteuid() == 0
    if is_root:
        os.chmod('.', 0o755)
        os.chown('images', 65534, 65534)
        os.chown(f'images/{pid}.eprof', 65534, 65534)
        secret = record(RECORDER, 'kill')
    with Server(EPROF, 'images', user=65534 if is_root else None) as server:
        equal(server.get(f'/p/{pid}/').status, 200, 'page')
        equal(server.get('/metrics').text.count('\neprof_running{'), 1, 'metrics')
        if is_root:
            matches(server.get('/').text, f'{secret}.eprof</bdi></h2>\n.*Permission denied')


def ends_with_status_0_while_clients_wait():
    record(RECORDER, 'end')
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        server = Server(EPROF, 'images')
        clients = [socket.create_connection(('127.0.0.1', server.port)) for _ in range(5)]
        for client in clients[1:]:
            client.sendall(b'GET /debug/pprof/profile?seconds=60 HTTP/1.1\r\nHost: localhost\r\n\r\n')
        server.get('/')
        server.process.send_signal(number)
        equal(server.process.wait(60), 0, number)
        equal(server.process.stderr.read(), '', number)


with folder():
    globals()[CASE]()
