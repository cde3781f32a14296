# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 29, 31 and 34: what a job needs and does not get. Descriptors, processes, memory, a history that can be used, and
# the permission to end what it has started.

import contextlib
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys

from harness import *
from histories import *


# Row 29

@subtest('row 29: no descriptors left: it says so, or it works')
def few_descriptors(sandbox):
    failed = 0
    for limit in (11, 14, 17, 20, 24, 28, 32, 48, 256):
        run = sandbox.finish('--shell', 'echo out', json=False,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
        check_none(run.left, f'left with {limit}')
        if run.status == 125:
            failed += 1
            check('open files' in run.err and 'ulimit -n' in run.err, f'with {limit} it says {run.err!r}')
        else:
            check_equal((run.status, run.out), (0, b'out\n'), f'with {limit}: {run.err}')
    check(0 < failed < 9, f'{failed} of 9 failed')
    recover(sandbox)


@subtest('row 29: no descriptors left to read the history: it says so')
def few_descriptors_to_read(sandbox):
    with_history(sandbox)
    said = [subprocess.run([sandbox.stintctl, 'show', '1'], env=sandbox.environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))).stderr
            for limit in (4, 5)]
    check(all('open files' in words and 'ulimit -n' in words for words in said), f'{said}')


@contextlib.contextmanager
def user_of_its_own(sandbox):
    """A user whose processes are only ours: the limit counts all that a user has."""
    uid = 200000 + os.getpid()
    make_usable_by_others(sandbox)
    if os.geteuid() == 0:
        for path in [sandbox.directory, *sandbox.directory.iterdir()]:
            os.chown(path, uid, uid)
    yield {'user': uid, 'group': uid, 'extra_groups': []} if os.geteuid() == 0 else {}


def keeper_with_processes(sandbox, limit):
    wrapper = sandbox.path(f'keeper-with-{limit}')
    wrapper.write_text(f'#!/bin/sh\nulimit -p {limit}\nexec {sandbox.keeper}\n')
    wrapper.chmod(0o755)
    return wrapper


@subtest('row 29: fork is refused')
def fork_refused(sandbox):
    with user_of_its_own(sandbox) as options:
        run = sandbox.finish('--shell', 'echo out', keeper=keeper_with_processes(sandbox, 1), **options)
        check_equal(run.status, 125, 'status')
        result = run.check_saved()
        check_equal(result['reason'], 'failed', 'reason')
        check('Resource temporarily unavailable' in result['error'], result['error'])
        # The next one gets what it needs.
        run = sandbox.finish('--shell', 'echo out', keeper=keeper_with_processes(sandbox, 1000), **options)
        check_equal((run.status, run.out), (0, b'out\n'), 'with processes enough')


@control('row 29: a shell whose fork is refused')
def shell_fork_refused(sandbox):
    with user_of_its_own(sandbox) as options:
        done = subprocess.run(['sh', '-c', 'ulimit -p 1; (echo out)'], stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.DEVNULL, **options)
        check(done.returncode != 0 and not done.stdout, 'the limit was not felt')


# Memory

