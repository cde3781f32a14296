# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 9, 12 and 15: a job is its whole tree, whatever its processes do to leave it. And that keepers leave no
# zombies (I2).

import os
import pathlib
import signal
import subprocess
import sys
import time

from harness import *

# Ignores what can be ignored, in a session of its own, with nothing open that anybody could see the end of.
DAEMON = r'''(setsid sh -c 'trap "" TERM HUP INT; exec <&- >&- 2>&-; echo $$ >"$D/daemon"; while :; do sleep 1000; done' &)'''
WAIT_FOR_DAEMON = 'while [ ! -s "$D/daemon" ]; do sleep 0.01; done; '


# Row 9

LEADER_GIVES_IN = ('trap "exit 0" TERM; (trap "" TERM HUP; echo ready; while :; do sleep 1000; done) & '
                   'while :; do wait; done')


@subtest('row 9: the leader gives in, its child does not')
def child_ignores(sandbox):
    for extra in ([], ['--tty']):
        began = time.monotonic()
        run = sandbox.finish('--timeout', '500ms', '--grace', '700ms', *extra, '--shell', LEADER_GIVES_IN)
        lasted = time.monotonic() - began
        result = run.check_saved()
        check_equal((result['reason'], result['escalated'], run.status), ('timeout', True, 124), 'ending')
        check(lasted >= 1.2, f'finished after {lasted} s, before its tree was empty')
        if not extra:
            check_equal(result['exitCode'], 0, 'exit code of the leader')
            check_time(result['durationMs'] / 1000, 1.15, 'the leader ended after')


@control('row 9: a keeper without SIGKILL')
def child_without_sigkill(sandbox):
    run = sandbox.finish('--timeout', '300ms', '--grace', '300ms', '--shell', LEADER_GIVES_IN,
                         keeper=without('sigkill'))
    check_some(run.left, 'nothing was left')


@control('row 9: timeout, which ends when the leader does')
def child_under_timeout(sandbox):
    sandbox.helper(['timeout', '-k', '0.3', '0.3', 'setsid', 'sh', '-c', LEADER_GIVES_IN]).wait(PATIENCE)
    check_some(left_processes(sandbox), 'nothing was left')


# Row 12

def stopped_job(sandbox, *arguments, keeper=None):
    """A job whose command has stopped itself, and what was asked to end."""
    run = sandbox.run(*arguments, '--shell', 'echo leader $$; kill -STOP $$; sleep 1000', keeper=keeper)
    run.wait_output(b'leader ')
    wait_until(lambda: run.out.endswith(b'\n'), 'the whole line')
    leader = int(run.out.split()[1])
    wait_until(lambda: read_process(leader).state == 'T', 'the command to stop')
    run.process.send_signal(signal.SIGTERM)
    return run.finish()


@subtest('row 12: what stands still is woken to end')
def stopped_then_terminated(sandbox):
    for extra in ([], ['--tty']):
        run = stopped_job(sandbox, '--grace', '600s', *extra)
        result = run.check_saved()
        check_equal((result['reason'], result['escalated'], run.status), ('cancelled', False, 143), 'ending')
        check(result['signal'] in (('SIGTERM',) if not extra else ('SIGTERM', 'SIGHUP')), f'{result["signal"]}')


@subtest('row 12: a stopped descendant in a session of its own is woken too')
def stopped_descendant(sandbox):
    run = sandbox.run('--grace', '600s', '--shell',
                      'setsid sh -c \'echo child $$; kill -STOP $$; sleep 1000\' & wait')
    run.wait_output(b'child ')
    wait_until(lambda: run.out.endswith(b'\n'), 'the whole line')
    child = int(run.out.split()[1])
    wait_until(lambda: read_process(child).state == 'T', 'the child to stop')
    run.process.send_signal(signal.SIGTERM)
    check_equal(run.finish().check_saved()['escalated'], False, 'escalated')


@control('row 12: a keeper without SIGCONT')
def without_sigcont(sandbox):
    run = stopped_job(sandbox, '--grace', '500ms', keeper=without('continue'))
    check_equal(run.result['escalated'], True, 'SIGKILL was not needed')


# Row 15

DAEMONS = {
    'in a session of its own': 'setsid sleep 1000 & exit 4',
    'that forked twice and closed everything': DAEMON + '; ' + WAIT_FOR_DAEMON + 'exit 4',
    'that keeps standard output open': 'sleep 1000 & exit 4',
    'that the leader does not wait for': DAEMON + '; exit 4',
    'below a shell that ended': 'sh -c "sh -c \'setsid sleep 1000 & sleep 1000 &\' & sleep 0.05"; exit 4',
}


@subtest('row 15: daemons end with the job')
def daemons_end(sandbox):
    for name, line in DAEMONS.items():
        for extra in ([], ['--tty']):
            pathlib.Path(sandbox.path('daemon')).unlink(missing_ok=True)
            run = sandbox.finish('--grace', '500ms', *extra, '--shell', line)
            result = run.check_saved()
            check_equal((result['reason'], result['exitCode'], run.status), ('exited', 4, 4), name)
            # On a terminal what is in its foreground is told of the leader's end by the kernel.
            check(result['leftovers'] >= 1 or extra, f'{name}: {result["leftovers"]} leftovers')


