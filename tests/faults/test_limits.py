# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 6, 7, 8, 10 and 35: every limit is held, by the keeper, and to the tenth of a second.
#
# What is compared is the keeper's own measure of how long the command lived, with what this machine is late
# just now added to the upper bounds.

import os
import signal
import sys
import time

from harness import *

IGNORE_TERM = 'trap "" TERM; '
# A trap runs when the shell is between two commands: soon.
FOR_EVER = 'while :; do sleep 0.1; done'


def ended(run, reason, status, signal_name=None, code=None, escalated=False):
    result = run.check_saved()
    check_equal(result['reason'], reason, 'reason')
    check_equal(run.status, status, 'exit status')
    check_equal((result['exitCode'], result['signal']), (code, signal_name), 'exit code and signal')
    check_equal(result['escalated'], escalated, 'escalated')
    return result


def time_problems(result, at_least, at_most):
    """Seconds that the command lived."""
    lived = result['durationMs'] / 1000
    if lived < at_least - 0.001:
        return [f'it lived {lived} s, less than {at_least}']
    return [f'it lived {lived} s, more than {at_most}'] if lived > at_most else []


def check_lived(result, at_least, at_most, what='it lived'):
    lived = result['durationMs'] / 1000
    check(lived >= at_least - 0.001, f'{what}: {lived} s, less than {at_least}')
    check_time(lived, at_most, what)


# Rows 6, 7 and 8

@subtest('row 6: a timeout ends a co-operative command by SIGTERM')
def timeout_cooperative(sandbox):
    for extra in ([], ['--tty']):
        with Noise() as noise:
            run = sandbox.finish('--timeout', '400ms', '--grace', '60s', *extra, '--shell', FOR_EVER)
        result = ended(run, 'timeout', 124, 'SIGTERM' if not extra else result_signal(run))
        check_lived(result, 0.4, noise.allow(0.5))


def result_signal(run):
    """On a terminal SIGTERM and SIGHUP come together: which of them ends it is the kernel's choice."""
    check(run.result['signal'] in ('SIGTERM', 'SIGHUP'), f'{run.result["signal"]}')
    return run.result['signal']


@subtest('row 6: a command that ends by itself in time is not touched')
def within_the_timeout(sandbox):
    ended(sandbox.finish('--timeout', '60s', '--shell', 'exit 3'), 'exited', 3, code=3)
    ended(sandbox.finish('--timeout', '0', '--shell', 'exit 3'), 'exited', 3, code=3)


@subtest('row 6: a command that exits on SIGTERM keeps its code; the reason stays')
def timeout_with_code(sandbox):
    run = sandbox.finish('--timeout', '300ms', '--shell', 'trap "exit 0" TERM; ' + FOR_EVER)
    ended(run, 'timeout', 124, code=0)


@subtest('row 7: SIGKILL at timeout + grace')
def timeout_ignored(sandbox):
    with Noise() as noise:
        run = sandbox.finish('--timeout', '400ms', '--grace', '400ms', '--shell', IGNORE_TERM + FOR_EVER)
    result = ended(run, 'timeout', 124, 'SIGKILL', escalated=True)
    check_lived(result, 0.8, noise.allow(0.9))


@subtest('row 7: no grace is SIGKILL at once')
def no_grace(sandbox):
    with Noise() as noise:
        run = sandbox.finish('--timeout', '400ms', '--grace', '0', '--shell', IGNORE_TERM + FOR_EVER)
    result = run.check_saved()
    check_equal((result['reason'], result['signal'], run.status), ('timeout', 'SIGKILL', 124), 'ending')
    check_lived(result, 0.4, noise.allow(0.5))


@subtest('row 8: the grace is cut short by the end of the command')
def ends_within_the_grace(sandbox):
    with Noise() as noise:
        began = time.monotonic()
        run = sandbox.finish('--timeout', '300ms', '--grace', '600s', '--shell',
                             'trap \'trap "" TERM; sleep 0.05; exit 5\' TERM; ' + FOR_EVER)
        check(time.monotonic() - began < PATIENCE, 'stintctl waited for the grace')
    result = ended(run, 'timeout', 124, code=5)
    check_lived(result, 0.35, noise.allow(0.45))