def withhold_memory(pid):
    """From now on whatever this process asks for is refused."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_AS)
    resource.prlimit(pid, resource.RLIMIT_AS, (1, hard))


# A sanitizer's allocator ends a process to which memory is refused: then the other half must see to the end.
STARVED = ('cancelled', 'interrupted') if os.environ.get('STINT_TEST_SANITIZED') == '1' else ('cancelled',)

STUBBORN = ('(setsid sh -c \'trap "" TERM HUP; echo daemon; while :; do sleep 1000; done\' &); '
            'until [ -e "$D/go" ]; do sleep 0.01; done; head -c 3000000 /dev/zero; echo end; '
            'while :; do sleep 1000; done')


def starve(sandbox, which):
    run = sandbox.run('--grace', '300ms', '--timeout', '600s', '--shell', STUBBORN)
    run.wait_output(b'daemon')
    keepers = wait_until(lambda: (pair := keepers_of(run.pid))[1] and pair, 'both keepers')
    withhold_memory(keepers[which])
    return run, keepers


@subtest('memory is refused to the worker: it records, stops and writes as ever')
def starved_worker(sandbox):
    run, _ = starve(sandbox, 1)
    sandbox.path('go').touch()
    run.wait_output(b'end')
    run.process.send_signal(signal.SIGTERM)
    result = run.finish().check_saved()
    check(result['reason'] in STARVED, f'it was {result["reason"]}')
    check(result['stdoutBytes'] >= 3000000, f'{result["stdoutBytes"]} bytes')
    check_none(run.left, 'left')


@subtest('memory is refused to the warden, and the worker is killed')
def starved_warden(sandbox):
    run, (_, worker) = starve(sandbox, 0)
    kill_quietly(worker)
    result = run.finish().check_saved()
    check_equal(result['reason'], 'interrupted', 'reason')
    check_none(left_processes(sandbox, keepers=False), 'left')


@control('memory is refused to a program that asks for it')
def starved_program(sandbox):
    helper = sandbox.helper([sys.executable, '-Ic', 'import sys; print("ready", flush=True); sys.stdin.read(1); '
                             'bytearray(64 << 20); print("had it")'],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    check_equal(helper.stdout.readline(), b'ready\n', 'output')
    withhold_memory(helper.pid)
    out, _ = helper.communicate(b'x', timeout=PATIENCE)
    check(helper.returncode != 0 and not out, 'the limit was not felt')


# Row 31

def history_problems_of_run(sandbox, run, *, kept):
    """Whether the job ran as ever, and what was said."""
    problems = []
    if (run.status, run.out) != (3, b'out\n'):
        problems.append(f'status {run.status}, output {run.out!r}')
    if not run.err.strip():
        problems.append('nothing was said')
    if kept and not history_rows(sandbox):
        problems.append('it is not in the history')
    return problems


LINE = ('--shell', 'echo out; exit 3')


@subtest('row 31: the history is damaged')
def damaged_history(sandbox):
    with_history(sandbox)
    damaged = b'not a database at all\n' * 1000
    history_file(sandbox).write_bytes(damaged)
    run = sandbox.finish(*LINE, json=False)
    check_none(history_problems_of_run(sandbox, run, kept=True))
    moved, = aside(sandbox, 'damaged')
    check(moved.is_dir() or moved.read_bytes() == damaged, 'what was moved aside is not what was there')
    sandbox.checks_history = False


@subtest('row 31: the history is from a newer version')
def newer_history(sandbox):
    with_history(sandbox)
    with contextlib.closing(sqlite3.connect(history_file(sandbox))) as connection:
        connection.execute('PRAGMA user_version = 1000')
    run = sandbox.finish(*LINE, json=False)
    check_none(history_problems_of_run(sandbox, run, kept=True))
    # With what belongs to it.
    check(aside(sandbox, 'newer'), 'it was not moved aside')
    sandbox.checks_history = False


@subtest('row 31: the history is locked')
def locked_history(sandbox):
    with_history(sandbox)
    with contextlib.closing(sqlite3.connect(history_file(sandbox), isolation_level=None)) as connection:
        connection.execute('BEGIN EXCLUSIVE')
        run = sandbox.finish(*LINE, json=False)
        check_none(history_problems_of_run(sandbox, run, kept=False))
        connection.execute('ROLLBACK')
    check_equal(len(history_rows(sandbox)), 1, 'rows')
    check(not aside(sandbox, 'damaged'), 'it was moved aside')


@subtest('row 31: the disk is full')
def full_disk(sandbox):
    before = with_history(sandbox)
    # No file may be longer than this, so that what a row takes does not fit in, and what starts a job does.
    run = sandbox.finish(*LINE, json=False, preexec_fn=lambda: (
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))))
    check_none(history_problems_of_run(sandbox, run, kept=True))
    check_equal(history_file(sandbox).read_bytes(), before, 'the database')
    check_equal(len(history_rows(sandbox)), 1, 'rows')


@control('row 31: a sound history has nothing to say')
def sound_history(sandbox):
    with_history(sandbox)
    run = sandbox.finish(*LINE, json=False)
    check_some(history_problems_of_run(sandbox, run, kept=True), 'something was said')
    check(not aside(sandbox, 'damaged') + aside(sandbox, 'newer'), 'it was moved aside')


# Row 34

def setuid_program(sandbox):
    program = sandbox.path('become-root')
    shutil.copy(os.environ['STINT_BECOME_ROOT'], program)
    make_usable_by_others(sandbox)
    os.chown(program, 0, 0)
    program.chmod(0o4755)
    return program


def terminate(run):
    run.wait_output(b'ready')
    run.process.terminate()
    run.finish()
    return run.result


# Only root can make a program of root's. Whoever else runs the tests may end all that they start.
if os.geteuid() == 0:
    @subtest('row 34: what became root is named as a survivor, and not waited for')
    def setuid_survivor(sandbox):
        program = setuid_program(sandbox)
        run = sandbox.run('--grace', '300ms', program, 'stay', **as_ordinary_user())
        result = terminate(run)
        check_equal((run.status, result['reason']), (143, 'cancelled'), 'ending')
        check_equal([entry['name'] for entry in result['survivors']], ['become-root'], 'survivors')
        survivor = result['survivors'][0]['pid']
        check(is_alive(survivor), 'it was ended after all')
        row = history_rows(sandbox)[result['id']]
        check_equal(row['state'], 'finished', 'row')
        check('become-root' in row['survivors'], row['survivors'])
        os.kill(survivor, signal.SIGKILL)

    @subtest('row 34: what became root in the tree of a shell does not keep the rest')
    def setuid_in_tree(sandbox):
        program = setuid_program(sandbox)
        run = sandbox.run('--grace', '300ms', '--shell', f'(setsid sleep 1000 &); {program} stay & sleep 1000',
                          **as_ordinary_user())
        result = terminate(run)
        check_equal([entry['name'] for entry in result['survivors']], ['become-root'], 'survivors')
        survivor = result['survivors'][0]['pid']
        os.kill(survivor, signal.SIGKILL)

    @subtest('row 34: on a terminal it ends with its terminal')
    def setuid_on_terminal(sandbox):
        program = setuid_program(sandbox)
        run = sandbox.run('--tty', '--grace', '300ms', program, **as_ordinary_user())
        result = terminate(run)
        check_equal((run.status, result['reason'], result['survivors']), (143, 'cancelled', []), 'ending')

    @control('row 34: as root nothing survives')
    def as_root(sandbox):
        program = setuid_program(sandbox)
        run = sandbox.run('--grace', '300ms', program, 'stay')
        result = terminate(run)
        check_equal((result['survivors'], run.left), ([], []), 'survivors')


if __name__ == '__main__':
    sys.exit(main())
