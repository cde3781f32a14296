# SPDX-License-Identifier: GPL-3.0-or-later
#
# `stintctl run --save` and `stintctl export`: what a job put out, as a file.

import fcntl
import json
import os
import pathlib
import re
import signal
import sqlite3
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *

COLOURS = 'printf "\\033[1;31mred\\033[0m <&>\\n"; sleep 0.05; echo oh >&2; sleep 0.05; printf "50%%\\r100%%\\n"'


def export(sandbox, *arguments, **options):
    return sandbox.finish(*arguments, verb=('export',), json=False, **options)


def left_over(directory, name):
    return sorted(path.name for path in directory.iterdir() if re.fullmatch(re.escape(name) + r'\.\w{6}', path.name))


@subtest('--save in every format, by its suffix')
def save_by_suffix(sandbox):
    for name, begins in (('a.txt', b'red <&>\noh\n100%\n'), ('a.log', b'\x1b[1;31mred\x1b[0m <&>\noh\n50%\r100%\n'),
                         ('a', b'\x1b[1;31mred'), ('a.html', b'<!DOCTYPE html>\n'), ('a.HTM', b'<!DOCTYPE html>\n'),
                         ('a.cast', b'{"version": 2, ')):
        run = sandbox.finish('--save', name, '--shell', COLOURS)
        run.check_saved()
        check_equal((run.status, run.err), (0, 'oh\n'), name)
        content = sandbox.path(name).read_bytes()
        check(content.startswith(begins), f'{name}: {content[:80]!r}')
        check_none(left_over(sandbox.directory, name), 'left over')
        check_equal(sandbox.path(name).stat().st_mode & 0o777, 0o666 & ~current_umask(), 'mode')


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


@subtest('--save-format, wherever it stands, and what only looks like it')
def save_format(sandbox):
    for arguments in (['--save', 'f', '--save-format', 'text'], ['--save-format=text', '--save=f'],
                      ['--name', '--save', '--save', 'f', '--tag', '--save-format', '--save-format', 'text'],
                      ['--save', 'other', '--save', 'f', '--save-format', 'html', '--save-format', 'text']):
        run = sandbox.finish(*arguments, 'printf', '\\033[1mx%s\\n', '--save', '--save-format=html')
        check_equal((run.status, run.err), (0, ''), str(arguments))
        check_equal(sandbox.path('f').read_text(), 'x--save\nx--save-format=html\n', str(arguments))
        sandbox.path('f').unlink()
    run = sandbox.finish('--', 'echo', '--save', 'g')
    check_equal((run.out, sandbox.path('g').exists()), (b'--save g\n', False), 'behind --')
    run = sandbox.finish('--shell', 'echo x', '--save', 'f.txt')
    check_equal(sandbox.path('f.txt').read_text(), 'x\n', 'behind --shell')


@subtest('--save keeps the status of the job, whatever it was')
def save_statuses(sandbox):
    for arguments, status, content in ((['--shell', 'echo x; exit 3'], 3, 'x\n'), (['/no/such/command'], 127, ''),
                                       (['--timeout', '300ms', '--shell', 'echo x; sleep 1000'], 124, 'x\n'),
                                       (['--no-history', 'echo', 'x'], 0, 'x\n'), (['--quiet', 'echo', 'x'], 0, 'x\n')):
        run = sandbox.finish('--save', 's.txt', *arguments, json=False)
        check_equal((run.status, sandbox.path('s.txt').read_text()), (status, content), str(arguments))


@subtest('a file that cannot be written is told before the job starts')
def save_unwritable(sandbox):
    sandbox.make('directory')
    for name in ('/no/such/directory/file', 'directory', 'directory/', '', '-'):
        run = sandbox.finish('--save', name, 'touch', 'started', json=False)
        check_equal((run.status, len(run.err.splitlines())), (125, 1), f'{name}: {run.err}')
        check(not sandbox.path('started').exists(), 'the job was started')
    for arguments in (['--save'], ['--save-format'], ['--save-format', 'pdf', '--save', 'x', 'true'],
                      ['--save-format', 'text', 'true']):
        run = sandbox.finish(*arguments, json=False)
        check_equal(run.status, 125, str(arguments))
        check('--save' in run.err and len(run.err.splitlines()) == 1, run.err)
    check(not (sandbox.state / 'stint').exists(), 'there is a history')


