# SPDX-License-Identifier: GPL-3.0-or-later
#
# Row 37: a job in the background of an interactive shell does not take what is typed for the shell.

import os
import sys

from harness import *
from terminal import Terminal


def shell_on(sandbox):
    """An interactive shell with job control at a terminal. Returns: the terminal."""
    terminal = Terminal(sandbox, ['bash', '--norc', '--noprofile', '-i'],
                        environment={'PS1': 'prompt> ', 'S': sandbox.stintctl, 'TERM': 'dumb'})
    terminal.wait('prompt> ')
    return terminal


def theft_problems(terminal, timeout=PATIENCE):
    """Types a line at the shell, and looks whether the shell runs it."""
    # What is echoed is not what is printed: the sum is.
    terminal.clear()
    terminal.type('echo result $((40 + 2))\n')
    try:
        terminal.wait('result 42', timeout=timeout)
    except Failure:
        return [f'the shell did not get what was typed: {terminal.output()!r}']
    return []


@subtest('row 37: stintctl run cat &')
def cat_in_the_background(sandbox):
    terminal = shell_on(sandbox)
    terminal.type('"$S" run --name background cat &\n')
    terminal.wait('prompt> ', count=2)
    wait_until(lambda: any(row['name'] == 'background' for row in history_rows(sandbox).values()), 'the job')
    cat = wait_until(lambda: [p for p in descendants_of(terminal.pid) if p.name == 'cat'], 'cat')[0]
    for _ in range(5):
        check_none(theft_problems(terminal))
    check(is_alive(cat.pid), 'cat ended')
    terminal.type('jobs\n')
    terminal.wait('Running')
    # In the foreground it gets what is typed, and Ctrl+D ends it; the shell goes on.
    terminal.clear()
    terminal.type('fg\n')
    terminal.wait('run --name background cat')
    wait_until(lambda: terminal.foreground_name() == 'stintctl', 'stintctl to be in the foreground')
    terminal.wait_raw(True)
    terminal.type('for the cat\r')
    terminal.wait('for the cat', count=2)
    terminal.type('\x04')
    wait_until(lambda: not is_alive(cat.pid), 'the end of cat')
    terminal.wait_raw(False)
    check_none(theft_problems(terminal))
    terminal.type('exit\n')
    check_equal(terminal.finish(), 0, 'the shell')


@subtest('row 37: the same with pipes')
def pipes_in_the_background(sandbox):
    terminal = shell_on(sandbox)
    terminal.type('"$S" run --pipes cat &\n')
    terminal.wait('prompt> ', count=2)
    cat = wait_until(lambda: [p for p in descendants_of(terminal.pid) if p.name == 'cat'], 'cat')[0]
    for _ in range(5):
        check_none(theft_problems(terminal))
    terminal.clear()
    terminal.type('fg\n')
    terminal.wait('run --pipes cat')
    wait_until(lambda: terminal.foreground_name() == 'stintctl', 'stintctl to be in the foreground')
    terminal.type('for the cat\n')
    terminal.wait('for the cat', count=2)
    terminal.type('\x04')
    wait_until(lambda: not is_alive(cat.pid), 'the end of cat')
    check_none(theft_problems(terminal))
    terminal.type('exit\n')
    check_equal(terminal.finish(), 0, 'the shell')


@control('row 37: a cat in a session of its own, at the same terminal')
def cat_that_steals(sandbox):
    terminal = shell_on(sandbox)
    # Job control does not stop it, since the terminal is not its own: as a job would be that inherits one.
    terminal.type('for i in 1 2 3 4 5 6 7 8 9; do (setsid cat &) <&0; done\n')
    terminal.wait('prompt> ', count=2)
    wait_until(lambda: len([p for p in descendants_of(os.getpid()) if p.name == 'cat']) == 9, 'the cats')
    problems = []
    for _ in range(3):
        problems += theft_problems(terminal, timeout=1)
        if problems:
            break
    check_some(problems, 'nothing was stolen')


if __name__ == '__main__':
    sys.exit(main())
