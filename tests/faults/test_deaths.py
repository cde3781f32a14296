# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 19, 20, 22 and 38: who runs the job is killed, asked to end, or ended together with all the others.
#
# What runs the jobs is a host: so many stintctl, or one app.

import os
import pathlib
import random
import signal
import sys
import time

from harness import *

FOR_EVER = 'while :; do sleep 1000; done'

# Ten jobs, each as hard to end as its kind is, each with its last words; the exit code is the leader's when it is
# asked to end, None: it does not listen.
JOBS = [
    ('echo ready; trap "echo asked; exit 7" TERM; ' + FOR_EVER, 7),
    ('echo ready; trap "echo asked; sleep 0.2; echo done; exit 8" TERM; ' + FOR_EVER, 8),
    ('trap "" TERM; echo ready; ' + FOR_EVER, None),
    ('trap "" TERM HUP INT; echo ready; ' + FOR_EVER, None),
    ('trap "" HUP; echo ready; trap "exit 9" TERM; ' + FOR_EVER, 9),
    ('setsid sh -c "trap \\"\\" TERM HUP; while :; do sleep 1000; done" & echo ready; trap "exit 10" TERM; ' + FOR_EVER, 10),
    ('(setsid sh -c "trap \\"\\" TERM; exec <&- >&- 2>&-; sleep 1000" &); echo ready; ' + FOR_EVER, None),
    ('nohup sleep 1000 >/dev/null & echo ready; trap "exit 11" TERM; ' + FOR_EVER, 11),
    ('seq 1 20000; echo ready; trap "seq 20001 40000; exit 12" TERM; ' + FOR_EVER, 12),
    ('trap "" TERM; (trap "" TERM; yes) & (trap "" TERM; yes >&2) & echo ready; ' + FOR_EVER, None),
]
GRACE = 0.8


class Stintctls:
    """A host of jobs: one stintctl each."""

    name = 'stintctl'

    def __init__(self, sandbox, **options):
        self.sandbox = sandbox
        self.options = options
        self.runs = []

    def start(self, line):
        self.runs.append(self.sandbox.run('--grace', f'{GRACE}s', '--shell', line, **self.options))

    def wait_ready(self):
        for run in self.runs:
            run.wait_output(b'ready')

    def pids(self):
        return [run.pid for run in self.runs]

    def signal(self, number):
        for run in self.runs:
            run.process.send_signal(number)

    def wait(self):
        """Returns: the set of exit statuses."""
        return {run.wait() for run in self.runs}


HOSTS = [Stintctls]


def start_all(sandbox, host, jobs=JOBS):
    for line, _ in jobs:
        host.start(line)
    host.wait_ready()


def transcript(sandbox, id):
    return (sandbox.state / 'stint' / 'jobs' / str(id) / 'output').read_bytes()


# The order in which rows come is that in which the hosts began them, which need not be ours.
def rows_by_line(sandbox):
    return {row['command']: row for row in history_rows(sandbox).values()}


def interrupted_problems(sandbox, jobs=JOBS):
    """Every job is known to have been interrupted, with its true status and all it wrote."""
    problems = []
    rows = rows_by_line(sandbox)
    for line, code in jobs:
        row = rows.get(line)
        what = line[:40]
        problems += [f'{what}: {problem}' for problem in row_problems(row)]
        if row is None or row['state'] != 'finished':
            continue
        if row['reason'] != 'interrupted':
            problems.append(f'{what}: {row["reason"]}')
        if code is not None and row['exit_code'] != code:
            problems.append(f'{what}: exit code {row["exit_code"]}, signal {row["signal"]}')
        if code is None and row['signal'] not in (signal.SIGTERM, signal.SIGKILL):
            problems.append(f'{what}: exit code {row["exit_code"]}, signal {row["signal"]}')
        output = transcript(sandbox, row['id'])
        # What the shell says of its own children, on standard error, at any place.
        said = output.replace(b'Terminated\n', b'').replace(b'Hangup\n', b'')
        size = row['stdout_bytes'] + row['stderr_bytes']
        if len(output) != size - row['lost_bytes']:
            problems.append(f'{what}: {len(output)} bytes of {size} are in the transcript')
        if code == 7 and said != b'ready\nasked\n' or code == 8 and said != b'ready\nasked\ndone\n':
            problems.append(f'{what}: {output!r}')
        if code == 12 and said.split() != [*(b'%d' % i for i in range(1, 20001)), b'ready',
                                             *(b'%d' % i for i in range(20001, 40001))]:
            problems.append(f'{what}: the transcript is not whole')
    return problems


