# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion in bash: what Tab offers after a line.

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, 'data', 'completions', 'stint.bash')


def complete(sandbox, line):
    """What is offered for the last word of the line, which may be empty."""
    words = line.split(' ')
    directory = os.path.dirname(sandbox.stintctl)
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stintctl; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    environment = {**sandbox.environment, 'PATH': f'{directory}:{sandbox.environment["PATH"]}'}
    result = subprocess.run(['bash', '--norc', '-c', script, 'bash', FILE, *words], env=environment, capture_output=True,
                            text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
    check_equal((result.returncode, result.stderr), (0, ''), line)
    return result.stdout.split()


@subtest('verbs')
def verbs(sandbox):
    offered = complete(sandbox, 'stintctl ')
    for verb in ('run', 'list', 'start', 'terminate', 'extend', 'follow', 'history', '--help'):
        check(verb in offered, f'{verb} is not among {offered}')
    check_equal(complete(sandbox, 'stintctl ter'), ['terminate'])


@subtest('options of a verb, and what they choose between')
def options(sandbox):
    check_equal(complete(sandbox, 'stintctl run --time'), ['--timeout'])
    check('--all' in complete(sandbox, 'stintctl list --'), 'list')
    check_equal(complete(sandbox, 'stintctl run --kind t'), ['terminal'])
    check_equal(sorted(complete(sandbox, 'stintctl run --leftovers ')), ['terminate', 'wait'])


@subtest('commands after the options')
def commands(sandbox):
    check('sleep' in complete(sandbox, 'stintctl run --timeout 5m sle'), 'after an option with a value')
    check('sleep' in complete(sandbox, 'stintctl run --tty sle'), 'after one without')
    check('sleep' in complete(sandbox, 'stintctl run -- sle'), 'after --')


@subtest('jobs')
def jobs(sandbox):
    run = sandbox.run('--shell', 'while ! test -e $D/go; do sleep 0.05; done')
    wait_until(lambda: '1' in complete(sandbox, 'stintctl show '), 'the job')
    check_equal(complete(sandbox, 'stintctl wait l'), ['last'])
    sandbox.path('go').touch()
    run.finish()


if __name__ == '__main__':
    sys.exit(main())