@subtest('row 15: the leader\'s end is its own, not that of what it left')
def leader_end_at_once(sandbox):
    began = time.monotonic()
    with Noise() as noise:
        run = sandbox.finish('--grace', '1500ms', '--shell',
                             '(trap "" TERM; echo ready >"$D/daemon"; while :; do sleep 1000; done) & '
                             + WAIT_FOR_DAEMON + 'exit 4')
    result = run.check_saved()
    check(time.monotonic() - began >= 1.5, 'it did not wait for the tree to be empty')
    check_time(result['durationMs'] / 1000, noise.allow(1.4), 'the leader ended after')
    check_equal((result['reason'], result['exitCode'], result['escalated']), ('exited', 4, True), 'ending')
    check(result['leftovers'] >= 1, 'leftovers')
    check_equal(run.status, 4, 'status')


@subtest('row 15: with --leftovers wait the job runs on')
def leftovers_wait(sandbox):
    run = sandbox.finish('--leftovers', 'wait', '--shell',
                         '(setsid sh -c "sleep 0.6; echo late; exit 9" &); echo early; exit 4')
    result = run.check_saved()
    check_equal((result['reason'], result['exitCode'], run.status), ('exited', 4, 4), 'ending')
    check_equal((result['stdout'], run.out), ('early\nlate\n', b'early\nlate\n'), 'output')
    check_equal((result['leftovers'], result['escalated']), (0, False), 'leftovers')


@subtest('row 15: with --leftovers wait the limits hold on')
def leftovers_wait_with_limits(sandbox):
    runs = {'timeout': sandbox.run('--leftovers', 'wait', '--timeout', '700ms', '--grace', '300ms', '--shell',
                                   DAEMON + '; exit 4'),
            'idle-timeout': sandbox.run('--leftovers', 'wait', '--idle-timeout', '700ms', '--grace', '300ms',
                                        '--shell', DAEMON + '; exit 4')}
    for reason, run in runs.items():
        result = run.finish().check_saved()
        check_equal((result['reason'], result['exitCode'], result['escalated'], run.status),
                    (reason, 4, True, 124), 'ending')


@control('row 15: a keeper that is no subreaper')
def without_subreaper(sandbox):
    run = sandbox.finish('--grace', '300ms', '--shell', DAEMON + '; ' + WAIT_FOR_DAEMON + 'exit 4',
                         keeper=without('subreaper'))
    check_some(run.left, 'the daemon ended')
    check_equal(run.result['leftovers'], 0, 'leftovers')


@control('row 15: no Stint at all')
def without_stint(sandbox):
    sandbox.helper(['sh', '-c', DAEMON + '; ' + WAIT_FOR_DAEMON]).wait(PATIENCE)
    check_some(left_processes(sandbox), 'the daemon ended')
    # And by its environment alone, as a process would be seen that had left our tree.
    daemon = int(sandbox.path('daemon').read_text())
    check(has_in_environment(daemon, sandbox.token_variable), 'it is not known by its token')


# I2

ORPHANS = '''
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
for i in range(20):
    if os.fork() == 0:
        if os.fork() == 0:
            os.read(int(sys.argv[1]), 1)   # until its parent is gone, and then some
        os._exit(0)
'''


def ended_orphans(sandbox):
    """A line for a shell: twenty orphans are born and die; their new parent is to reap them; then it lives on."""
    script = sandbox.path('orphans.py')
    script.write_text(ORPHANS.replace('int(sys.argv[1])', 'os.open("/dev/null", os.O_RDONLY)'))
    return f'{sys.executable} -I {script}; echo ready; sleep 1000'


@subtest('I2: a keeper reaps what becomes its child, while the job runs')
def keeper_reaps(sandbox):
    run = sandbox.run('--shell', ended_orphans(sandbox))
    run.wait_output(b'ready')
    warden, worker = keepers_of(run.pid)
    check(worker is not None, 'there are not two of them')
    wait_until(lambda: not zombies_of({run.pid, warden, worker}), 'no zombie')
    run.process.send_signal(signal.SIGTERM)
    run.finish().check_saved()


@control('I2: a subreaper that does not reap')
def subreaper_that_does_not_reap(sandbox):
    code = ('import ctypes, subprocess, sys, time; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); '
            'subprocess.Popen(["sh", "-c", sys.argv[1]]); time.sleep(1000)')
    helper = sandbox.helper([sys.executable, '-Ic', code, ended_orphans(sandbox)], stdout=subprocess.PIPE)
    check_equal(helper.stdout.readline(), b'ready\n', 'output')
    wait_until(lambda: zombies_of({helper.pid}), 'zombies')
    helper.stdout.close()


if __name__ == '__main__':
    sys.exit(main())
