# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 19, 20, 29, 35 and 38, and the jobs of "stubborn", for the window process: `stint --foreground` on a display and
# a bus of its own, to which clients hand the jobs.

import os
import resource
import signal
import subprocess
import sys
import time

from apps import App
from hosts import *


subtest('row 19: the app is SIGKILLed with ten jobs')(lambda sandbox: check_host_killed(sandbox, App))
for number in STOPS:
    subtest(f'row 20: {number.name} to the app with ten jobs')(
        lambda sandbox, number=number: check_host_signalled(sandbox, App, number))
for order in ORDERS:
    subtest(f'row 38: SIGTERM to every process of the app\'s session, {order}')(
        lambda sandbox, order=order: check_logout(sandbox, App, order))


@subtest('row 20: SIGINT twice is at once')
def twice(sandbox):
    app = App(sandbox)
    app.start('trap "echo asked" TERM; echo ready; ' + FOR_EVER, '--grace', '600s')
    app.wait_ready()
    app.signal(signal.SIGINT)
    wait_until(lambda: b'asked' in transcript(sandbox, app.jobs[0]), 'the job to be asked')
    asked_at = time.time()
    with Noise() as noise:
        app.signal(signal.SIGINT)
        app.wait()
    row, = history_rows(sandbox).values()
    # Not when the app was gone: a sanitizer looks for leaks before that.
    check_time((row['started_at'] + row['duration']) / 1e6 - asked_at, noise.allow(2), 'the job was there for')
    check_equal((row['reason'], row['signal'], row['escalated']), ('cancelled', signal.SIGKILL, 1), 'row')


@subtest('row 35: the app is stopped while its jobs reach their limits')
def stopped_at_the_limits(sandbox):
    app = App(sandbox)
    limits = {}
    with Noise() as noise:
        for options, line, limit, at_most in (
                (['--timeout', '3s', '--grace', '5s'], 'echo ready; ' + FOR_EVER, 3.0, 3.1),
                (['--timeout', '3s', '--grace', '500ms'], 'trap "" TERM; echo ready; ' + FOR_EVER, 3.5, 3.6),
                (['--idle-timeout', '3s', '--grace', '5s'], 'echo ready; ' + FOR_EVER, 3.0, 3.3),
                (['--timeout', '3s', '--grace', '5s'], 'echo ready; while :; do echo flood; done', 3.0, 3.1)):
            limits[app.start(line, *options)] = (limit, at_most)
        app.wait_ready()
        os.kill(app.process.pid, signal.SIGSTOP)
        if list((sandbox.state / 'stint' / 'jobs').glob('*/outcome')):
            raise TooLate('a job had ended before')
        wait_until(lambda: len(list((sandbox.state / 'stint' / 'jobs').glob('*/outcome'))) == len(limits), 'the keepers')
        check_equal(read_process(app.process.pid).state, 'T', 'the app was not stopped')
        late = noise.allow(0)
    os.kill(app.process.pid, signal.SIGCONT)
    wait_until(lambda: all(row['state'] == 'finished' for row in history_rows(sandbox).values()), 'the rows')
    for id, row in history_rows(sandbox).items():
        check_none(row_problems(row))
        check(row['reason'] in ('timeout', 'idle-timeout'), f'{row["reason"]}')
        lived, (at_least, at_most) = row['duration'] / 1e6, limits[id]
        check(lived >= at_least - 0.001, f'job {id} lived {lived} s, less than {at_least}')
        check_time(lived, at_most + late, f'job {id} lived')
    # I2: and it has reaped what it started.
    wait_until(lambda: not zombies_of({app.process.pid}), 'no zombie of the app')
    app.signal(signal.SIGTERM)
    app.wait()


