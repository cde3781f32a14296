# SPDX-License-Identifier: GPL-3.0-or-later
#
# The verbs of stintctl that ask the window process, and what they say without one. The window process is
# tests/bus/job-host here: the same object on the bus, and no window.

import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *


def open_bus(sandbox):
    """A session bus of the sandbox's own."""
    bus = sandbox.helper(['dbus-daemon', '--session', '--nofork', '--print-address=1'], stdout=subprocess.PIPE)
    sandbox.environment['DBUS_SESSION_BUS_ADDRESS'] = bus.stdout.readline().decode().strip()


def open_window(sandbox, *arguments):
    """A window process; its end is the end of its standard input."""
    open_bus(sandbox)
    host = sandbox.helper([os.environ['STINT_JOB_HOST'], *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    check_equal(host.stdout.readline(), b'ready\n', 'the host')
    return host


def close_window(host):
    host.stdin.close()
    check_equal(host.wait(PATIENCE), 0, 'the host')


def ctl(sandbox, *words):
    result = subprocess.run([sandbox.stintctl, *words], env=sandbox.environment, stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, timeout=PATIENCE)
    check('Sanitizer' not in result.stderr and 'CRITICAL' not in result.stderr, result.stderr)
    return result


def expect(result, status, out=None, part=None):
    check_equal(result.returncode, status, result.stderr)
    if out is not None:
        check_equal(result.stdout, out)
    if part is not None:
        check(part in result.stderr, f'{result.stderr!r} without {part!r}')
        check_equal(result.stderr.count('\n'), 1, result.stderr)
    return result


def show(sandbox, job):
    return json.loads(expect(ctl(sandbox, 'show', '--json', job), 0).stdout)


def jobs(sandbox, *words):
    return [json.loads(line) for line in expect(ctl(sandbox, 'list', '--json', *words), 0).stdout.splitlines()]


@subtest('without a window process each verb says so, and list is empty')
def no_window(sandbox):
    open_bus(sandbox)
    for words in (['start', 'true'], ['terminate', '1'], ['kill', 'last'], ['pause', 'x'], ['resume', '1'],
                  ['extend', '1', '5m']):
        expect(ctl(sandbox, *words), 125, '', 'stint')
    expect(ctl(sandbox, 'list'), 0, '')
    expect(ctl(sandbox, 'list', '--json'), 0, '')
    expect(ctl(sandbox, 'show', '1'), 125, '', 'no job 1')
    expect(ctl(sandbox, 'wait', 'last'), 125, '', 'no job yet')
    check(not (sandbox.state / 'stint').exists(), 'a history was made')


@subtest('without a bus too')
def no_bus(sandbox):
    sandbox.environment['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/bus'
    expect(ctl(sandbox, 'terminate', '1'), 125, '', 'no session bus')
    expect(ctl(sandbox, 'list'), 0, '')


@subtest('start hands over words, directory and environment, and wait exits as the job did')
def start_and_wait(sandbox):
    host = open_window(sandbox)
    sandbox.environment['MARK'] = 'mine'
    result = subprocess.run([sandbox.stintctl, 'start', '--name', 'a b', 'sh', '-c', 'echo "$PWD $MARK $1"; exit 3', 'x',
                             '--json'], env=sandbox.environment, cwd=sandbox.directory, capture_output=True, text=True)
    expect(result, 0, '1\n')
    expect(ctl(sandbox, 'wait', '1'), 3)
    expect(ctl(sandbox, 'wait', 'a b'), 3)
    expect(ctl(sandbox, 'output', 'last'), 0, f'{sandbox.directory} mine --json\n')
    facts = show(sandbox, '1')
    check_equal((facts['name'], facts['state'], facts['reason'], facts['exitCode'], facts['cwd'], facts['argv'][-1]),
                ('a b', 'finished', 'exited', 3, str(sandbox.directory), '--json'))
    expect(ctl(sandbox, 'start', '--timeout', '300ms', 'sleep', '1000'), 0, '2\n')
    expect(ctl(sandbox, 'wait', '2'), 124)
    expect(ctl(sandbox, 'start', '--shell', 'kill -9 $$'), 0, '3\n')
    expect(ctl(sandbox, 'wait', '3'), 137)
    expect(ctl(sandbox, 'start', '/no/such/command'), 125, '', 'No such file')
    expect(ctl(sandbox, 'start', '--timeout', 'soon', 'true'), 125, '', 'soon')
    close_window(host)


@subtest('terminate, kill, pause and resume, by number, name and last')
def change(sandbox):
    host = open_window(sandbox)
    expect(ctl(sandbox, 'start', '--name', 'one', 'sleep', '1000'), 0)
    expect(ctl(sandbox, 'start', '--name', 'two', 'sleep', '1000'), 0)
    expect(ctl(sandbox, 'start', 'sleep', '1000'), 0)
    check_equal([job['id'] for job in jobs(sandbox)], [3, 2, 1])
    expect(ctl(sandbox, 'pause', 'one'), 0)
    check_equal(show(sandbox, 'one')['paused'], True)
    check('paused' in ctl(sandbox, 'list').stdout, 'list')
    expect(ctl(sandbox, 'resume', 'one'), 0)
    check_equal(show(sandbox, 'one')['paused'], False)
    expect(ctl(sandbox, 'terminate', 'one', '2'), 0)
    expect(ctl(sandbox, 'wait', '1'), 143)
    expect(ctl(sandbox, 'wait', 'two'), 143)
    expect(ctl(sandbox, 'kill', 'last'), 0)
    expect(ctl(sandbox, 'wait', '3'), 137)
    expect(ctl(sandbox, 'terminate', 'one'), 125, '', 'has ended')
    expect(ctl(sandbox, 'kill', '99'), 125, '', '99')
    expect(ctl(sandbox, 'kill', 'last'), 125, '', 'No job is running')
    check_equal(jobs(sandbox), [])
    check_equal([job['reason'] for job in jobs(sandbox, '--all')], ['killed', 'terminated', 'terminated'])
    close_window(host)


@subtest('a name that several have is refused with their numbers, and nothing is done')
def ambiguous(sandbox):
    host = open_window(sandbox)
    for _ in range(2):
        expect(ctl(sandbox, 'start', '--name', 'twin', 'sleep', '1000'), 0)
    expect(ctl(sandbox, 'terminate', 'twin'), 125, '', '2, 1')
    check_equal([job['state'] for job in jobs(sandbox)], ['running', 'running'])
    expect(ctl(sandbox, 'kill', '1'), 0)
    expect(ctl(sandbox, 'wait', '1'), 137)
    expect(ctl(sandbox, 'kill', 'twin'), 0)
    expect(ctl(sandbox, 'wait', '2'), 137)
    close_window(host)


@subtest('extend and its mistakes')
def extend(sandbox):
    host = open_window(sandbox)
    expect(ctl(sandbox, 'start', '--timeout', '1h', 'sleep', '1000'), 0)
    expect(ctl(sandbox, 'pause', '1'), 0)
    left = show(sandbox, '1')['timeoutLeftMs']
    expect(ctl(sandbox, 'extend', '1', '10m'), 0)
    check_equal(show(sandbox, '1')['timeoutLeftMs'], left + 600000)
    expect(ctl(sandbox, 'extend', 'last', '0'), 0)
    check('timeoutLeftMs' not in show(sandbox, '1'), 'the limit is still there')
    expect(ctl(sandbox, 'extend', '--idle', '1', '5m'), 125, '', 'idle')
    expect(ctl(sandbox, 'extend', '1', 'soon'), 125, '', 'soon')
    expect(ctl(sandbox, 'extend', '1'), 125, '', 'extend')
    expect(ctl(sandbox, 'kill', '1'), 0)
    expect(ctl(sandbox, 'wait', '1'), 137)
    close_window(host)


@subtest('wait tells when the window process dies')
def window_dies(sandbox):
    host = open_window(sandbox)
    expect(ctl(sandbox, 'start', 'sleep', '1000'), 0)
    waiter = subprocess.Popen([sandbox.stintctl, 'wait', '1'], env=sandbox.environment, stderr=subprocess.PIPE, text=True)
    facts = show(sandbox, '1')
    # Until it has asked for the second time it may find no window: both are right.
    host.kill()
    host.wait()
    waiter.wait(PATIENCE)
    check_equal(waiter.returncode, 137, waiter.stderr.read())
    wait_until(lambda: not is_alive(facts['pid']), 'the job gone')
    # Its keeper has a last word after it.
    wait_until(lambda: show(sandbox, '1').get('reason') == 'interrupted', 'its end')
    sandbox.checks_history = False


@subtest('output so far, and follow to the end, while it runs')
def follow(sandbox):
    host = open_window(sandbox)
    expect(ctl(sandbox, 'start', '--shell', 'echo one; echo two >&2; while ! test -e $D/go; do sleep 0.05; done; echo three'), 0)
    wait_until(lambda: ctl(sandbox, 'output', '1').stdout == 'one\ntwo\n', 'the output so far')
    check_equal(ctl(sandbox, 'output', '--stream', 'stdout', '1').stdout, 'one\n')
    follower = subprocess.Popen([sandbox.stintctl, 'follow', '1'], env=sandbox.environment, stdout=subprocess.PIPE, text=True)
    check_equal([follower.stdout.readline(), follower.stdout.readline()], ['one\n', 'two\n'])
    sandbox.path('go').touch()
    check_equal(follower.stdout.read(), 'three\n', 'what came')
    check_equal(follower.wait(PATIENCE), 0)
    expect(ctl(sandbox, 'follow', '1'), 0, 'one\ntwo\nthree\n')
    close_window(host)


@subtest('follow ends when nobody reads')
def follow_unread(sandbox):
    host = open_window(sandbox)
    expect(ctl(sandbox, 'start', '--shell', 'while :; do echo line; sleep 0.05; done'), 0)
    follower = subprocess.Popen([sandbox.stintctl, 'follow', '1'], env=sandbox.environment, stdout=subprocess.PIPE)
    check_equal(follower.stdout.readline(), b'line\n')
    follower.stdout.close()
    check_equal(follower.wait(PATIENCE), 0)
    expect(ctl(sandbox, 'kill', '1'), 0)
    expect(ctl(sandbox, 'wait', '1'), 137)
    close_window(host)


@subtest('what a command says of its progress is told while it runs')
def progress(sandbox):
    host = open_window(sandbox)
    expect(ctl(sandbox, 'start', '--shell', r"printf 'x\033]9;4;1;45\007y'; while ! test -e $D/go; do sleep 0.05; done; "
               r"printf '\033]9;4;0\033\\'; while ! test -e $D/end; do sleep 0.05; done; printf '\033]9;4;1;100\007'"), 0)
    wait_until(lambda: show(sandbox, '1').get('progress') == 45, 'the progress')
    check('running 45%' in ctl(sandbox, 'list').stdout, 'list')
    check('45%' in ctl(sandbox, 'show', '1').stdout, 'show')
    sandbox.path('go').touch()
    wait_until(lambda: 'progress' not in show(sandbox, '1'), 'no progress any more')
    sandbox.path('end').touch()
    expect(ctl(sandbox, 'wait', '1'), 0)
    check('progress' not in show(sandbox, '1'), 'of what has ended')
    close_window(host)


@subtest('a job that stintctl run owns is listed, waited for and read, with no window at all')
def in_a_terminal(sandbox):
    run = sandbox.run('--name', 'mine', '--shell', 'echo hi; while ! test -e $D/go; do sleep 0.05; done; exit 4')
    wait_until(lambda: jobs(sandbox), 'it in the list')
    check_equal([(job['id'], job['owner'], job['state']) for job in jobs(sandbox)], [(1, 'terminal', 'running')])
    wait_until(lambda: ctl(sandbox, 'output', 'mine').stdout == 'hi\n', 'its output')
    check('in a terminal' in ctl(sandbox, 'show', '1').stdout, 'show')
    waiter = subprocess.Popen([sandbox.stintctl, 'wait', '--json', '1'], env=sandbox.environment, stdout=subprocess.PIPE, text=True)
    sandbox.path('go').touch()
    check_equal(waiter.wait(PATIENCE), 4)
    check_equal(json.loads(waiter.stdout.read())['exitCode'], 4)
    run.finish()
    run.check_saved()
    check_equal(jobs(sandbox), [])
    check_equal(show(sandbox, 'last')['sentence'].startswith('Exited with code 4'), True)


@subtest('mistakes are one line')
def mistakes(sandbox):
    for words in (['list', 'x'], ['list', '--nonsense'], ['show'], ['show', '1', '2'], ['wait'], ['terminate'],
                  ['extend', '1', '2', '3'], ['start'], ['output'], ['follow', '1', '2'], ['output', '--stream', 'x', '1'],
                  ['nonsense'], []):
        expect(ctl(sandbox, *words), 125, '', 'stintctl')
    for verb in ('list', 'show', 'start', 'wait', 'terminate', 'kill', 'pause', 'resume', 'extend', 'output', 'follow'):
        check(f'stintctl {verb}' in expect(ctl(sandbox, verb, '--help'), 0).stdout, verb)
        check(f'  {verb} ' in ctl(sandbox, '--help').stdout, f'{verb} is not in --help')


if __name__ == '__main__':
    sys.exit(main())