@control('rows 6 and 7: a keeper without limits')
def without_limits(sandbox):
    run = sandbox.finish('--timeout', '200ms', '--shell', 'sleep 1', keeper=without('limits'))
    check_some(time_problems(run.result, 0.2, 0.3), 'the timeout was held')
    check_equal(run.result['reason'], 'exited', 'reason')


@control('row 7: a keeper without SIGKILL')
def without_sigkill(sandbox):
    run = sandbox.finish('--timeout', '200ms', '--grace', '200ms', '--shell', IGNORE_TERM + 'sleep 1000',
                         keeper=without('sigkill'))
    check_some(left_processes(sandbox), 'it ended all the same')
    check(run.result['survivors'], 'the survivor is not named')


@control('row 8: a grace that is not cut short')
def grace_not_cut_short(sandbox):
    run = sandbox.finish('--timeout', '200ms', '--grace', '500ms', '--shell', IGNORE_TERM + FOR_EVER)
    check_some(time_problems(run.result, 0.2, 0.3), 'the grace was not waited for')


# Row 10

EVERY = 'i=0; while [ $i -lt 6 ]; do {}; sleep 0.4; i=$((i+1)); done'
OUTPUTS = {
    'a line': 'echo line',
    'no newline': 'printf more',
    'only a carriage return': 'printf "\\r"',
    'only standard error': 'printf x >&2',
    'one byte': 'printf x',
    'a NUL': 'printf "\\000"',
}


@subtest('row 10: any output on any stream keeps the idle limit off')
def output_is_activity(sandbox):
    runs = {name: sandbox.run('--idle-timeout', '1500ms', *extra, '--shell', EVERY.format(command))
            for name, command in OUTPUTS.items() for extra in ([],)}
    runs |= {name + ', on a terminal': sandbox.run('--tty', '--idle-timeout', '1500ms', '--shell',
                                                   EVERY.format(command))
             for name, command in OUTPUTS.items()}
    for name, run in runs.items():
        result = run.finish().result
        check_equal((result['reason'], run.status), ('exited', 0), name)
        check_lived(result, 2.4, 60, name)
        run.check_saved()


@subtest('row 10: silence ends it once, counted from the last output')
def silence(sandbox):
    with Noise() as noise:
        never = sandbox.run('--idle-timeout', '500ms', '--shell', FOR_EVER)
        # Long enough that its output comes within the limit on a busy machine too.
        once = sandbox.run('--idle-timeout', '2s', '--shell', 'sleep 0.4; printf x; ' + FOR_EVER)
        ignoring = sandbox.run('--idle-timeout', '500ms', '--grace', '400ms', '--shell', IGNORE_TERM + FOR_EVER)
        for run in (never, once, ignoring):
            run.finish()
    check_lived(ended(never, 'idle-timeout', 124, 'SIGTERM'), 0.5, noise.allow(0.6))
    check_lived(ended(once, 'idle-timeout', 124, 'SIGTERM'), 2.4, noise.allow(2.55))
    check_lived(ended(ignoring, 'idle-timeout', 124, 'SIGKILL', escalated=True), 0.9,
                             noise.allow(1.0))
    for run in (never, once, ignoring):
        check_equal(run.err.count('Stopped'), 1, 'it was said')


@subtest('row 10: what happens after SIGTERM is no activity that counts')
def output_during_the_grace(sandbox):
    # Its output during the grace does not save it.
    run = sandbox.finish('--idle-timeout', '400ms', '--grace', '600ms', '--shell',
                         'trap "" TERM; sleep 0.5; while :; do echo still here; sleep 0.05; done')
    ended(run, 'idle-timeout', 124, 'SIGKILL', escalated=True)


