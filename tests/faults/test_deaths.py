# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 19, 20, 22 and 38 for stintctl: it is killed, asked to end, or ended together with all the others; and its
# keepers are killed. What they do to the app is in test_app.py.

import os
import pathlib
import signal
import subprocess
import sys
import time

from hosts import *


# Row 19

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


@control('row 19: no outcome is there')
def without_outcome(sandbox):
    host = Stintctls(sandbox)
    start_all(sandbox, host, JOBS[:1])
    host.signal(signal.SIGKILL)
    host.wait()
    wait_until(lambda: not left_processes(sandbox), 'the end of every process')
    for outcome in (sandbox.state / 'stint' / 'jobs').glob('*/outcome'):
        outcome.unlink()
    check_equal(recover(sandbox), 1, 'recovered')
    check_some(interrupted_problems(sandbox, JOBS[:1]), 'the status was known all the same')


@control('row 19: keepers that do not watch for the end of their engine')
def without_engine_watch(sandbox):
    host = Stintctls(sandbox, keeper=without('end-of-file'))
    start_all(sandbox, host)
    host.signal(signal.SIGKILL)
    host.wait()
    killed_at = time.monotonic()
    wait_until(lambda: time.monotonic() - killed_at > GRACE + 1, 'the grace and a second')
    check_some(left_processes(sandbox, keepers=False), 'all ended')

# Row 20

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
                             'while :; do sleep 1000; done" &); ' + FOR_EVER], stdout=subprocess.PIPE)
    check_equal(helper.stdout.readline(), b'ready\n', 'output')
    helper.send_signal(signal.SIGTERM)
    helper.wait(PATIENCE)
    check_some(left_processes(sandbox), 'all ended')
    helper.stdout.close()


# Row 22

KEPT = ('(setsid sh -c \'trap "" TERM HUP INT USR1; echo daemon $$; exec <&- >&- 2>&-; while :; do sleep 1000; done\' &); '
        '(setsid sleep 1000 &); while [ ! -e "$D/go" ]; do sleep 0.01; done; ')


def start_kept(sandbox, *arguments, marked=True, **options):
    """@marked: whether the engine could find what is left when both halves of the keeper are gone."""
    mark = '' if marked else 'unset STINT_JOB_DIRECTORY; '
    run = sandbox.run('--grace', '500ms', *arguments, '--shell', mark + KEPT + FOR_EVER, **options)
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

@subtest('row 22: the worker dies with a pipe full of output')
def worker_killed_with_full_pipe(sandbox):
    run = sandbox.run('--shell', 'echo ready; while [ ! -e "$D/go" ]; do sleep 0.01; done; '
                                 'head -c 50000 /dev/zero; echo >"$D/written"; ' + FOR_EVER)
    run.wait_output(b'ready')
    warden, worker = keepers_of(run.pid)
    freeze(warden, worker)
    sandbox.path('go').touch()
    wait_until(sandbox.path('written').exists, 'the output to be in the pipe')
    kill_quietly(worker)
    thaw(warden, worker)
    run.finish()
    result = run.check_saved()
    check_equal((result['stdoutBytes'], len(transcript(sandbox, result['id']))), (50006, 50006), 'bytes')
    check_equal(result['reason'], 'interrupted', 'reason')


def kill_both(warden, worker, writing=None):
    """@writing: the directory of the job: as if they were just writing how it ended."""
    freeze(warden, worker)
    if writing is not None:
        (writing / 'outcome.new').write_bytes(b'half of it')
    # In this order: the death of the warden would wake the worker, which has its last moments then.
    kill_quietly(worker)
    kill_quietly(warden)


def stray_problems(record):
    """Whether a result or a row counts and names the two daemons that had lost their keeper."""
    problems = []
    if record['reason'] != 'interrupted':
        problems.append(f'the reason is {record["reason"]}')
    if record['leftovers'] < 2 or 'sleep (' not in (record['error'] or ''):
        problems.append(f'leftovers {record["leftovers"]}, error {record["error"]}')
    return problems


@subtest('row 22: both keepers at once: what they had kept together is found and ended')
def both_keepers_killed(sandbox):
    run, warden, worker = start_kept(sandbox)
    kill_both(warden, worker, writing=sandbox.state / 'stint' / 'jobs' / '1')
    run.finish()
    check_equal(run.status, 137, 'status')
    check_none(stray_problems(run.result), 'result')
    check_none(row_problems(history_rows(sandbox)[run.result['id']], run.result), 'row')
    check_none(left_processes(sandbox), 'left')


