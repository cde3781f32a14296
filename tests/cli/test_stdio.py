# SPDX-License-Identifier: GPL-3.0-or-later
#
# What stintctl's own standard streams are to the command: handed in, passed on, and gone.

import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *

RANDOM = random.Random(7).randbytes(3 << 20)


# Standard input

@subtest('standard input from a pipe, a file, /dev/null')
def inputs(sandbox):
    data = sandbox.path('random')
    data.write_bytes(RANDOM)
    for stdin in (open(data, 'rb'), subprocess.PIPE):
        run = sandbox.run('cat', stdin=stdin)
        if stdin == subprocess.PIPE:
            run.process.stdin.write(RANDOM)
            run.process.stdin.close()
        run.finish()
        check(run.out == RANDOM, f'{len(run.out)} bytes came back')
        run.check_saved()
    run = sandbox.finish('cat')
    check_equal((run.out, run.status), (b'', 0), '/dev/null')


@subtest('a file\'s position is shared, as between the commands of a shell')
def shared_position(sandbox):
    data = sandbox.path('lines')
    data.write_text('one\ntwo\nthree\n')
    with open(data) as stdin:
        # `read` takes a line from a file, and no more.
        runs = [sandbox.finish('--shell', 'read line; echo $line', stdin=stdin) for _ in range(3)]
    check_equal([run.out for run in runs], [b'one\n', b'two\n', b'three\n'], 'lines')


@subtest('a pipe whose writer goes on after the job')
def unread_input(sandbox):
    run = sandbox.run('head', '-c', '3', stdin=subprocess.PIPE)
    run.process.stdin.write(b'abcdef')
    run.process.stdin.flush()
    check_equal((run.finish().out, run.status), (b'abc', 0), 'head')


CLOSED = {'stdin': [0], 'stdout': [1], 'stderr': [2], 'stdin and stdout': [0, 1], 'all': [0, 1, 2]}


@subtest('standard streams that are closed')
def closed_streams(sandbox):
    for name, fds in CLOSED.items():
        def close():
            for fd in fds:
                os.close(fd)
        options = {} if 1 not in fds else {'stdout': None}
        options |= {} if 2 not in fds else {'stderr': None}
        run = sandbox.finish('--shell', 'cat; echo out; echo err >&2; exit 3', preexec_fn=close, **options)
        check_equal(run.status, 3, f'{name} closed')
        result = run.check_saved()
        check_equal((result['reason'], result['stdout']), ('exited', 'out\n'), name)
        check(result['stderr'].endswith('err\n'), f'{name}: {result["stderr"]}')
        check(not run.stdout or run.out == b'out\n', f'{name}: {run.out!r}' if run.stdout else '')
        # The database is not what the command's output went to.
        check_equal(history_rows(sandbox)[result['id']]['exit_code'], 3, 'row')


# Output

@subtest('output arrives byte for byte, on a pipe and in a file')
def byte_identical(sandbox):
    data = sandbox.path('random')
    data.write_bytes(RANDOM)
    run = sandbox.finish('cat', data)
    check(run.out == RANDOM, f'{len(run.out)} bytes on the pipe')
    result = run.check_saved()
    check(pathlib.Path(result['transcript']).read_bytes() == RANDOM, 'transcript')
    out, err = sandbox.path('out'), sandbox.path('err')
    with open(out, 'wb') as stdout, open(err, 'wb') as stderr:
        run = sandbox.finish('--shell', f'cat {data}; cat {data} >&2', stdout=stdout, stderr=stderr)
    check(out.read_bytes() == RANDOM, f'{out.stat().st_size} bytes in the file')
    check(err.read_bytes() == RANDOM, f'{err.stat().st_size} bytes of errors in the file')
    result = run.check_saved()
    check_equal((result['stdoutBytes'], result['stderrBytes']), (len(RANDOM), len(RANDOM)), 'bytes')


@subtest('output is appended where the caller appends')
def appended(sandbox):
    out = sandbox.path('out')
    out.write_text('before\n')
    with open(out, 'ab') as stdout:
        sandbox.finish('echo', 'after', stdout=stdout)
    check_equal(out.read_text(), 'before\nafter\n', 'file')


@subtest('output comes as it is written, not at the end')
def as_it_comes(sandbox):
    run = sandbox.run('--shell', 'printf first; while [ ! -e "$D/go" ]; do sleep 0.01; done; echo second')
    run.wait_output(b'first')
    check(run.process.poll() is None, 'it has ended')
    sandbox.path('go').touch()
    check_equal(run.finish().out, b'firstsecond\n', 'output')


@subtest('stdout and stderr that are one place keep their order')
def order(sandbox):
    script = 'i=0; while [ $i -lt 300 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done'
    expected = ''.join(f'out {i}\nerr {i}\n' for i in range(300))
    out = sandbox.path('out')
    reader, writer = os.pipe()
    # Two pipes are read from in turn, so what goes into one place cannot but wait a moment for its neighbour; yet
    # no line is lost, none is torn, and each stream's own order holds.
    for stdout in (open(out, 'wb'), os.fdopen(writer, 'wb')):
        run = sandbox.finish('--shell', script, stdout=stdout, stderr=subprocess.STDOUT)
        check_equal(run.status, 0, 'status')
        stdout.close()
    with os.fdopen(reader, 'rb') as stream:
        texts = [out.read_text(), stream.read().decode()]
    for text in texts:
        lines = text.splitlines()
        check_equal(sorted(lines), sorted(expected.splitlines()), 'lines')
        for name in ('out', 'err'):
            check_equal([line for line in lines if line.startswith(name)], [f'{name} {i}' for i in range(300)], name)
    slow = sandbox.finish('--shell', 'for i in 1 2 3 4 5; do echo out $i; sleep 0.1; echo err $i >&2; sleep 0.1; done',
                          stderr=subprocess.STDOUT)
    check_equal(slow.out.decode(), ''.join(f'out {i}\nerr {i}\n' for i in range(1, 6)), 'with time between')
    transcript = pathlib.Path(slow.check_saved()['transcript']).read_text()
    check_equal(transcript, slow.out.decode(), 'transcript')


