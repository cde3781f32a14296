# SPDX-License-Identifier: GPL-3.0-or-later
#
# What follows a job of `stintctl run`: further lines, retries, and that neither outlives being asked to end; and
# jobs that start later.

import contextlib
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *


def results_of(run):
    """Each job's result, in order."""
    text, results = run.json_file.read_text(encoding='utf-8'), []
    while text.strip():
        result, end = json.JSONDecoder().raw_decode(text.lstrip())
        results.append(result)
        text = text.lstrip()[end:]
    return results


@subtest('what follows runs as ;, && and || do, and the last one\'s status is ours')
def conditions(sandbox):
    success, failure = '--then-on-success', '--then-on-failure'
    cases = [
        ([success, 'echo s; exit 4', 'true'], b's\n', 4),
        ([success, 'echo s', 'false'], b'', 1),
        ([failure, 'echo f', 'true'], b'', 0),
        ([failure, 'echo f', 'false'], b'f\n', 0),
        (['--then', 'echo a; false', failure, 'echo f; exit 7', '--then', 'echo b; exit 5', 'true'], b'a\nf\nb\n', 5),
        ([success, 'echo s', failure, 'echo f', '/no/such/command'], b'f\n', 0),
    ]
    for arguments, out, status in cases:
        run = sandbox.finish(*arguments)
        check_equal((run.out, run.status), (out, status), f'{arguments}: {run.err}')
        check_none(run.left, 'left')


@subtest('each has its own row and its own result object')
def results(sandbox):
    run = sandbox.finish('--name', 'first', '--then', 'exit 5', '--tag', 'nightly', 'false')
    first, second = results_of(run)
    check_equal((first['name'], first['exitCode'], second['argv'], second['exitCode']),
                ('first', 1, ['/bin/sh', '-c', 'exit 5'], 5), 'results')
    check_equal(second['cwd'], str(sandbox.directory), 'directory')
    rows = history_rows(sandbox)
    check(first['id'] in rows and second['id'] in rows, f'{sorted(rows)}')


@subtest('a failure is tried again, longer and longer apart, until it succeeds')
def retries(sandbox):
    counter = sandbox.path('counter')
    line = f'echo x >> {counter}; test $(wc -l < {counter}) -ge 3'
    run = sandbox.finish('--retry', '5', '--retry-delay', '100ms', '--then-on-success', 'echo done', '--shell', line)
    check_equal((run.status, run.out, counter.read_text()), (0, b'done\n', 'x\nx\nx\n'), run.err)
    check('Retry 1 of 5' in run.err and 'Retry 2 of 5' in run.err, run.err)
    starts = [result['startedAt'] for result in results_of(run)]
    check_equal(len(starts), 4, 'results')

    run = sandbox.finish('--retry', '2', '--retry-delay', '0', '--quiet', 'sh', '-c', 'exit 9')
    check_equal((run.status, run.err, len(results_of(run))), (9, '', 3), 'the last status')


@subtest('without --retry nothing is tried again')
def no_retry(sandbox):
    for arguments in (['false'], ['--idle-timeout', '50ms', 'sleep', '1000'], ['--timeout', '50ms', 'sleep', '1000']):
        check_equal(len(results_of(sandbox.finish(*arguments))), 1, f'{arguments}')


@subtest('a signal ends the job and all that would have followed')
def signalled(sandbox):
    for arguments in (['--then', 'echo never', '--retry', '3'], ['--then-on-failure', 'echo never']):
        run = sandbox.run(*arguments, '--shell', 'echo ready; sleep 1000')
        run.wait_output(b'ready')
        run.process.send_signal(signal.SIGTERM)
        check_equal((run.finish().status, run.out), (143, b'ready\n'), run.err)
        check_equal([result['reason'] for result in results_of(run)], ['cancelled'], 'results')


@subtest('a signal ends the wait for a retry, too')
def signalled_between(sandbox):
    run = sandbox.run('--retry', '3', '--retry-delay', '1h', '--shell', 'echo ready; exit 1')
    wait_until(lambda: 'Retry 1 of 3' in run.err, 'the retry to be announced')
    run.process.send_signal(signal.SIGTERM)
    check_equal((run.finish().status, run.out), (143, b'ready\n'), run.err)


@subtest('a job starts when its time has come, and not before')
def later(sandbox):
    begun = time.time()
    run = sandbox.finish('--in', '700ms', 'true')
    check_equal(run.status, 0, run.err)
    check(time.time() - begun >= 0.7, 'it started too early')
    # A full second that has not begun: by the wall clock.
    at = time.localtime(int(time.time()) + 2)
    run = sandbox.finish('--at', time.strftime('%Y-%m-%d %H:%M:%S', at), 'date', '+%s')
    check_equal(run.status, 0, run.err)
    check(int(run.out) >= time.mktime(at), f'{run.out}, and not before {time.mktime(at)}')


@subtest('the history knows what each followed, and which attempt it was')
def origins(sandbox):
    sandbox.finish('--retry', '1', '--retry-delay', '10ms', '--then', 'true', 'false', json=False)
    for verb in (['show'], ['history', 'show']):
        origins = []
        for number in ('1', '2', '3'):
            shown = subprocess.run([sandbox.stintctl, *verb, '--json', number], env=sandbox.environment, check=True,
                                   stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
            facts = json.loads(shown.stdout)
            origins.append((facts.get('follows'), facts['attempt']))
        check_equal(origins, [(None, 1), (1, 2), (2, 1)], ' '.join(verb))
        words = subprocess.run([sandbox.stintctl, *verb, '2'], env=sandbox.environment, check=True,
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE).stdout
        check('Follows' in words and 'Attempt' in words, words)


@subtest('a history that nobody has brought up to date yet can be read')
def earlier_schema(sandbox):
    state = pathlib.Path(sandbox.environment['XDG_STATE_HOME']) / 'stint'
    state.mkdir(parents=True)
    sample = pathlib.Path(__file__).parent.parent / 'history' / 'samples' / 'schema-3.sql'
    with contextlib.closing(sqlite3.connect(state / 'history.db')) as database:
        database.executescript(sample.read_text(encoding='utf-8'))
    shown = subprocess.run([sandbox.stintctl, 'show', '--json', '1'], env=sandbox.environment,
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    check_equal(shown.returncode, 0, shown.stderr)
    check_equal(json.loads(shown.stdout)['attempt'], 1, 'attempt')


@subtest('what is cancelled before its time is kept as that')
def cancelled_early(sandbox):
    run = sandbox.run('--in', '1h', 'true')
    # Until then it has no handler: it watches for the signal before it waits.
    wait_until(lambda: caught(run.pid, signal.SIGTERM), 'the handler')
    run.process.send_signal(signal.SIGTERM)
    run.finish()
    check_equal((run.status, run.result['reason'], run.result['startedAt']), (143, 'cancelled', None), run.err)


def caught(pid, number):
    for line in open(f'/proc/{pid}/status', encoding='utf-8'):
        if line.startswith('SigCgt:'):
            return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


@subtest('a silence is told of, and the job goes on')
def told_of_silence(sandbox):
    run = sandbox.finish('--idle-timeout', '200ms', '--on-idle', 'notify', '--shell', 'sleep 1; exit 3')
    check_equal(run.status, 3, run.err)
    check('No output for 200 ms' in run.err, run.err)
    control = sandbox.finish('--idle-timeout', '200ms', '--shell', 'sleep 1; exit 3')
    check_equal(control.status, 124, control.err)


if __name__ == '__main__':
    sys.exit(main())