# Row 19

def check_host_killed(sandbox, Host):
    host = Host(sandbox)
    start_all(sandbox, host)
    with Noise() as noise:
        killed_at = time.monotonic()
        host.signal(signal.SIGKILL)
        host.wait()
        wait_until(lambda: not left_processes(sandbox, keepers=False), 'the end of every process')
        lasted = time.monotonic() - killed_at
    check(lasted <= noise.allow(GRACE + 1) * (3 if SANITIZED else 1), f'the last one was gone after {lasted} s')
    wait_until(lambda: not left_processes(sandbox), 'the end of the keepers')
    check_some(interrupted_problems(sandbox), 'nothing was to be recovered')
    check_equal(recover(sandbox), len(JOBS), 'recovered')
    check_none(interrupted_problems(sandbox))
    check_equal(recover(sandbox), 0, 'recovered again')


@subtest('row 19: SIGKILL with a job that leaves no trace: neither a directory')
def scratch_killed(sandbox):
    run = sandbox.run('--no-history', '--grace', '300ms', '--shell', 'trap "" TERM; echo ready; ' + FOR_EVER)
    run.wait_output(b'ready')
    check_equal(len(list(sandbox.temporary.iterdir())), 1, 'directories meanwhile')
    run.process.kill()
    run.wait()
    wait_until(lambda: not left_processes(sandbox), 'the end of every process')
    check(not (sandbox.state / 'stint').exists(), 'there is a history')


@subtest('row 19: recovery waits for a keeper that is still ending its job')
def recovery_waits(sandbox):
    run = sandbox.run('--grace', '1500ms', '--shell', 'trap "sleep 0.5; exit 6" TERM; echo ready; ' + FOR_EVER)
    run.wait_output(b'ready')
    run.process.kill()
    run.wait()
    check_equal(recover(sandbox), 1, 'recovered')
    row, = history_rows(sandbox).values()
    check_equal((row['reason'], row['exit_code']), ('interrupted', 6), 'row')


@control('row 19: keepers that write no outcome')
def without_outcome(sandbox):
    host = Stintctls(sandbox, keeper=without('outcome'))
    start_all(sandbox, host, JOBS[:1])
    host.signal(signal.SIGKILL)
    host.wait()
    wait_until(lambda: not left_processes(sandbox), 'the end of every process')
    check_equal(recover(sandbox), 1, 'recovered')
    check_some(interrupted_problems(sandbox, JOBS[:1]), 'the status was known all the same')


@control('row 19: keepers that do not watch for the end of their engine')
def without_engine_watch(sandbox):
    host = Stintctls(sandbox, keeper=without('engine-watch'))
    start_all(sandbox, host)
    host.signal(signal.SIGKILL)
    host.wait()
    killed_at = time.monotonic()
    wait_until(lambda: time.monotonic() - killed_at > GRACE + 1, 'the grace and a second')
    check_some(left_processes(sandbox, keepers=False), 'all ended')


# Row 20

STOPS = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}