@subtest('a file that turns out unwritable is told, and the status stays')
def save_full(sandbox):
    run = sandbox.finish('--save', '/dev/full', '--shell', 'echo x; exit 3', json=False)
    check_equal(run.status, 3, 'status')
    check('/dev/full' in run.err and len(run.err.splitlines()) == 1, run.err)
    run = sandbox.finish('--save', '/dev/null', 'echo', 'x', json=False)
    check_equal((run.status, run.err), (0, ''), '/dev/null')
    check(pathlib.Path('/dev/null').is_char_device(), '/dev/null was replaced')


@subtest('what was there before stays until the new file is whole')
def save_replaces(sandbox):
    file = sandbox.path('old.txt')
    file.write_text('old\n')
    file.chmod(0o640)
    sandbox.path('link.txt').symlink_to('old.txt')
    run = sandbox.run('--save', 'link.txt', '--shell', 'echo new; cat old.txt; read x', stdin=subprocess.PIPE)
    run.wait_output(b'old\n')
    check_equal(file.read_text(), 'old\n', 'while the job runs')
    run.process.stdin.close()
    check_equal(run.finish().status, 1, 'status')
    check_equal((file.read_text(), file.stat().st_mode & 0o777), ('new\nold\n', 0o640), 'afterwards')
    check(sandbox.path('link.txt').is_symlink(), 'the link was replaced')


@subtest('a signal ends the job, and what there was is saved')
def save_after_signal(sandbox):
    run = sandbox.run('--save', 'f.txt', '--shell', 'echo x; sleep 1000', json=False)
    run.wait_output(b'x\n')
    os.kill(run.pid, signal.SIGTERM)
    check_equal(run.finish().status, 143, 'status')
    check_equal(sandbox.path('f.txt').read_text(), 'x\n', 'saved')
    check_none(left_over(sandbox.directory, 'f.txt'), 'left over')


@subtest('a signal while it is saved gives the file up')
def signal_while_saving(sandbox):
    # A pipe that nobody empties.
    os.mkfifo(sandbox.path('fifo'))
    reader = os.open(sandbox.path('fifo'), os.O_RDONLY | os.O_NONBLOCK)
    run = sandbox.run('--save', 'fifo', '--quiet', '--shell', 'head -c 1000000 /dev/zero | tr "\\0" x', json=False)
    # As full as the system makes it: whoever writes has to wait.
    wait_until(lambda: is_full(reader), 'the saving')
    os.kill(run.pid, signal.SIGTERM)
    run.finish()
    check_equal(run.status, 143, 'status')
    check('fifo' in run.err, run.err)
    os.close(reader)


def is_full(reader):
    held = int.from_bytes(fcntl.ioctl(reader, termios.FIONREAD, bytes(4)), sys.byteorder)
    return held >= fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ) - os.sysconf('SC_PAGE_SIZE')


@subtest('export: formats, streams, times')
def exports(sandbox):
    id = str(sandbox.finish('--shell', COLOURS).check_saved()['id'])
    run = export(sandbox, id)
    check_equal((run.status, run.out, run.err), (0, b'red <&>\noh\n100%\n', ''), 'text')
    check_equal(export(sandbox, 'last').out, run.out, 'last')
    check_equal(export(sandbox, id, '--format', 'raw').out, b'\x1b[1;31mred\x1b[0m <&>\noh\n50%\r100%\n', 'raw')
    check_equal(export(sandbox, '--stream=stderr', id, '--format=raw').out, b'oh\n', 'stderr')
    check_equal(export(sandbox, '--stream', 'stdout', id).out, b'red <&>\n100%\n', 'stdout')
    check(re.fullmatch(rb'(\d\d:\d\d:\d\d\.\d{3} [^\n]+\n){3}', export(sandbox, id, '--timestamps').out), 'times')
    page = export(sandbox, id, '--format', 'html').out.decode()
    check('<span class="r b f1">red</span> &lt;&amp;&gt;\n<span class="r err">oh</span>\n100%\n</pre>' in page, page)
    lines = [json.loads(line) for line in export(sandbox, id, '--format', 'asciicast').out.decode().splitlines()]
    check_equal((lines[0]['version'], ''.join(event[2] for event in lines[1:])),
                (2, '\x1b[1;31mred\x1b[0m <&>\r\noh\r\n50%\r100%\r\n'), 'asciicast')
    check(0.03 < lines[-1][0] - lines[1][0] < PATIENCE, 'the times of the events')
    check(abs(lines[0]['timestamp'] - time.time()) < PATIENCE, 'the time of the recording')


