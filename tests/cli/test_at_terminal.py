# SPDX-License-Identifier: GPL-3.0-or-later
#
# `stintctl run` at a terminal: its mode, its size, its Ctrl+C, and its end.

import json
import os
import signal
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *
from terminal import Terminal

READY = 'echo ready; '

# What a terminal is about to show is thrown away when Ctrl+C comes, and so is what was typed behind it: how a job
# takes it is told by a file.
ASKED = 'echo x >>"$D/asked"'


def wait_asked(sandbox, times=1):
    path = sandbox.path('asked')
    wait_until(lambda: path.exists() and len(path.read_text().split()) >= times, f'the job to be asked {times} times')


def run_at(sandbox, *arguments, **options):
    """stintctl run at a terminal of its own, with its result in a file."""
    return Terminal(sandbox, [sandbox.stintctl, 'run', '--json', str(sandbox.path('result.json')), *arguments], **options)


def result_of(sandbox):
    result = json.loads(sandbox.path('result.json').read_text())
    check_none(result_problems(result))
    check_none(row_problems(history_rows(sandbox).get(result['id']), result))
    return result


@subtest('at a terminal the command has a terminal, and what is typed reaches it')
def typing(sandbox):
    terminal = run_at(sandbox, '--shell', 'tty; read line; echo "got <$line>"; exit 3')
    terminal.wait_raw(True)
    terminal.type('hello\r')
    terminal.wait('got <hello>')
    check_equal(terminal.finish(), 3, 'status')
    check('/dev/pts/' in terminal.output(), terminal.output())
    check_equal(result_of(sandbox)['kind'], 'terminal', 'kind')


@subtest('the terminal\'s mode is what it was before, however it ends')
def mode_restored(sandbox):
    endings = {
        'exit': (READY + 'read x; exit 3', lambda t: t.type('\r'), 3),
        'a limit': (READY + 'sleep 1000', None, 124),
        'SIGTERM': (READY + 'sleep 1000', lambda t: t.process.send_signal(signal.SIGTERM), 143),
        'SIGHUP': (READY + 'sleep 1000', lambda t: t.process.send_signal(signal.SIGHUP), 129),
    }
    for name, (line, act, status) in endings.items():
        limits = ['--timeout', '500ms'] if act is None else []
        terminal = run_at(sandbox, *limits, '--shell', line)
        # Something else than the default, to be found again.
        terminal.wait('ready')
        terminal.wait_raw(True)
        if act is not None:
            act(terminal)
        check_equal(terminal.finish(), status, name)
        check(not terminal.is_raw(), f'{name}: the terminal is raw')
        flags = terminal.attributes()[3]
        check(flags & termios.ECHO and flags & termios.ICANON and flags & termios.ISIG, f'{name}: {flags:#x}')


@subtest('a mode of the user\'s own is restored too')
def own_mode_restored(sandbox):
    terminal = Terminal(sandbox, ['bash', '-c', 'stty -echo erase ^H; stty -g >"$D/before"; "$0" run --shell "$1"; '
                                  'stty -g >"$D/after"', sandbox.stintctl, READY + 'exit 0'])
    terminal.wait('ready')
    check_equal(terminal.finish(), 0, 'status')
    check_equal(sandbox.path('after').read_text(), sandbox.path('before').read_text(), 'mode')


@subtest('the window\'s size is passed on, and followed')
def window_size(sandbox):
    terminal = run_at(sandbox, '--shell', 'stty size; trap "stty size" WINCH; echo ready; '
                                          'while [ ! -e "$D/go" ]; do sleep 0.02; done', size=(31, 117))
    terminal.wait('31 117')
    terminal.wait('ready')
    for rows, columns in ((40, 100), (1, 1), (500, 500)):
        terminal.resize(rows, columns)
        os.kill(terminal.pid, signal.SIGWINCH)
        terminal.wait(f'{rows} {columns}')
    sandbox.path('go').touch()
    check_equal(terminal.finish(), 0, 'status')


@subtest('Ctrl+C goes to the job')
def ctrl_c(sandbox):
    terminal = run_at(sandbox, '--shell', 'trap "exit 7" INT; ' + READY + 'while :; do sleep 0.1; done')
    terminal.wait('ready')
    terminal.wait_raw(True)
    terminal.type('\x03')
    check_equal(terminal.finish(), 7, 'status')
    check_equal(result_of(sandbox)['reason'], 'exited', 'reason')


@subtest('Ctrl+C ends a job that does not mind it')
def ctrl_c_default(sandbox):
    terminal = run_at(sandbox, '--shell', READY + 'exec sleep 1000')
    terminal.wait('ready')
    terminal.wait_raw(True)
    terminal.type('\x03')
    check_equal(terminal.finish(), 130, 'status')
    check_equal((result_of(sandbox)['reason'], result_of(sandbox)['signal']), ('signaled', 'SIGINT'), 'ending')


@subtest('Ctrl+C twice within a second ends a job that ignores it')
def ctrl_c_twice(sandbox):
    terminal = run_at(sandbox, '--shell', 'trap "" INT; ' + READY + 'while :; do sleep 0.1; done')
    terminal.wait('ready')
    terminal.wait_raw(True)
    terminal.type('\x03\x03')
    check_equal(terminal.finish(), 130, 'status')
    check_equal(result_of(sandbox)['reason'], 'cancelled', 'reason')