def check_host_signalled(sandbox, Host, number, status):
    host = Host(sandbox)
    start_all(sandbox, host)
    host.signal(number)
    check_equal(host.wait(), {status}, 'exit status')
    check_none(left_processes(sandbox, keepers=False), 'left')
    rows = rows_by_line(sandbox)
    for line, code in JOBS:
        row = rows[line]
        check_none(row_problems(row), line)
        check_equal(row['reason'], 'cancelled', line)
        if code is not None:
            check_equal(row['exit_code'], code, line)
        if line.startswith('trap "" TERM; echo'):
            check_equal((row['signal'], row['escalated']), (signal.SIGKILL, 1), line)


@subtest('row 20: twice is at once')
def twice(sandbox):
    for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGTERM),
                          (signal.SIGHUP, signal.SIGINT)):
        run = sandbox.run('--grace', '600s', '--shell', 'trap "echo asked" TERM; echo ready; ' + FOR_EVER)
        run.wait_output(b'ready')
        run.process.send_signal(first)
        run.wait_output(b'asked')
        run.process.send_signal(second)
        result = run.finish().check_saved()
        check_equal((result['reason'], result['signal'], result['escalated'], run.status),
                    ('cancelled', 'SIGKILL', True, 128 + first), 'ending')


@subtest('row 20: twice is at once while leftovers are being ended, too')
def twice_with_leftovers(sandbox):
    run = sandbox.run('--grace', '600s', '--shell',
                      '(trap "echo asked >\\"$D/asked\\"" TERM; echo ready; ' + FOR_EVER + ') & '
                      'while [ ! -e "$D/go" ]; do sleep 0.01; done; exit 3')
    run.wait_output(b'ready')
    sandbox.path('go').touch()
    wait_until(sandbox.path('asked').exists, 'the leftover to be asked')
    run.process.send_signal(signal.SIGINT)
    # That the first has arrived can only be seen from what it was not: the second follows until it is over.
    wait_until(lambda: run.process.send_signal(signal.SIGINT) or run.process.poll() is not None, 'the end',
               interval=0.2)
    result = run.finish().check_saved()
    check_equal((result['exitCode'], result['escalated'], run.status), (3, True, 130), 'ending')


@subtest('row 20: what the caller ignores stays ignored')
def ignored_signals(sandbox):
    ignore = lambda: [signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGHUP)]
    run = sandbox.run('--shell', 'echo ready; while [ ! -e "$D/go" ]; do sleep 0.01; done; exit 3', preexec_fn=ignore)
    run.wait_output(b'ready')
    run.process.send_signal(signal.SIGINT)
    run.process.send_signal(signal.SIGHUP)
    sandbox.path('go').touch()
    check_equal(run.finish().check_saved()['reason'], 'exited', 'reason')
    check_equal(run.status, 3, 'status')


@subtest('row 20: a signal before the job has begun')
def signal_at_once(sandbox):
    # At some moment of the start; stintctl may not have its handlers yet.
    for delay in range(0, 20):
        run = sandbox.run('--grace', '600s', 'sleep', '1000')
        asked_at = time.monotonic()
        wait_until(lambda: time.monotonic() - asked_at >= delay / 1000, 'the moment', interval=0.0005)
        run.process.send_signal(signal.SIGTERM)
        check(run.wait() in (143, -signal.SIGTERM), f'{run.status}')
    wait_until(lambda: not left_processes(sandbox), 'the end of every process')
    recover(sandbox)


@control('row 20: timeout passes the signal on, and that is all')
def timeout_signalled(sandbox):
    helper = sandbox.helper(['timeout', '1000', 'sh', '-c', '(setsid sh -c "trap \\"\\" TERM; echo ready; '
                             'while :; do sleep 1000; done" &); ' + FOR_EVER], stdout=-1)
    check_equal(helper.stdout.readline(), b'ready\n', 'output')
    helper.send_signal(signal.SIGTERM)
    helper.wait(PATIENCE)
    check_some(left_processes(sandbox), 'all ended')
    helper.stdout.close()


# Row 22

