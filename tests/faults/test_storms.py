# SPDX-License-Identifier: GPL-3.0-or-later
#
# The job that does all it can to stay, ended in each of the ways there are; once, and fifty times at once.

import os
import signal
import sys
import time

from hosts import *

MANY = 50

WAYS = {
    # name: options, signal to stintctl, reason, exit status
    # Time enough for fifty to become stubborn.
    'timeout': (['--timeout', '3s'], None, 'timeout', 124),
    'idle timeout': (['--idle-timeout', '3s'], None, 'idle-timeout', 124),
    'SIGTERM to stintctl': ([], signal.SIGTERM, 'cancelled', 143),
    'SIGINT to stintctl': ([], signal.SIGINT, 'cancelled', 130),
    'SIGHUP to stintctl': ([], signal.SIGHUP, 'cancelled', 129),
}


def end_some(sandbox, count, options, number):
    """Runs @count of them, ends them by signal @number or by their limits, and waits for stintctl."""
    began = time.monotonic()
    runs = [sandbox.run(*options, '--grace', '1s', '--shell', STUBBORN) for _ in range(count)]
    if number is not None:
        for run in runs:
            run.wait_output(b'ready')
        for run in runs:
            run.process.send_signal(number)
    for run in runs:
        run.finish()
    return runs, time.monotonic() - began


def check_way(sandbox, count, name):
    options, number, reason, status = WAYS[name]
    runs, lasted = end_some(sandbox, count, options, number)
    check(lasted >= (4 if number is None else 1), f'it took only {lasted} s')
    for run in runs:
        result = run.check_saved()
        check_equal(result['survivors'], [], 'survivors')
        check_equal((result['reason'], result['escalated'], result['signal'], result['exitCode'], run.status),
                    (reason, True, 'SIGKILL', None, status), name)
    # At once, and not when the end of the subtest has waited for it.
    check_none(left_processes(sandbox, keepers=False), name)


for way in WAYS:
    subtest(f'a stubborn job: {way}')(lambda sandbox, way=way: check_way(sandbox, 1, way))
    subtest(f'{MANY} stubborn jobs at once: {way}')(lambda sandbox, way=way: check_way(sandbox, MANY, way))


@subtest('a stubborn job: how long it lives is what was said')
def lives_as_long_as_said(sandbox):
    with Noise() as noise:
        runs, lasted = end_some(sandbox, 1, ['--timeout', '1s'], None)
    milliseconds = runs[0].check_saved()['durationMs']
    check(milliseconds >= 2000, f'it lived {milliseconds} ms')
    check_time(milliseconds / 1000, noise.allow(2.1), 'it lived')


def check_killed(sandbox, count):
    """stintctl itself is killed: nobody is left to wait for, and the keepers end what they keep."""
    runs = [sandbox.run('--grace', '1s', '--shell', STUBBORN) for _ in range(count)]
    for run in runs:
        run.wait_output(b'ready')
    for run in runs:
        run.process.kill()
    for run in runs:
        check_equal(run.wait(), -signal.SIGKILL, 'stintctl')
    wait_until(lambda: not left_processes(sandbox), 'the end of every process')
    check_equal({row['state'] for row in history_rows(sandbox).values()}, {'running'}, 'state before recovery')
    check_equal(recover(sandbox), count, 'recovered')
    for row in history_rows(sandbox).values():
        check_equal((row['reason'], row['signal'], row['escalated']), ('interrupted', signal.SIGKILL, 1), 'row')
        check_none(row_problems(row))


@subtest('a stubborn job: SIGKILL to stintctl')
def killed(sandbox):
    check_killed(sandbox, 1)


@subtest(f'{MANY} stubborn jobs at once: SIGKILL to stintctl')
def killed_many(sandbox):
    check_killed(sandbox, MANY)


@control('a stubborn job under timeout')
def stubborn_under_timeout(sandbox):
    sandbox.helper(['timeout', '-k', '0.3', '0.3', 'sh', '-c', STUBBORN]).wait(PATIENCE)
    check_some(left_processes(sandbox), 'timeout ended all of it')


@control('a stubborn job whose keeper does not watch for the end of stintctl')
def without_engine_watch(sandbox):
    run = sandbox.run('--grace', '100ms', '--shell', STUBBORN, keeper=without('end-of-file'))
    run.wait_output(b'ready')
    run.process.kill()
    run.wait()
    killed_at = time.monotonic()
    wait_until(lambda: time.monotonic() - killed_at > 1.2, 'its grace and a second')
    check_some(left_processes(sandbox, keepers=False), 'it ended')
    check_some(history_problems(sandbox), 'the row that nobody has recovered was taken for complete')


if __name__ == '__main__':
    sys.exit(main())