@subtest('Ctrl+C twice, and twice again: at once')
def ctrl_c_four_times(sandbox):
    terminal = run_at(sandbox, '--grace', '600s', '--shell',
                      f"trap '' INT HUP; trap '{ASKED}' TERM; " + READY + 'while :; do sleep 0.1; done')
    terminal.wait('ready')
    terminal.wait_raw(True)
    terminal.type('\x03\x03')
    wait_asked(sandbox)
    terminal.type('\x03\x03')
    check_equal(terminal.finish(), 130, 'status')
    result = result_of(sandbox)
    check_equal((result['reason'], result['escalated']), ('cancelled', True), 'ending')


@subtest('Ctrl+C twice with more than a second between is the job\'s both times')
def ctrl_c_slowly(sandbox):
    terminal = run_at(sandbox, '--shell', f"n=0; trap 'n=$((n+1)); {ASKED}' INT; " + READY + 'while [ $n -lt 2 ]; do sleep 0.1; done; exit 9')
    terminal.wait('ready')
    terminal.wait_raw(True)
    terminal.type('\x03')
    wait_asked(sandbox)
    typed_at = time.monotonic()
    wait_until(lambda: time.monotonic() - typed_at > 1.3, 'more than a second')
    terminal.type('\x03')
    check_equal(terminal.finish(), 9, 'status')


@subtest('--pipes at a terminal: Ctrl+C cancels')
def ctrl_c_with_pipes(sandbox):
    terminal = run_at(sandbox, '--pipes', '--shell', READY + 'exec sleep 1000')
    terminal.wait('ready')
    check(not terminal.is_raw(), 'the terminal is raw')
    terminal.type('\x03')
    check_equal(terminal.finish(), 130, 'status')
    result = result_of(sandbox)
    check_equal((result['reason'], result['kind']), ('cancelled', 'shell'), 'ending')


@subtest('--pipes at a terminal: lines go in, Ctrl+D ends them')
def input_with_pipes(sandbox):
    terminal = run_at(sandbox, '--pipes', '--shell', READY + 'test -t 0 || echo a pipe; cat; echo the end')
    terminal.wait('a pipe')
    terminal.type('one line\n')
    terminal.wait('one line', count=2)
    terminal.type('\x04')
    terminal.wait('the end')
    check_equal(terminal.finish(), 0, 'status')


@subtest('standard output elsewhere: no terminal for the command, and no raw mode')
def output_elsewhere(sandbox):
    out = sandbox.path('out')
    with open(out, 'wb') as stdout:
        terminal = run_at(sandbox, '--shell', 'test -t 1 || echo no terminal; read line; echo "got $line"',
                          separate={'stdout': stdout})
    wait_until(lambda: out.read_text() == 'no terminal\n', 'the output')
    check(not terminal.is_raw(), 'the terminal is raw')
    terminal.type('x y\n')
    check_equal(terminal.finish(), 0, 'status')
    check_equal(out.read_text(), 'no terminal\ngot x y\n', 'output')


@subtest('the terminal is closed: the job ends, by the same path as a signal')
def terminal_closed(sandbox):
    terminal = run_at(sandbox, '--grace', '10s', '--shell', READY + 'exec sleep 1000')
    terminal.wait('ready')
    terminal.wait_raw(True)
    terminal.hang_up()
    status = terminal.finish()
    check(status in (129, 130), f'{status}')
    check_equal(result_of(sandbox)['reason'], 'cancelled', 'reason')


@subtest('an interactive shell on the job\'s terminal has job control')
def shell_in_a_job(sandbox):
    terminal = run_at(sandbox, 'bash', '--norc', '--noprofile', '-i', environment={'PS1': 'prompt> ', 'TERM': 'dumb'})
    terminal.wait('prompt> ')
    terminal.type('sleep 1000\r')
    wait_until(lambda: [p for p in descendants_of(terminal.pid) if p.name == 'sleep'], 'sleep')
    terminal.type('\x1a')
    terminal.wait('Stopped')
    check('job control' not in terminal.output(), terminal.output())
    terminal.type('fg\r')
    terminal.wait('fg\nsleep 1000')
    sleeper = [p for p in descendants_of(terminal.pid) if p.name == 'sleep'][0]
    wait_until(lambda: is_alive(sleeper.pid) and read_process(sleeper.pid).state == 'S', 'sleep to go on')
    terminal.clear()
    terminal.type('\x03')
    wait_until(lambda: not is_alive(sleeper.pid), 'the end of sleep')
    terminal.wait('prompt> ')
    terminal.type('echo sum $((1 + 1)); exit 5\r')
    terminal.wait('sum 2')
    check_equal(terminal.finish(), 5, 'status')


@subtest('much that is typed while the job does not read is not lost')
def typed_ahead(sandbox):
    terminal = run_at(sandbox, '--shell', 'stty raw -echo; ' + READY + 'while [ ! -e "$D/go" ]; do sleep 0.02; done; '
                                          'head -c 100000 | cksum')
    terminal.wait('ready')
    terminal.wait_raw(True)
    terminal.type('0123456789' * 10000)
    sandbox.path('go').touch()
    import subprocess
    expected = subprocess.run(['cksum'], input=b'0123456789' * 10000, stdout=subprocess.PIPE, check=True).stdout
    terminal.wait(expected.decode().strip())
    check_equal(terminal.finish(), 0, 'status')


@control('at a terminal: a program that does not restore the mode')
def mode_not_restored(sandbox):
    terminal = Terminal(sandbox, ['stty', 'raw', '-echo'])
    check_equal(terminal.finish(), 0, 'status')
    check(terminal.is_raw(), 'raw mode is not seen')


if __name__ == '__main__':
    sys.exit(main())