@subtest('row 10: an agent has an idle limit of its own, a sixth of its timeout, and 0 takes it off')
def agent_default(sandbox):
    with Noise() as noise:
        default = sandbox.run('--kind', 'agent', '--timeout', '3s', '--shell', FOR_EVER)
        off = sandbox.run('--kind', 'agent', '--timeout', '1500ms', '--idle-timeout', '0', '--shell', FOR_EVER)
        default.finish()
        off.finish()
    check_lived(ended(default, 'idle-timeout', 124, 'SIGTERM'), 0.5, noise.allow(0.6))
    check_lived(ended(off, 'timeout', 124, 'SIGTERM'), 1.5, noise.allow(1.6))


@control('row 10: a keeper without limits')
def idle_without_limits(sandbox):
    run = sandbox.finish('--idle-timeout', '200ms', '--shell', 'sleep 1', keeper=without('limits'))
    check_some(time_problems(run.result, 0.2, 0.3), 'the idle limit was held')


@control('row 10: output that goes elsewhere is no activity')
def output_elsewhere(sandbox):
    run = sandbox.finish('--idle-timeout', '1s', '--shell', EVERY.format('echo line >/dev/null'))
    check_equal(run.result['reason'], 'idle-timeout', 'reason')
    check_some(time_problems(run.result, 2.4, 60), 'it lived on')


# Row 35

def wait_for_outcomes(sandbox, runs):
    """Until each keeper has written down how its job ended, stintctl being stopped."""
    jobs = sandbox.state / 'stint' / 'jobs'
    wait_until(lambda: len(list(jobs.glob('*/outcome'))) == len(runs), 'the keepers to end their jobs')
    for run in runs:
        check_equal(read_process(run.pid).state, 'T', 'stintctl was not stopped')


@subtest('row 35: stintctl is stopped while its jobs reach their limits')
def stopped_at_the_limits(sandbox):
    ready = 'echo ready; '
    with Noise() as noise:
        runs = [
            sandbox.run('--timeout', '800ms', '--shell', ready + FOR_EVER),
            sandbox.run('--timeout', '800ms', '--grace', '500ms', '--shell', IGNORE_TERM + ready + FOR_EVER),
            sandbox.run('--idle-timeout', '800ms', '--shell', ready + FOR_EVER),
            # It floods what stintctl does not take, and ends all the same.
            sandbox.run('--timeout', '800ms', '--output-limit', '1M', '--shell', ready + 'yes'),
            sandbox.run('--tty', '--timeout', '800ms', '--shell', ready + FOR_EVER),
        ]
        for run in runs:
            run.wait_output(b'ready')
            os.kill(run.pid, signal.SIGSTOP)
        wait_for_outcomes(sandbox, runs)
        worst = noise.allow(0.1)
    leaders = [p for run in runs for p in descendants_of(run.pid)
               if p.state not in 'ZX' and not is_keeper(p.pid, sandbox)]
    check_none(describe(leaders), 'alive though their time is up')
    for run in runs:
        os.kill(run.pid, signal.SIGCONT)
    for run in runs:
        run.finish()
        check_equal(run.status, 124, 'status')
        run.check_saved()
    for run, limit in zip(runs, (0.8, 1.3, 0.8, 0.8, 0.8)):
        # The idle clock runs from the output, a moment after the start.
        late = 0.2 if run is runs[2] else 0
        check_lived(run.result, limit, limit + worst + late)


@control('row 35: a limit that the stopped process itself holds')
def stopped_timeout(sandbox):
    began = time.monotonic()
    helper = sandbox.helper(['timeout', '0.3', 'sh', '-c', 'exec sleep 1000'])
    wait_until(lambda: [p for p in descendants_of(helper.pid) if p.name == 'sleep'], 'the command')
    os.kill(helper.pid, signal.SIGSTOP)
    wait_until(lambda: time.monotonic() - began > 1, 'three times its limit')
    check_some(describe([p for p in descendants_of(helper.pid) if p.state not in 'ZX']), 'timeout held the limit')
    helper.kill()


if __name__ == '__main__':
    sys.exit(main())