# The reader goes away, or reads slowly

def reader_gone(sandbox, line, make):
    """A job of @line whose reader goes after its first bytes."""
    stdout, reader, close = make()
    run = sandbox.run('--grace', '10s', '--shell', line, stdout=stdout)
    os.close(stdout) if isinstance(stdout, int) else stdout.close()
    check(reader(5), 'nothing came')
    close()
    return run


def pipe_ends():
    reader, writer = os.pipe()
    return writer, lambda n: os.read(reader, n), lambda: os.close(reader)


def socket_ends():
    ours, theirs = socket.socketpair()
    return theirs, ours.recv, ours.close


@subtest('the reader goes away: the job is stopped, whether it writes or not')
def reader_goes_away(sandbox):
    for name, make in (('a pipe', pipe_ends), ('a socket', socket_ends)):
        for line in ('yes', 'echo first; sleep 1000'):
            run = reader_gone(sandbox, line, make).finish()
            result = run.check_saved()
            check_equal((result['reason'], run.status), ('cancelled', 130), f'{name}, {line}')
            check_equal(result['escalated'], False, 'escalated')


@subtest('| head -1')
def head(sandbox):
    helper = sandbox.helper(['bash', '-c', '"$0" run sh -c "seq 1 1000000; sleep 1000" 2>"$D/err" | head -1; '
                             'echo ${PIPESTATUS[0]}', sandbox.stintctl], stdout=subprocess.PIPE)
    check_equal(helper.communicate(timeout=PATIENCE)[0], b'1\n130\n', 'output')


@subtest('a reader of stderr that goes away, alone')
def stderr_reader_goes_away(sandbox):
    reader, writer = os.pipe()
    run = sandbox.run('--shell', 'echo ready; echo err >&2; sleep 1000', stderr=writer)
    os.close(writer)
    run.wait_output(b'ready')
    os.read(reader, 1)
    os.close(reader)
    check_equal(run.finish().status, 130, 'status')


@subtest('SIGTERM when nobody reads: it ends, before the job has and after')
def signal_with_stuck_reader(sandbox):
    for line in ('yes', 'head -c 1000000 /dev/zero'):
        reader, writer = os.pipe()
        run = sandbox.run('--shell', line, stdout=writer)
        os.close(writer)
        if line != 'yes':
            # The job has ended and is saved; only its reader is waited for.
            wait_until(lambda: [r for r in history_rows(sandbox).values() if r['command'] == line and
                                r['state'] == 'finished'], 'the row')
        else:
            os.read(reader, 1000)
        run.process.send_signal(signal.SIGTERM)
        check_equal(run.wait(), 143, 'status')
        os.close(reader)


@subtest('a reader that comes back gets everything')
def slow_reader(sandbox):
    reader, writer = os.pipe()
    run = sandbox.run('--shell', 'yes 0123456789abcde | head -c 2000000', stdout=writer)
    os.close(writer)
    wait_until(lambda: [r for r in history_rows(sandbox).values() if r['state'] == 'finished'] or
               time.monotonic() - began > 1, 'the job, or a second') if (began := time.monotonic()) else None
    with os.fdopen(reader, 'rb') as stream:
        data = stream.read()
    check(data == b'0123456789abcde\n' * 125000, f'{len(data)} bytes')
    check_equal(run.finish().status, 0, 'status')


@subtest('a caller that has made the streams non-blocking')
def nonblocking(sandbox):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    run = sandbox.run('cat', stdin=subprocess.PIPE, stdout=writer)
    os.close(writer)
    run.process.stdin.write(RANDOM[:1 << 20])
    run.process.stdin.close()
    with os.fdopen(reader, 'rb') as stream:
        check(stream.read() == RANDOM[:1 << 20], 'what came is not what was written')
    check_equal(run.finish().status, 0, 'status')


@subtest('stintctl does not spin while it waits, with a socket for its output')
def quiet_waiting(sandbox):
    ours, theirs = socket.socketpair()
    run = sandbox.run('--shell', 'echo ready; sleep 1000', stdout=theirs)
    theirs.close()
    check_equal(ours.recv(100), b'ready\n', 'output')
    ours.shutdown(socket.SHUT_WR)
    def used():
        fields = pathlib.Path(f'/proc/{run.pid}/stat').read_text().rsplit(')')[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
    before, began = used(), time.monotonic()
    wait_until(lambda: time.monotonic() - began > 0.5, 'half a second')
    check(used() - before < 0.2, f'{used() - before} s of processor in half a second')
    run.process.send_signal(signal.SIGTERM)
    check_equal(run.finish().status, 143, 'status')
    ours.close()


if __name__ == '__main__':
    sys.exit(main())
