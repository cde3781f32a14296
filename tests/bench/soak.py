# SPDX-License-Identifier: GPL-3.0-or-later
#
# soak.py [MINUTES]: see the script of this name.

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *
from apps import App

MINUTES = float(sys.argv[1]) if len(sys.argv) > 1 else 30
JOBS_A_SECOND = 5
ROWS = 10
# The first half fills what is bounded: jobs of before (200 and 100), SQLite's pages, GTK's styles, the allocator's
# pools. Of what a minute's jobs allocate, 96 KiB of pages are there three minutes later, and nothing else; but the
# pools are filled by the busiest moments, and those are rare: in less than half an hour nothing can be said of them.
WARM_UP = 1 / 2
JUDGED_FROM = 30

STUBBORN = 'trap "" TERM HUP INT; echo $$; while :; do sleep 0.1; done'
WAIT = 'echo $$; exec sleep 1000'
DAEMONS = 'setsid sleep 1000 & (setsid sh -c "exec sleep 1001" &) & '


class Kind:
    """A kind of job: what it runs, what is done to it, and how it has to end."""

    def __init__(self, weight, reason, line, *options, act=None, ending=None):
        self.weight, self.reasons, self.line, self.options = weight, reason.split('|'), line, options
        self.act, self.ending = act, ending


def kill_halves(*which):
    def act(soak, id):
        command = soak.leader_of(id)
        worker = read_process(command).parent
        warden = read_process(worker).parent
        halves = {'worker': worker, 'warden': warden}
        if len(which) == 2:
            # Together: whoever is left for a moment would mend it.
            freeze(warden, worker)
        for name in which:
            kill_quietly(halves[name])
    return act


def ask(verb):
    def act(soak, id):
        soak.leader_of(id)
        subprocess.run([soak.sandbox.stintctl, verb, str(id)], env=soak.sandbox.environment, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=PATIENCE)
    return act


KINDS = {
    'success': Kind(20, 'exited', 'echo done', ending=(0, None)),
    'success, on a terminal': Kind(10, 'exited', 'echo done; sleep 0.5', '--tty', ending=(0, None)),
    'failure': Kind(10, 'exited', 'echo no >&2; exit 3', ending=(3, None)),
    'not found': Kind(4, 'exited', 'no-such-program', ending=(127, None)),
    'ended by a signal': Kind(8, 'signaled', 'kill -SEGV $$', ending=(None, signal.SIGSEGV)),
    'timeout': Kind(8, 'timeout', WAIT, '--timeout', '1s'),
    'timeout, SIGTERM ignored': Kind(4, 'timeout', STUBBORN, '--timeout', '3s', '--grace', '500ms',
                                     ending=(None, signal.SIGKILL)),
    'idle limit': Kind(8, 'idle-timeout', WAIT, '--idle-timeout', '1s'),
    'idle limit, on a terminal': Kind(4, 'idle-timeout', WAIT, '--tty', '--idle-timeout', '1s'),
    'daemons are left': Kind(6, 'exited', DAEMONS + 'exit 0', '--grace', '1s', ending=(0, None)),
    'terminated': Kind(4, 'terminated', WAIT, act=ask('terminate')),
    'killed': Kind(6, 'killed', DAEMONS + WAIT, act=ask('kill'), ending=(None, signal.SIGKILL)),
    'the worker is killed': Kind(2, 'interrupted', DAEMONS + WAIT, act=kill_halves('worker')),
    'the warden is killed': Kind(2, 'interrupted', DAEMONS + WAIT, act=kill_halves('warden')),
    'both halves are killed': Kind(1, 'interrupted', DAEMONS + WAIT, act=kill_halves('worker', 'warden')),
    'flood, 1 s': Kind(2, 'timeout', 'exec yes', '--timeout', '1s', '--output-limit', '1M'),
    'flood, on a terminal, 1 s': Kind(1, 'timeout', 'exec yes', '--tty', '--timeout', '1s', '--output-limit', '1M'),
}

Sample = collections.namedtuple('Sample', 'time memory descriptors threads children zombies')


