# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 24 to 28: whatever is written, and whatever becomes of the place where it is kept, the transcript is true,
# the keeper stays small, and a loss is told. What the window makes of the same output is in test_app_output.py.

import errno
import fcntl
import json
import os
import pathlib
import random
import select
import shutil
import struct
import subprocess
import sys
import termios
import threading

from disks import SmallDisk
from floods import *
from harness import *
from terminal import Terminal

REPLACEMENT = '\ufffd'


# Memory

# How much the peak of a process may grow for any amount of output, and the keeper's peak altogether.
MAX_GROWTH = 2 * MEGABYTE
MAX_PEAK = 8 * MEGABYTE


def peak_memory(pid):
    for line in pathlib.Path(f'/proc/{pid}/status').read_text().splitlines():
        if line.startswith('VmHWM:'):
            return int(line.split()[1]) * 1024
    raise Failure(f'{pid} has no memory')


def growth_problems(before, limit=MAX_GROWTH):
    """What has grown, of processes whose peaks were noted @before."""
    return [f'{pid} has grown by {grown} bytes' for pid, peak in before.items()
            if (grown := peak_memory(pid) - peak) > limit]


def keeper_pair(run):
    return wait_until(lambda: (pair := keepers_of(run.pid))[1] and pair, 'the keepers')


def transcript_of(sandbox):
    """The output file of the one job that runs."""
    return wait_until(lambda: next((sandbox.state / 'stint' / 'jobs').glob('*/output'), None), 'the transcript')


# Rows 25 and 27

def flood(sandbox, name, tty):
    writer, size = FLOODS[name]
    if size is None:
        size = len(subprocess.run(['bash', '-c', writer], stdout=subprocess.PIPE, check=True).stdout)
    # What else is on a terminal's way: it makes two of a newline.
    line = GATE + ('stty -opost <&1; ' if tty else '') + f'echo; await begin; {writer}; await end'
    run = sandbox.run('--quiet', '--tty' if tty else '--pipes', '--shell', line)
    warden, worker = keeper_pair(run)
    transcript = transcript_of(sandbox)
    wait_until(lambda: transcript.stat().st_size == 1, 'the first byte')
    before = {pid: peak_memory(pid) for pid in (warden, worker)}

    sandbox.path('begin').touch()
    wait_until(lambda: transcript.stat().st_size >= size + 1, lambda: f'{transcript.stat().st_size} of {size} bytes')
    check_none(growth_problems(before), 'the keepers')
    if not SANITIZED:
        check_none([f'{pid}: {peak_memory(pid)}' for pid in before if peak_memory(pid) > MAX_PEAK], 'peaks')
    sandbox.path('end').touch()

    result = run.finish().check_saved()
    check_equal((result['reason'], result['exitCode'], result['stdoutBytes']), ('exited', 0, size + 1), 'result')
    check_equal(result['error'], None, 'error')
    check_none(difference(transcript, f'{{ echo; {writer}; }}'), 'the transcript')


def register_floods():
    for name in FLOODS:
        row = '25' if name.startswith('10') else '27'
        for tty in (False, True):
            subtest(f'row {row}: {name}, {"a terminal" if tty else "a pipe"}')(
                lambda sandbox, name=name, tty=tty: flood(sandbox, name, tty))


register_floods()