@subtest('export to a file')
def export_to_file(sandbox):
    sandbox.finish('echo', 'x')
    for arguments, begins in ((['-o', 'f.html'], b'<!DOCTYPE'), (['--output=f.cast'], b'{'), (['--output', 'f'], b'x\n'),
                              (['-o', 'f.html', '--format', 'text'], b'x\n')):
        run = export(sandbox, 'last', *arguments)
        check_equal((run.status, run.out, run.err), (0, b'', ''), str(arguments))
        name = re.search(r'f[.a-z]*$', arguments[1 if len(arguments) > 1 else 0])[0]
        check(sandbox.path(name).read_bytes().startswith(begins), str(arguments))
    run = export(sandbox, 'last', '-o', '/no/such/directory/x')
    check_equal((run.status, len(run.err.splitlines())), (125, 1), run.err)


@subtest('export on a terminal: lines as they stood there')
def export_terminal(sandbox):
    sandbox.finish('--tty', '--shell', r'printf "10%%\r100%%\n\033[1Aup\n%090d\n" 1')
    check_equal(export(sandbox, 'last').out, b'up0%\n' + b'0' * 89 + b'1\n', 'text')


@subtest('what cannot be exported')
def export_errors(sandbox):
    for arguments in ([], ['1', '2'], ['x'], ['0'], ['-1'], ['1', '--format', 'pdf'], ['1', '--stream', 'both'], ['--nonsense'],
                      ['1'], ['last']):
        run = export(sandbox, *arguments)
        check_equal((run.status, run.out, len(run.err.splitlines())), (125, b'', 1), f'{arguments}: {run.err}')
    check(not (sandbox.state / 'stint').exists(), 'there is a history')
    id = sandbox.finish('echo', 'x').check_saved()['id']
    run = export(sandbox, str(id + 1))
    check(f'no job {id + 1}' in run.err, run.err)
    running = sandbox.run('--shell', 'echo x; sleep 1000')
    running.wait_output(b'x\n')
    run = export(sandbox, 'last')
    check('still running' in run.err and run.status == 125, run.err)
    os.kill(running.pid, signal.SIGTERM)
    running.finish()
    check_equal(export(sandbox, 'last').out, b'x\n', 'when it has ended')
    shutil.rmtree(sandbox.state / 'stint' / 'jobs' / str(id))
    run = export(sandbox, str(id))
    check('was not kept' in run.err and run.status == 125, run.err)


@subtest('what the help lists')
def help_texts(sandbox):
    for verb, options in (('export', ('--format', '--stream', '--timestamps', '--output')),
                          ('run', ('--save', '--save-format'))):
        run = sandbox.finish('--help', verb=(verb,), json=False)
        check_equal((run.status, run.err), (0, ''), verb)
        check_none([option for option in options if option not in run.out.decode()], 'not in the help')
    check('  export ' in sandbox.finish('--help', verb=(), json=False).out.decode(), 'the usage')


@subtest('export changes nothing, and needs no more than to read')
def export_reads(sandbox):
    sandbox.finish('echo', 'x')
    file = history_file(sandbox)
    before = file.read_bytes()
    export(sandbox, 'last')
    check_equal(file.read_bytes(), before, 'the history')
    connection = sqlite3.connect(file)
    connection.execute('PRAGMA journal_mode = DELETE')
    connection.execute('PRAGMA user_version = 1000000')
    connection.close()
    # A newer history may have the same table.
    check_equal(export(sandbox, 'last').out, b'x\n', 'of a newer history')
    file.write_bytes(b'no database' * 1000)
    run = export(sandbox, 'last')
    check_equal((run.status, len(run.err.splitlines()), file.read_bytes()), (125, 1, b'no database' * 1000), run.err)
    sandbox.checks_history = False


if __name__ == '__main__':
    sys.exit(main())