@subtest('row 29: no descriptors are left to the app: the new job says so, the others go on')
def without_descriptors(sandbox):
    # GTK warns of pictures that it cannot open.
    sandbox.environment.pop('G_DEBUG', None)
    app = App(sandbox)
    go_on = 'echo ready; while [ ! -e "$D/go" ]; do sleep 0.05; done; echo done; exit 3'
    for extra in ((), ('--tty',)):
        app.start(go_on, '--grace', '5s', *extra)
    app.wait_ready()
    limits = resource.prlimit(app.process.pid, resource.RLIMIT_NOFILE)
    # What is open stays so. Almost as many as are open have to be allowed: poll() takes no more.
    number = len(os.listdir(f'/proc/{app.process.pid}/fd'))
    resource.prlimit(app.process.pid, resource.RLIMIT_NOFILE, (number - 4, limits[1]))
    refused = subprocess.run([os.environ['STINT_STINT'], '--kind', 'shell', '--shell', 'echo out'], cwd=sandbox.directory,
                             env=sandbox.environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                             stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False)
    # By whom it is refused depends on where the last one went.
    if refused.returncode != 0:
        check('open files' in refused.stderr, f'{refused}')
    sandbox.path('go').touch()
    wait_until(lambda: all(row['state'] == 'finished' for row in history_rows(sandbox).values()),
               lambda: f'the others: {history_rows(sandbox)}')
    rows = history_rows(sandbox)
    for id in app.jobs:
        check_none(row_problems(rows[id]))
        check_equal((rows[id]['reason'], rows[id]['exit_code']), ('exited', 3), 'ending')
        check_equal(transcript(sandbox, id).split(), [b'ready', b'done'], 'transcript')
    for id in rows.keys() - set(app.jobs):
        check_equal(rows[id]['reason'], 'failed', 'the refused job')
        check('open files' in rows[id]['error'], rows[id]['error'])
    check(refused.returncode != 0 or len(rows) > 2, lambda: f'nobody was told: {app.last_words()}')
    resource.prlimit(app.process.pid, resource.RLIMIT_NOFILE, limits)
    last = app.start('echo ready', '--grace', '5s')
    wait_until(lambda: history_rows(sandbox)[last]['state'] == 'finished', 'the one that has what it needs')
    check_equal(history_rows(sandbox)[last]['reason'], 'exited', 'reason')
    app.signal(signal.SIGTERM)
    app.wait()


def with_descriptors(number):
    """An option of a process: it may have so many open at once, and cannot allow itself more."""
    return {'preexec_fn': lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))}


@subtest('row 29: the app may open too few files: it does not start, and says what to do')
def too_few_descriptors(sandbox):
    for number in (20, 40, 127):
        try:
            App(sandbox, **with_descriptors(number))
        except Failure as failure:
            said = str(failure)
        else:
            raise Failure(f'it started with {number}')
        check(f'Only {number} files may be open' in said and 'ulimit -n 128' in said, said)
    check(not history_file(sandbox).exists(), 'it has begun a history')


@subtest('row 29: the app may open as few files as it asks for')
def enough_descriptors(sandbox):
    app = App(sandbox, **with_descriptors(128))
    for extra in ((), ('--tty',)) * 3:
        app.start('echo ready', '--grace', '5s', *extra)
    wait_until(lambda: len(rows := history_rows(sandbox)) == 6 and all(row['state'] == 'finished' for row in rows.values()),
               lambda: f'the jobs: {history_rows(sandbox)}')
    for row in history_rows(sandbox).values():
        check_equal((row['reason'], row['error']), ('exited', None), 'ending')
    check('open files' not in app.last_words(), app.last_words())
    app.signal(signal.SIGTERM)
    check_equal(app.wait(), {0}, 'exit status')


@subtest('50 stubborn jobs at once in the app: their timeout, and SIGTERM')
def stubborn(sandbox):
    app = App(sandbox)
    for i in range(50):
        limits = ['--timeout', '4s'] if i % 2 == 0 else []
        app.start(STUBBORN, *limits, '--grace', '1s')
    app.wait_ready()
    wait_until(lambda: sum(row['state'] == 'finished' for row in history_rows(sandbox).values()) == 25, 'the limits')
    app.signal(signal.SIGTERM)
    app.wait()
    check_none(left_processes(sandbox, keepers=False), 'left')
    for id, row in history_rows(sandbox).items():
        check_none(row_problems(row))
        check_equal((row['reason'], row['signal'], row['escalated']),
                    ('timeout' if id in app.jobs[::2] else 'cancelled', signal.SIGKILL, 1), f'job {id}')


@control('row 19, the app: keepers that do not watch for the end of their engine')
def without_engine_watch(sandbox):
    sandbox.environment['STINT_KEEPER'] = str(without('end-of-file'))
    app = App(sandbox)
    start_all(sandbox, app)
    app.signal(signal.SIGKILL)
    app.wait()
    killed_at = time.monotonic()
    wait_until(lambda: time.monotonic() - killed_at > GRACE + 1, 'the grace and a second')
    check_some(left_processes(sandbox, keepers=False), 'all ended')
    check_some(interrupted_problems(sandbox), 'all is known')


if __name__ == '__main__':
    sys.exit(main())