KEPT = ('(setsid sh -c \'trap "" TERM HUP INT USR1; echo daemon $$; exec <&- >&- 2>&-; while :; do sleep 1000; done\' &); '
        '(setsid sleep 1000 &); while [ ! -e "$D/go" ]; do sleep 0.01; done; ')


def start_kept(sandbox, *arguments, **options):
    run = sandbox.run('--grace', '500ms', *arguments, '--shell', KEPT + FOR_EVER, **options)
    run.wait_output(b'daemon ')
    warden, worker = wait_until(lambda: (pair := keepers_of(run.pid))[1] and pair, 'both keepers')
    return run, warden, worker


def check_keeper_killed(sandbox, which, arguments):
    run, *keepers = start_kept(sandbox, *arguments)
    kill_quietly(keepers[which])
    run.finish()
    check_equal(run.status, 137, 'status')
    if '--no-history' not in arguments:
        result = run.check_saved()
        outcome = pathlib.Path(result['transcript']).with_name('outcome')
        check(outcome.stat().st_size > 100, 'no outcome was written')
    else:
        result = run.result
        check_none(result_problems(result))
        check(not list(sandbox.temporary.iterdir()), 'the directory is left')
    check_equal(result['reason'], 'interrupted', 'reason')
    check('daemon' in result['stdout'], 'the output is lost')
    # The warden may still be tidying up when stintctl ends; the job's own are gone.
    check_none(left_processes(sandbox, keepers=False), 'left')


for which, name in enumerate(('warden', 'worker')):
    for arguments in ((), ('--tty',), ('--no-history',)):
        subtest(f'row 22: the {name} is SIGKILLed {" ".join(arguments)}')(
            lambda sandbox, which=which, arguments=arguments: check_keeper_killed(sandbox, which, arguments))


@subtest('row 22: what the worker had not read yet is kept')
def worker_killed_with_output(sandbox):
    run, warden, worker = start_kept(sandbox)
    os.kill(worker, signal.SIGSTOP)
    before = len(run.out)
    leader = wait_until(lambda: [p for p in all_processes().values() if p.parent == worker], 'the leader')[0]
    # It goes on from its loop and floods the pipe until that is full; nobody reads.
    check(leader is not None, 'leader')
    kill_quietly(worker)
    run.finish()
    check_equal(run.result['stdoutBytes'], len(transcript(sandbox, run.result['id'])), 'bytes in the transcript')
    check(run.result['stdoutBytes'] >= before, 'the output is lost')
    run.check_saved()


@subtest('row 22: the worker dies with a pipe full of output')
def worker_killed_with_full_pipe(sandbox):
    run = sandbox.run('--shell', 'echo ready; while [ ! -e "$D/go" ]; do sleep 0.01; done; '
                                 'head -c 50000 /dev/zero; echo >"$D/written"; ' + FOR_EVER)
    run.wait_output(b'ready')
    warden, worker = keepers_of(run.pid)
    os.kill(worker, signal.SIGSTOP)
    sandbox.path('go').touch()
    wait_until(sandbox.path('written').exists, 'the output to be in the pipe')
    kill_quietly(worker)
    run.finish()
    result = run.check_saved()
    check_equal((result['stdoutBytes'], len(transcript(sandbox, result['id']))), (50006, 50006), 'bytes')
    check_equal(result['reason'], 'interrupted', 'reason')


@control('row 22: both keepers at once')
def both_keepers_killed(sandbox):
    run, warden, worker = start_kept(sandbox)
    os.kill(warden, signal.SIGSTOP)
    os.kill(worker, signal.SIGSTOP)
    kill_quietly(warden)
    kill_quietly(worker)
    run.finish()
    check_equal((run.status, run.result['reason']), (137, 'interrupted'), 'ending')
    check_none(row_problems(history_rows(sandbox)[run.result['id']], run.result), 'row')
    check_some(left_processes(sandbox), 'the daemons ended')


