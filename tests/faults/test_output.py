# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 4 and 36: not a byte is lost, neither at the end of the job nor because somebody reads slowly.

import os
import pathlib
import signal
import struct
import subprocess
import sys
import time

from harness import *

MEGABYTE = 1 << 20

# Writes what can be told apart byte by byte: numbers of four bytes.
WRITER = '''
import os, struct, sys, time
size, fds = int(sys.argv[1]), [int(fd) for fd in sys.argv[2].split(",")]
while not os.path.exists(os.environ["D"] + "/go"):
    time.sleep(0.005)
data = b"".join(struct.pack(">I", 0x21212121 + i % 0x3f + (i // 0x3f % 0x3f << 8) + (i // 0xf81 % 0x3f << 16)) for i in range(size // 4))
if os.isatty(fds[0]):
    import tty
    tty.setraw(fds[0])
for fd in fds:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest):]
os._exit(0)
'''


def written(size):
    return b''.join(struct.pack('>I', 0x21212121 + i % 0x3f + (i // 0x3f % 0x3f << 8) + (i // 0xf81 % 0x3f << 16))
                    for i in range(size // 4))


# Row 4

def exit_with_unread(sandbox, size, descriptors, *arguments, keeper=None):
    """A job that writes and exits at once, while nobody reads: its keeper stands still."""
    run = sandbox.run(*arguments, sys.executable, '-Ic', WRITER, str(size), descriptors, keeper=keeper)
    warden, worker = wait_until(lambda: (pair := keepers_of(run.pid))[1] and pair, 'the keepers')
    leader = wait_until(lambda: [p for p in all_processes().values() if p.parent == worker and p.name != 'stint-keeper'
                                 and not p.name.startswith('keeper-')], 'the command')[0]
    freeze(warden, worker)
    sandbox.path('go').touch()
    wait_until(lambda: read_process(leader.pid).state == 'Z', 'the command to end')
    thaw(warden, worker)
    return run.finish()


def loss_problems(run, size, descriptors, tty=False):
    """What of the output is missing in the transcript, the result, and what was passed on."""
    problems = []
    expected = written(size)
    result = run.result
    streams = {'stdout': (run.out, 1), 'stderr': (run.stderr.data, 2)}
    for name, (passed, fd) in streams.items():
        if fd not in descriptors or tty and fd == 2:
            continue
        if bytes(passed) != expected:
            problems.append(f'{name}: {len(passed)} bytes were passed on')
        if result[name + 'Bytes'] != size:
            problems.append(f'{name}: {result[name + "Bytes"]} bytes were counted')
        if result[name] != expected[-MEGABYTE:].decode('latin-1'):
            problems.append(f'{name}: {len(result[name])} characters are in the result')
    transcript = pathlib.Path(result['transcript']).stat().st_size
    if transcript != size * len(descriptors):
        problems.append(f'{transcript} bytes are in the transcript')
    return problems


def pipe_room():
    """What a job's pipe holds, of this user and just now."""
    return MEGABYTE if os.geteuid() == 0 else 65536


@subtest('row 4: exit with a full pipe of unread output')
def unread_pipe(sandbox):
    run = exit_with_unread(sandbox, pipe_room(), '1')
    check_none(loss_problems(run, pipe_room(), {1}))
    run.check_saved()


@subtest('row 4: exit with two full pipes of unread output')
def unread_pipes(sandbox):
    run = exit_with_unread(sandbox, pipe_room(), '1,2')
    check_none(loss_problems(run, pipe_room(), {1, 2}))
    run.check_saved()


@subtest('row 4: exit with unread output on a terminal')
def unread_terminal(sandbox):
    # No more than that fits into the terminal, without a reader.
    run = exit_with_unread(sandbox, 2048, '1', '--tty')
    check_none(loss_problems(run, 2048, {1}, tty=True))
    run.check_saved()


@subtest('row 4: a burst of a megabyte and the exit right behind it')
def burst(sandbox):
    sandbox.path('go').touch()
    for extra in ([], ['--tty']):
        run = sandbox.finish(*extra, sys.executable, '-Ic', WRITER, str(MEGABYTE), '1')
        check_none(loss_problems(run, MEGABYTE, {1}, tty=bool(extra)), str(extra))
        run.check_saved()


@control('row 4: a keeper that does not drain')
def without_drain(sandbox):
    if pipe_room() < MEGABYTE:
        # One read takes it all then; the first of two streams is read, the second not.
        run = exit_with_unread(sandbox, pipe_room(), '1,2', keeper=without('drain'))
        run.result
        return
    run = exit_with_unread(sandbox, MEGABYTE, '1', keeper=without('drain'))
    check_some(loss_problems(run, MEGABYTE, {1}), 'nothing was lost')


# Row 36

BLOCKS = 64 if SANITIZED else 2048
PAUSE = 2.5
PAUSES = 2
FLOOD = '''
import os, struct, sys
rest = bytes(range(256)) * 4096
for number in range(int(sys.argv[1])):
    block = memoryview(struct.pack(">Q", number) + rest[8:])
    while block:
        block = block[os.write(1, block):]
'''


def read_slowly(fd):
    """Takes everything, with pauses that are longer than the job's idle limit. Returns: what was wrong with it."""
    rest = (bytes(range(256)) * 4096)[8:]
    pause_at = {BLOCKS * (i + 1) // (PAUSES + 1) for i in range(PAUSES)}
    block = bytearray(MEGABYTE)
    for number in range(BLOCKS):
        if number in pause_at:
            resume_at = time.monotonic() + PAUSE
            wait_until(lambda: time.monotonic() >= resume_at, 'the end of the pause')
        view, filled = memoryview(block), 0
        while filled < MEGABYTE:
            n = os.readv(fd, [view[filled:]])
            if n == 0:
                return [f'the end came after {number} MiB and {filled} bytes']
            filled += n
        if block[:8] != struct.pack('>Q', number) or block[8:] != rest:
            return [f'block {number} is wrong']
    return ['there is more'] if os.read(fd, 1) else []


def slow_reader(sandbox, keeper=None):
    reader, writer = os.pipe()
    run = sandbox.run('--idle-timeout', '2s', '--output-limit', '1M', sys.executable, '-Ic', FLOOD, str(BLOCKS),
                      stdout=writer, keeper=keeper)
    os.close(writer)
    problems = read_slowly(reader)
    os.close(reader)
    return run.finish(), problems


@subtest('row 36: a reader that is slower than the job and its idle limit gets every byte')
def slow_reader_gets_all(sandbox):
    run, problems = slow_reader(sandbox)
    check_none(problems)
    result = run.check_saved()
    check_equal((result['reason'], result['exitCode'], run.status), ('exited', 0, 0), 'ending')
    check_equal((result['stdoutBytes'], result['truncated']), (BLOCKS * MEGABYTE, True), 'bytes')
    check(result['durationMs'] >= (PAUSES - 1) * PAUSE * 1000, 'the job did not wait for its reader')
    directory = pathlib.Path(result['transcript']).parent
    on_disk = sum(path.stat().st_blocks * 512 for path in directory.iterdir())
    check(on_disk <= 1.3 * MEGABYTE, f'{on_disk} bytes are on the disk')
    check(result['stdout'].encode().endswith(bytes(range(128))) or len(result['stdout']) > 100000, 'the end is kept')


@control('row 36: a keeper whose idle clock runs on')
def without_holding(sandbox):
    run, problems = slow_reader(sandbox, keeper=without('hold'))
    check_equal((run.result['reason'], run.status), ('idle-timeout', 124), 'ending')
    check_some(problems, 'the reader got every byte')


if __name__ == '__main__':
    sys.exit(main())