class Soak:
    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.app = App(sandbox)
        self.pid = self.app.process.pid
        self.kinds = {}
        self.errors = []
        self.samples = []
        self.late = 0
        self.given_up = []

    def leader_of(self, id):
        """The pid that the command has said."""
        path = self.sandbox.state / 'stint' / 'jobs' / str(id) / 'output'
        text = wait_until(lambda: path.exists() and (read := path.read_bytes()).endswith(b'\n') and read,
                          f'job {id} to say who it is', interval=0.02)
        return int(text.split()[-1])

    def run_job(self, name):
        kind = KINDS[name]
        try:
            client = subprocess.run([os.environ['STINT_STINT'], '--kind', 'shell', *kind.options, '--shell', kind.line],
                                    env=self.sandbox.environment, cwd=self.sandbox.directory, capture_output=True, text=True,
                                    stdin=subprocess.DEVNULL, timeout=PATIENCE, check=True)
            id = int(client.stdout)
            self.kinds[id] = name
            if kind.act is not None:
                kind.act(self, id)
        # Whatever it is: the run goes on, and the table names it.
        except Exception as error:  # pylint: disable=broad-except
            self.errors.append(f'{name}: {error!r}')

    def sample(self):
        status = dict(line.split(':', 1) for line in pathlib.Path(f'/proc/{self.pid}/status').read_text().splitlines())
        children = [p for p in all_processes().values() if p.parent == self.pid]
        self.samples.append(Sample(time.monotonic() - self.begun, int(status['RssAnon'].split()[0]) / 1024,
                                   len(os.listdir(f'/proc/{self.pid}/fd')), int(status['Threads']), len(children),
                                   len([p for p in children if p.state == 'Z'])))

    def run(self):
        names = [name for name, kind in KINDS.items() for _ in range(kind.weight)]
        chance = random.Random(4)
        order = []
        self.begun = time.monotonic()
        end, next_sample = MINUTES * 60, 0.0
        # As many hands as a busy machine may need for five a second.
        with concurrent.futures.ThreadPoolExecutor(16) as hands:
            futures, n = set(), 0
            while (now := time.monotonic() - self.begun) < end:
                if self.app.process.poll() is not None:
                    raise Failure('the app ended: ' + self.sandbox.path('app.log').read_text()[-2000:])
                if now >= next_sample:
                    self.sample()
                    next_sample += 1
                    if len(self.samples) % 60 == 0:
                        print(f'{len(self.samples) // 60} min: {n} jobs, {self.samples[-1]}, {len(self.errors)} errors',
                              file=sys.stderr, flush=True)
                futures = {future for future in futures if not future.done()}
                # All hands are busy: the machine is too slow for five a second, and is not given more.
                if len(futures) >= 16:
                    self.late += 1
                elif n < now * JOBS_A_SECOND:
                    if not order:
                        order = chance.sample(names, len(names))
                    futures.add(hands.submit(self.run_job, order.pop()))
                    n += 1
                    continue
                time.sleep(0.02)
        wait_until(lambda: all(row['state'] == 'finished' for row in history_rows(self.sandbox).values()), 'the last jobs')
        # What the keepers' ends set free is freed, what is compressed is compressed.
        time.sleep(10)
        self.sample()
        return n

    def wrong_rows(self):
        rows = history_rows(self.sandbox)
        for id, name in sorted(self.kinds.items()):
            kind, row = KINDS[name], rows.get(id)
            problems = row_problems(row)
            # On a busy machine what is killed may not get the time to die in the second after which the keeper
            # says who is left, and says no more.
            if row is not None and json.loads(row['survivors'] or '[]') and signal.SIGKILL in (kind.ending or ()):
                self.given_up.append(id)
                continue
            if row is not None and row['reason'] not in kind.reasons:
                problems.append(f'it ended as {row["reason"]}')
            if row is not None and kind.ending is not None and (row['exit_code'], row['signal']) != kind.ending:
                problems.append(f'it ended with {row["exit_code"]}, {row["signal"]}')
            if problems:
                yield f'job {id}, {name}: ' + ', '.join(problems)


def lowest_of_minutes(samples, field):
    """What is held, not what runs just then."""
    values = [getattr(sample, field) for sample in samples]
    return [min(values[first:first + 60]) for first in range(0, len(values) - 59, 60)]