@control('row 22: keepers that do not hear of each other\'s death')
def without_death_signal(sandbox):
    run, warden, worker = start_kept(sandbox, keeper=without('death-signal'))
    kill_quietly(warden)
    wait_until(lambda: not is_alive(warden), 'the warden to be dead')
    killed_at = time.monotonic()
    wait_until(lambda: time.monotonic() - killed_at > 1.5, 'the grace and a second')
    check_some(left_processes(sandbox, keepers=False), 'the job ended')
    check(run.process.poll() is None, 'stintctl ended')


# Row 38

def session_of(sandbox, host):
    return [p.pid for pid in host.pids() for p in [read_process(pid), *descendants_of(pid)] if p is not None]


ORDERS = {
    'the hosts first': lambda pids: sorted(pids),
    'the jobs first': lambda pids: sorted(pids, reverse=True),
    'in any order': lambda pids: random.Random(1).sample(pids, len(pids)),
}


def logged_out_problems(sandbox, jobs=JOBS):
    """Outcomes are written: each row has an end, with a status and a reason that says who ended it."""
    problems = []
    rows = rows_by_line(sandbox)
    for line, code in jobs:
        row = rows.get(line)
        what = line[:40]
        found = row_problems(row)
        problems += [f'{what}: {problem}' for problem in found]
        if found:
            continue
        if row['reason'] not in ('cancelled', 'terminated', 'interrupted', 'exited', 'signaled'):
            problems.append(f'{what}: {row["reason"]}')
        if (row['exit_code'] is None) == (row['signal'] is None):
            problems.append(f'{what}: exit code {row["exit_code"]}, signal {row["signal"]}')
        if not (sandbox.state / 'stint' / 'jobs' / str(row['id']) / 'outcome').exists():
            problems.append(f'{what}: no outcome')
    return problems


def check_logout(sandbox, Host, order):
    host = Host(sandbox)
    start_all(sandbox, host)
    for pid in ORDERS[order](session_of(sandbox, host)):
        kill_quietly(pid, signal.SIGTERM)
    # A host whose job had ended before its own SIGTERM came exits with the job's status, or dies as it cleans up.
    check(host.wait() <= {143, -signal.SIGTERM, *(code for _, code in JOBS if code is not None)}, 'exit status')
    wait_until(lambda: not left_processes(sandbox), 'the end of every process')
    check_none(logged_out_problems(sandbox))


@control('row 38: a session without keepers')
def logout_without_keepers(sandbox):
    helpers = [sandbox.helper(['timeout', '1000', 'sh', '-c', line], stderr=-3) for line, _ in JOBS[:7]]
    wait_until(lambda: len([p for h in helpers for p in descendants_of(h.pid) if p.name == 'sleep']) >= 7, 'the jobs')
    for helper in helpers:
        for process in [read_process(helper.pid), *descendants_of(helper.pid)]:
            kill_quietly(process.pid, signal.SIGTERM)
    signalled_at = time.monotonic()
    wait_until(lambda: time.monotonic() - signalled_at > GRACE + 0.5, 'the grace')
    check_some(left_processes(sandbox), 'all ended')
    check_some(logged_out_problems(sandbox, JOBS[:7]), 'there are outcomes')


for Host in HOSTS:
    subtest(f'row 19: {Host.name} is SIGKILLed with ten jobs')(
        lambda sandbox, Host=Host: check_host_killed(sandbox, Host))
    for number, status in STOPS.items():
        subtest(f'row 20: {number.name} to {Host.name} with ten jobs')(
            lambda sandbox, Host=Host, number=number, status=status: check_host_signalled(sandbox, Host, number, status))
    for order in ORDERS:
        subtest(f'row 38: SIGTERM to every process of {Host.name}\'s session, {order}')(
            lambda sandbox, Host=Host, order=order: check_logout(sandbox, Host, order))


if __name__ == '__main__':
    sys.exit(main())