@subtest('row 22: both keepers and their engine at once: the next start ends what they had kept, and names it')
def all_three_killed(sandbox):
    run, warden, worker = start_kept(sandbox)
    run.process.send_signal(signal.SIGSTOP)
    kill_both(warden, worker, writing=sandbox.state / 'stint' / 'jobs' / '1')
    run.process.kill()
    run.wait()
    check_some(left_processes(sandbox), 'nothing was left to find')
    check_equal(recover(sandbox), 1, 'recovered')
    row, = history_rows(sandbox).values()
    check_none(stray_problems(row), 'row')
    check_none(left_processes(sandbox), 'left')


@subtest('row 22: what only looks like a stray is left alone')
def no_stranger_is_hit(sandbox):
    run, warden, worker = start_kept(sandbox)
    directory = sandbox.state / 'stint' / 'jobs' / '1'
    # Another job's, and one that only speaks of it.
    strangers = [subprocess.Popen(['sleep', '1000'], env=os.environ | environment) for environment in
                 ({'STINT_JOB_DIRECTORY': f'{directory}1'}, {'STINT_JOB_ID': '1'},
                  {'NOTE': f'STINT_JOB_DIRECTORY={directory}'})]
    try:
        kill_both(warden, worker)
        run.finish()
        check_none(stray_problems(run.result), 'result')
        check_equal([stranger.poll() for stranger in strangers], [None] * 3, 'strangers')
    finally:
        for stranger in strangers:
            stranger.kill()
            stranger.wait()


@control('row 22: both keepers, and processes that have taken the mark away')
def strays_without_mark(sandbox):
    run, warden, worker = start_kept(sandbox, marked=False)
    kill_both(warden, worker)
    run.finish()
    check_equal((run.status, run.result['reason']), (137, 'interrupted'), 'ending')
    check_some(left_processes(sandbox), 'the daemon ended')


@subtest('row 22: both keepers are stopped and their engine dies: the next start continues them')
def stopped_keepers_are_continued(sandbox):
    run, warden, worker = start_kept(sandbox)
    freeze(warden, worker)
    run.process.kill()
    run.wait()
    check_some(left_processes(sandbox), 'it ended without its keepers')
    check_equal(recover(sandbox), 1, 'recovered')
    row, = history_rows(sandbox).values()
    check_equal(row['reason'], 'interrupted', 'reason')
    check_none(left_processes(sandbox, keepers=False), 'left')


@control('row 22: a warden that does not take over')
def without_takeover(sandbox):
    run, warden, worker = start_kept(sandbox, marked=False, keeper=without('takeover'))
    kill_quietly(worker)
    wait_until(lambda: not is_alive(worker), 'the worker to be dead')
    killed_at = time.monotonic()
    wait_until(lambda: time.monotonic() - killed_at > 1.5, 'the grace and a second')
    check_some(left_processes(sandbox, keepers=False), 'the daemons ended')


@control('row 22: keepers that do not hear of each other\'s death')
def without_death_signal(sandbox):
    run, warden, worker = start_kept(sandbox, keeper=without('deathsig'))
    kill_quietly(warden)
    wait_until(lambda: not is_alive(warden), 'the warden to be dead')
    killed_at = time.monotonic()
    wait_until(lambda: time.monotonic() - killed_at > 1.5, 'the grace and a second')
    check_some(left_processes(sandbox, keepers=False), 'the job ended')
    check(run.process.poll() is None, 'stintctl ended')

# Row 38

@control('row 38: a session without keepers')
def logout_without_keepers(sandbox):
    helpers, outputs = [], [sandbox.path(f'output-{i}') for i in range(7)]
    for (line, _), path in zip(JOBS, outputs):
        with open(path, 'wb') as output:
            helpers.append(sandbox.helper(['timeout', '1000', 'sh', '-c', line], stdout=output, stderr=subprocess.DEVNULL))
    # What they run is no sign of it: of their short sleeps a busy machine seldom shows all at once.
    wait_until(lambda: all(b'ready' in path.read_bytes() for path in outputs), 'the jobs')
    signal_all([pid for h in helpers for pid in [h.pid, *(p.pid for p in descendants_of(h.pid))]], signal.SIGTERM)
    signalled_at = time.monotonic()
    wait_until(lambda: time.monotonic() - signalled_at > GRACE + 0.5, 'the grace')
    check_some(left_processes(sandbox), 'all ended')
    check_some(logged_out_problems(sandbox, JOBS[:7]), 'there are outcomes')


subtest('row 19: stintctl is SIGKILLed with ten jobs')(lambda sandbox: check_host_killed(sandbox, Stintctls))
for number in STOPS:
    subtest(f'row 20: {number.name} to stintctl with ten jobs')(
        lambda sandbox, number=number: check_host_signalled(sandbox, Stintctls, number))
for order in ORDERS:
    subtest(f'row 38: SIGTERM to every process of the session, {order}')(
        lambda sandbox, order=order: check_logout(sandbox, Stintctls, order))


if __name__ == '__main__':
    sys.exit(main())
