# SPDX-License-Identifier: GPL-3.0-or-later
#
# Who runs jobs: so many stintctl, or one app. And what rows 19, 20 and 38 do to either: it is killed, asked to
# end, or ended together with all the others.

import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from harness import *

# A trap runs when the shell is between two commands: soon.
FOR_EVER = 'while :; do sleep 0.1; done'

# Ten jobs, each as hard to end as its kind is, each with its last words; the exit code is the leader's when it is
# asked to end, None: it does not listen.
JOBS = [
    ('trap "echo asked; exit 7" TERM; echo ready; ' + FOR_EVER, 7),
    ('trap "echo asked; sleep 0.2; echo done; exit 8" TERM; echo ready; ' + FOR_EVER, 8),
    ('trap "" TERM; echo ready; ' + FOR_EVER, None),
    ('trap "" TERM HUP INT; echo ready; ' + FOR_EVER, None),
    ('trap "" HUP; trap "exit 9" TERM; echo ready; ' + FOR_EVER, 9),
    ('setsid sh -c "trap \\"\\" TERM HUP; while :; do sleep 1000; done" & trap "exit 10" TERM; echo ready; ' + FOR_EVER, 10),
    ('(setsid sh -c "trap \\"\\" TERM; exec <&- >&- 2>&-; sleep 1000" &); echo ready; ' + FOR_EVER, None),
    ('nohup sleep 1000 >/dev/null & trap "exit 11" TERM; echo ready; ' + FOR_EVER, 11),
    ('seq 1 20000; trap "seq 20001 40000; exit 12" TERM; echo ready; ' + FOR_EVER, 12),
    # Both streams to the very end; by a shell, which is slow enough to fill neither memory nor disk.
    ('trap "" TERM; (trap "" TERM; while :; do echo out; done) & (trap "" TERM; while :; do echo err >&2; done) & '
     'echo ready; ' + FOR_EVER, None),
]
GRACE = 0.8

# Does all it can to stay, and says so when it does.
STUBBORN = '''trap '' TERM; (setsid sh -c 'trap "" TERM HUP; sleep 1000' &) ; echo ready; sleep 1000'''


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

    def last_words(self):
        return [run.stderr.data[-300:].decode(errors='replace') for run in self.runs if run.stderr]

    def exit_statuses(self, number):
        """With which it ends by signal @number."""
        return {128 + number}

    def recover(self):
        """What the next start does. Returns: how many rows were recovered."""
        return recover(self.sandbox)


def start_all(sandbox, host, jobs=JOBS):
    for line, _ in jobs:
        host.start(line)
    host.wait_ready()


def transcript(sandbox, id):
    output = sandbox.state / 'stint' / 'jobs' / str(id) / 'output'
    try:
        return output.read_bytes()
    except FileNotFoundError:
        # The app compresses what has ended.
        return subprocess.run(['zstd', '-qdc', f'{output}.zst'], stdout=subprocess.PIPE, check=True).stdout


# The order in which rows come is that in which the hosts began them, which need not be ours.
def rows_by_line(sandbox):
    return {row['command']: row for row in history_rows(sandbox).values()}


def check_had_time(row, code):
    """Whoever listens comes to its last words within the grace: unless the machine gives it no time."""
    if code is not None and row['signal'] == signal.SIGKILL:
        raise TooLate(f'{row["command"][:40]}: it did not get to its last words')


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
        check_had_time(row, code)
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
        if code == 12:
            said, whole = said.split(), [*(b'%d' % i for i in range(1, 20001)), b'ready',
                                         *(b'%d' % i for i in range(20001, 40001))]
            at = next((i for i, pair in enumerate(zip(said, whole)) if pair[0] != pair[1]), min(len(said), len(whole)))
            if said != whole:
                problems.append(f'{what}: the transcript is not whole: {said[at:at + 3]} instead of {whole[at:at + 3]}, '
                                f'exit code {row["exit_code"]}, signal {row["signal"]}')
    return problems


def check_host_killed(sandbox, Host):
    host = Host(sandbox)
    start_all(sandbox, host)
    with Noise() as noise:
        killed_at = time.monotonic()
        host.signal(signal.SIGKILL)
        host.wait()
        wait_until(lambda: not left_processes(sandbox, keepers=False), 'the end of every process')
        lasted = time.monotonic() - killed_at
    check_time(lasted, noise.allow(GRACE + 1) * (3 if SANITIZED else 1), 'the last one was gone after')
    wait_until(lambda: not left_processes(sandbox), 'the end of the keepers')
    check_some(interrupted_problems(sandbox), 'nothing was to be recovered')
    check_equal(host.recover(), len(JOBS), 'recovered')
    check_none(interrupted_problems(sandbox))
    check_equal(recover(sandbox), 0, 'recovered again')

STOPS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def check_host_signalled(sandbox, Host, number):
    host = Host(sandbox)
    start_all(sandbox, host)
    host.signal(number)
    check_equal(host.wait(), host.exit_statuses(number), 'exit status')
    check_none(left_processes(sandbox, keepers=False), 'left')
    rows = rows_by_line(sandbox)
    for line, code in JOBS:
        row = rows[line]
        check_none(row_problems(row), line)
        check_equal(row['reason'], 'cancelled', line)
        check_had_time(row, code)
        if code is not None:
            check_equal(row['exit_code'], code, line)
        if line.startswith('trap "" TERM; echo'):
            check_equal((row['signal'], row['escalated']), (signal.SIGKILL, 1), line)

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
    signal_all(ORDERS[order](session_of(sandbox, host)), signal.SIGTERM)
    # A host whose job had ended before its own SIGTERM came exits with the job's status, or dies as it cleans up.
    allowed = {*host.exit_statuses(signal.SIGTERM), -signal.SIGTERM, 143, *(code for _, code in JOBS if code is not None)}
    statuses = host.wait()
    check(statuses <= allowed, lambda: f'exit status {statuses}: {host.last_words()}')
    wait_until(lambda: not left_processes(sandbox), 'the end of every process')
    check_none(logged_out_problems(sandbox))