@control('row 25: a reader that holds all it gets')
def holding_reader(sandbox):
    writer, size = FLOODS['100 MB without a newline']
    holder = sandbox.helper([sys.executable, '-Ic', 'import sys; print("x", flush=True); sys.stdin.buffer.readline();'
                             'held = sys.stdin.buffer.read(); print(len(held), flush=True); sys.stdin.close();'
                             'import signal; signal.pause()'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    holder.stdout.readline()
    before = {holder.pid: peak_memory(holder.pid)}
    subprocess.run(['bash', '-c', f'{{ echo; {writer}; }}'], stdout=holder.stdin, check=True)
    holder.stdin.close()
    check_equal(int(holder.stdout.readline()), size, 'bytes')
    check_some(growth_problems(before), 'it has not grown')


# Row 24

TYPED = 10 * MEGABYTE


class Feeder(threading.Thread):
    """Writes to a command's standard input until it is refused."""

    def __init__(self, stream, size=TYPED):
        super().__init__(daemon=True)
        self.fd, self.size = os.dup(stream.fileno()), size
        stream.close()
        self.taken = 0
        self.start()

    def run(self):
        try:
            while self.taken < self.size:
                self.taken += os.write(self.fd, bytes(min(65536, self.size - self.taken)))
        except BrokenPipeError:
            pass
        os.close(self.fd)


def feed(sandbox, line, status):
    """A command with 10 MB on the way to its standard input."""
    run = sandbox.run('--shell', GATE + line, stdin=subprocess.PIPE)
    pids = (run.pid, *keeper_pair(run))
    run.wait_output(b'ready')
    before = {pid: peak_memory(pid) for pid in pids}
    feeder = Feeder(run.process.stdin)
    # The kernel's pipe is all there is: who writes waits.
    wait_until(lambda: feeder.taken > 0 and not select.select([], [feeder.fd], [], 0)[1], 'the pipe to be full')
    check_none(growth_problems(before, limit=2 * MAX_GROWTH), 'the queue')
    sandbox.path('go').touch()
    result = run.finish().check_saved()
    check_equal((result['reason'], result['exitCode'], run.status), ('exited', status, status), 'ending')
    feeder.join(PATIENCE)
    check(not feeder.is_alive() and feeder.taken < TYPED, f'{feeder.taken} bytes were taken')


@subtest('row 24: the command closes its standard input, with 10 MB on the way')
def stdin_closed(sandbox):
    feed(sandbox, 'exec 0<&-; echo ready; await go; echo on; exit 3', 3)


@subtest('row 24: the command never reads its standard input, with 10 MB on the way')
def stdin_never_read(sandbox):
    feed(sandbox, 'echo ready; await go; exit 4', 4)


def type_much(sandbox, program):
    """Types 10 MB at a terminal. Returns: the terminal, and what of its processes has grown."""
    # The address sanitizer holds on to what was freed.
    options = ':'.join(filter(None, (sandbox.environment.get('ASAN_OPTIONS'), 'quarantine_size_mb=1')))
    terminal = Terminal(sandbox, program, environment={'ASAN_OPTIONS': options})
    terminal.wait('ready')
    terminal.wait_raw(True)
    # None of the job's: its short sleeps come and go.
    before = {pid: peak_memory(pid) for pid in (terminal.pid, *keepers_of(terminal.pid)) if pid is not None}
    for _ in range(TYPED // 65536):
        terminal.type('x' * 65536)
    # All of it has been looked at: the last of it came through, or was refused.
    wait_until(lambda: struct.unpack('i', fcntl.ioctl(terminal.slave, termios.FIONREAD, bytes(4)))[0] == 0, 'an empty terminal')
    return terminal, growth_problems(before, limit=2 * MAX_GROWTH)


@subtest('row 24: 10 MB are typed at a terminal, and the command never reads them')
def typed_at_terminal(sandbox):
    line = GATE + 'stty raw -echo; echo ready; await go; exit 5'
    terminal, problems = type_much(sandbox, [sandbox.stintctl, 'run', '--json', str(sandbox.path('result.json')),
                                             '--shell', line])
    check_none(problems, 'the queue')
    sandbox.path('go').touch()
    check_equal(terminal.finish(), 5, 'status')
    result = json.loads(sandbox.path('result.json').read_text())
    check_none(result_problems(result))
    check_none(row_problems(history_rows(sandbox).get(result['id']), result))


@control('row 24: a program that queues all that is typed')
def endless_queue(sandbox):
    terminal, problems = type_much(sandbox, [sys.executable, '-Ic', '''
import os, sys, tty
tty.setraw(0)
print("ready", flush=True)
queue = []
while True:
    queue.append(os.read(0, 65536) + bytes(65536))
'''])
    check_some(problems, 'the queue has not grown')


# Row 26

EMOJI = '\U0001f600'


def replacement_problems(text, expected):
    """What splitting has made of the text."""
    problems = [f'{text.count(REPLACEMENT)} replacement characters'] if REPLACEMENT in text else []
    if text != expected:
        problems.append(f'{len(text)} characters instead of {len(expected)}')
    return problems


def raw_bytes(sandbox, content, tty):
    sandbox.path('bytes').write_bytes(content)
    run = sandbox.finish('--tty' if tty else '--pipes', '--shell', ('stty -opost <&1; ' if tty else '') + 'cat "$D/bytes"')
    result = run.check_saved()
    check_equal(run.out, content, 'what was passed on') if len(content) < 10000 else \
        check(run.out == content, 'what was passed on is not the same')
    check_none(difference(result['transcript'], f'cat {sandbox.path("bytes")}'), 'the transcript')
    return result


@subtest('row 26: random bytes')
def random_bytes(sandbox):
    for tty in (False, True):
        raw_bytes(sandbox, random.Random(26).randbytes(3 * MEGABYTE), tty)


@subtest('row 26: what is not UTF-8')
def invalid_text(sandbox):
    content = b'\xff\xfe\x80 \xc3( \xe2\x82 \xf0\x9f\x98 \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\xaf end\n\xf0\x9f'
    for tty in (False, True):
        result = raw_bytes(sandbox, content, tty)
        # It is text all the same, and what is right in it is there.
        check(result['stdout'].count('end\n') == 1 and REPLACEMENT in result['stdout'], result['stdout'])


# One write for each piece, the next when the last has been taken: each ends where the keeper reads.
PIECES = '''
import fcntl, os, sys, termios, time
taken = lambda: int.from_bytes(fcntl.ioctl(1, termios.FIONREAD, bytes(4)), sys.byteorder) == 0
for _ in range(8):
    for offset in (1, 2, 3):
        character = "\U0001f600".encode()
        for piece, fd in ((character[:offset], 1), (b"between", 2), (character[offset:], 1)):
            os.write(fd, piece)
            while not taken():
                time.sleep(0.0005)
'''


@subtest('row 26: a character split at every offset, with the other stream between its parts')
def split_characters(sandbox):
    result = sandbox.finish(sys.executable, '-Ic', PIECES).check_saved()
    check_none(replacement_problems(result['stdout'], EMOJI * 24), 'stdout')
    check_equal(result['stderr'], 'between' * 24, 'stderr')


@subtest('row 26: a result that begins within a character')
def cut_characters(sandbox):
    for extra in range(4):
        content = 'x' * extra + EMOJI * (MEGABYTE // 4 + 5)
        result = raw_bytes(sandbox, content.encode(), False)
        check(result['truncated'], 'it is not cut')
        check(REPLACEMENT not in result['stdout'] and set(result['stdout']) == {EMOJI}, f'cut after {extra}')
        check(MEGABYTE // 4 - 1 <= len(result['stdout']) <= MEGABYTE // 4, f'{len(result["stdout"])} characters')


@control('row 26: a reader that decodes what each read gives it')
def decoded_apart(sandbox):
    text = ''.join(piece.decode(errors='replace') for offset in (1, 2, 3)
                   for piece in (EMOJI.encode()[:offset], EMOJI.encode()[offset:]))
    check_some(replacement_problems(text, EMOJI * 3), 'nothing was replaced')


@control('row 26: a terminal that makes two of a newline')
def not_identical(sandbox):
    result = sandbox.finish('--tty', '--shell', 'printf "a\\nb\\n"').result
    check_some(difference(result['transcript'], 'printf "a\\nb\\n"'), 'the transcript is the same')


# Row 28

RECORD = struct.Struct('=QqII')
INDEX_LOST = 2


def losses_in_index(directory):
    """The records of losses: (offset, bytes)."""
    index = (pathlib.Path(directory) / 'index').read_bytes()
    return [(offset, value) for offset, _, kind, value in RECORD.iter_unpack(index[:len(index) // 24 * 24])
            if kind == INDEX_LOST]


def told_loss_problems(sandbox, run, lost, code=None):
    """Whether the result and the row say that @lost bytes (None: any) are not there, and why."""
    result = run.result
    problems = result_problems(result)
    row = history_rows(sandbox).get(result['id'])
    problems += row_problems(row, result)
    if not problems and (row['lost_bytes'] == 0 or lost is not None and row['lost_bytes'] != lost):
        problems.append(f'{row["lost_bytes"]} bytes are lost in the row, not {lost}')
    if not problems and (not row['store_error'] or code is not None and row['store_error'] != code):
        problems.append(f'the error of the row is {row["store_error"]}')
    if not result['truncated']:
        problems.append('the result is not truncated')
    if not result['error']:
        problems.append('the result does not say why')
    if 'could not be stored' not in run.err:
        problems.append(f'stintctl does not say so: {run.err!r}')
    return problems


def place_problems(result, size, lost):
    """Whether the index tells of one loss, where it was."""
    told = losses_in_index(pathlib.Path(result['transcript']).parent)
    return [] if told == [(size, lost)] else [f'the index tells of {told}, not of {lost} bytes at {size}']


def overfull(sandbox, protection, *arguments):
    """A job that writes 4 MB where 1 MiB can be stored. Returns: the run and how much was."""
    run = sandbox.finish(*arguments, '--shell', 'head -c 4000000 /dev/zero | tr "\\0" x; exit 3', keeper=without(protection))
    result = run.result
    check_equal((result['reason'], result['exitCode'], run.status), ('exited', 3, 3), 'ending')
    check_equal((len(run.out), result['stdoutBytes']), (4000000, 4000000), 'bytes')
    size = os.path.getsize(result['transcript'])
    check(size < 1.5 * MEGABYTE, f'{size} bytes were stored')
    check_none(difference(result['transcript'], f'head -c {size} /dev/zero | tr "\\0" x'), 'the transcript')
    return run, size


@subtest('row 28: a full disk')
def disk_full(sandbox):
    run, size = overfull(sandbox, 'room')
    check_equal(size, MEGABYTE, 'stored')
    run.check_saved()
    check_none(told_loss_problems(sandbox, run, 4000000 - size, errno.ENOSPC))
    check_none(place_problems(run.result, size, 4000000 - size))


@subtest('row 28: a file system that cannot make holes, and an output limit')
def no_holes(sandbox):
    run, size = overfull(sandbox, 'holes', '--output-limit', '1M')
    run.check_saved()
    check_none(told_loss_problems(sandbox, run, 4000000 - size, errno.EOPNOTSUPP))
    check_none(place_problems(run.result, size, 4000000 - size))


BEFORE, AFTER = 4000000, 1000


@subtest('row 28: a disk of 1 MB that fills up, and has room again')
def disk_with_room_again(sandbox):
    with SmallDisk(sandbox.state) as disk:
        if disk is None:
            # Who may not mount has the disk of keeper-without-room, above.
            return
        ballast = sandbox.state / 'ballast'
        ballast.write_bytes(bytes(300000))
        run = sandbox.run('--shell', GATE + f'head -c {BEFORE} /dev/zero | tr "\\0" x; await go; '
                          f'head -c {AFTER} /dev/zero | tr "\\0" y')
        wait_until(lambda: len(run.out) == BEFORE, 'all of the output')
        check(disk.is_full(), 'the disk is not full')
        ballast.unlink()
        sandbox.path('go').touch()
        result = run.finish().check_saved()
        check_equal((result['exitCode'], result['stdoutBytes']), (0, BEFORE + AFTER), 'result')
        size = os.path.getsize(result['transcript'])
        lost = BEFORE + AFTER - size
        check_none(told_loss_problems(sandbox, run, lost, errno.ENOSPC))
        check_none(place_problems(result, size - AFTER, lost))
        check_none(difference(result['transcript'], f'{{ head -c {size - AFTER} /dev/zero | tr "\\0" x; '
                                                    f'head -c {AFTER} /dev/zero | tr "\\0" y; }}'), 'the transcript')
        check_none(sandbox.problems())
    sandbox.checks_history = False


@subtest('row 28: a disk of 1 MB that stays full')
def disk_stays_full(sandbox):
    with SmallDisk(sandbox.state) as disk:
        if disk is None:
            return
        run = sandbox.finish('--shell', f'head -c {BEFORE} /dev/zero | tr "\\0" x; exit 3')
        # There may be no room for the row either, which is then told; the result is whole.
        result = run.result
        check_none(result_problems(result))
        check_equal((result['reason'], result['exitCode'], run.status), ('exited', 3, 3), 'ending')
        check_equal((len(run.out), result['stdoutBytes']), (BEFORE, BEFORE), 'bytes')
        check(result['truncated'] and 'No space left' in result['error'], result['error'])
        check('could not be stored' in run.err, run.err)
    sandbox.checks_history = False


@subtest('row 28: a state directory that cannot be written to')
def read_only_state(sandbox):
    make_usable_by_others(sandbox)
    sandbox.state.chmod(0o555)
    run = sandbox.finish('--shell', 'echo out; echo err >&2; exit 3', **as_ordinary_user())
    result = run.result
    check_none(result_problems(result))
    check_equal((result['reason'], result['exitCode'], result['stdout'], result['stderr'], run.status),
                ('exited', 3, 'out\n', 'err\n', 3), 'result')
    check_equal(result['transcript'], None, 'transcript')
    check(run.err.count('stintctl:') == 1, run.err)
    check_none(left_processes(sandbox))


def remove_while_running(sandbox, target, keeper=None):
    """Returns: the run of a job that loses its place after a part of its output."""
    run = sandbox.run('--shell', GATE + 'head -c 100000 /dev/zero | tr "\\0" x; await go; echo on; exit 3', keeper=keeper)
    transcript = transcript_of(sandbox)
    wait_until(lambda: transcript.stat().st_size == 100000, 'the output')
    if target == 'directory':
        shutil.rmtree(transcript.parent)
    else:
        transcript.unlink()
    sandbox.path('go').touch()
    run.finish()
    result = run.result
    check_equal((result['reason'], result['exitCode'], run.status), ('exited', 3, 3), 'ending')
    check(run.out == b'x' * 100000 + b'on\n', 'the output was not passed on')
    check_equal(result['stdoutBytes'], 100003, 'bytes')
    check_equal(result['transcript'], None, 'transcript')
    return run


@subtest('row 28: the transcript is removed under a running job')
def transcript_removed(sandbox):
    for target in ('output', 'directory'):
        sandbox.path('go').unlink(missing_ok=True)
        run = remove_while_running(sandbox, target)
        run.check_saved()
        check_none(told_loss_problems(sandbox, run, 100003, errno.ENOENT), target)


@control('row 28: a keeper that does not look at the end whether the transcript is there')
def removal_not_noticed(sandbox):
    run = remove_while_running(sandbox, 'directory', keeper=without('finish'))
    check_some(told_loss_problems(sandbox, run, 100003, errno.ENOENT), 'the loss was told')


@control('row 28: an index that is not told of the last loss')
def loss_without_a_place(sandbox):
    run = sandbox.finish('--shell', 'echo kept')
    check_some(place_problems(run.result, 5, 10), 'the index tells of a loss')


if __name__ == '__main__':
    sys.exit(main())