def growth(samples, field):
    """What a line through the lowest of each minute climbs in ten."""
    lowest = lowest_of_minutes(samples, field)
    return statistics.linear_regression(range(len(lowest)), lowest).slope * 10 if len(lowest) > 1 else 0.0


def print_table(samples):
    print('| minutes | memory, MiB: median | most | descriptors: median | most | threads: median | most | '
          'children: most | zombies: median | most |')
    print('| --- ' * 10 + '|')
    size = max(1, len(samples) // ROWS)
    for first in range(0, len(samples), size):
        part = samples[first:first + size]
        if len(part) < size:
            break
        cells = [f'{part[0].time / 60:.1f} to {part[-1].time / 60:.1f}']
        for field in ('memory', 'descriptors', 'threads'):
            values = [getattr(sample, field) for sample in part]
            form = '{:.1f}' if field == 'memory' else '{:.0f}'
            cells += [form.format(statistics.median(values)), form.format(max(values))]
        zombies = [sample.zombies for sample in part]
        cells += [str(max(sample.children for sample in part)), f'{statistics.median(zombies):.0f}', str(max(zombies))]
        print('| ' + ' | '.join(cells) + ' |')


def report(soak, n):
    samples, rest = soak.samples[:-1], soak.samples[-1]
    settled = samples[int(len(samples) * WARM_UP):]
    counts = collections.Counter(soak.kinds.values())
    print(f'{n} jobs in {MINUTES:g} minutes, {n / MINUTES / 60:.1f} a second: ' +
          ', '.join(f'{counts[name]} {name}' for name in KINDS))
    print()
    print_table(samples)
    print()
    print(f'At rest afterwards: {rest.memory:.1f} MiB, {rest.descriptors} descriptors, {rest.threads} threads, '
          f'{rest.children} children, {rest.zombies} zombies. Before the first job: {samples[0].memory:.1f} MiB, '
          f'{samples[0].descriptors} descriptors, {samples[0].threads} threads.')
    climbs = {field: growth(settled, field) for field in ('memory', 'descriptors', 'threads')}
    print('Growth in ten minutes, by a line through the lowest of each minute of the second half: ' +
          f'{climbs["memory"]:+.2f} MiB, {climbs["descriptors"]:+.2f} descriptors, {climbs["threads"]:+.2f} threads.')
    problems = soak.errors + list(soak.wrong_rows())
    print(f'Of {len(soak.given_up)} that were killed the keeper named survivors after a second.')
    limits = {'memory': 2, 'descriptors': 5, 'threads': 2}
    if MINUTES < JUDGED_FROM:
        print(f'In less than {JUDGED_FROM} minutes its memory is not judged.')
        del limits['memory']
    problems += [f'{field} grow by {climbs[field]:.1f} in ten minutes'
                 for field, most in limits.items() if climbs[field] > most]
    if rest.children or rest.zombies:
        problems.append(f'{rest.children} children, {rest.zombies} zombies at rest')
    # What the first jobs have opened stays open: the history and its index, and the threads that serve them. What
    # that is shows in the quietest moment of a minute; the quietest of all fifteen may have caught one being reopened.
    for field in ('descriptors', 'threads'):
        most = max(lowest_of_minutes(settled, field) or [getattr(samples[0], field)])
        if getattr(rest, field) > most:
            problems.append(f'{getattr(rest, field)} {field} are held at rest; in the busy minutes {most} at the least')
    return problems


def main():
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    sandbox = Sandbox()
    try:
        soak = Soak(sandbox)
        problems = report(soak, soak.run())
        soak.app.signal(signal.SIGTERM)
        check_equal(soak.app.wait(), {0}, 'the status of the app')
        problems += sandbox.problems()
        problems += [line for line in sandbox.path('app.log').read_text().splitlines() if 'CRITICAL' in line]
    finally:
        sandbox.end_everything()
        sandbox.remove()
    print()
    print('Nothing is left, and every row says how its job ended.' if not problems else
          f'{len(problems)} problems:\n' + '\n'.join(problems[:50]))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
