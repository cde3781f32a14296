# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion in bash, fish and zsh: what Tab offers after a line.

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, 'data', 'completions')

BASH = ('source "$1/stint.bash"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stintctl; '
        'printf "%s\\n" "${COMPREPLY[@]}"')

FISH = 'source $argv[1]/stintctl.fish; complete -C (string join " " -- $argv[2..]) | string replace -r "\\t.*" ""'

# The file itself, and in the place of zsh's own functions what says what they are asked for.
ZSH = r'''
directory=$1
shift
words=("$@") CURRENT=$# service=stintctl
_describe () { [[ $1 == -o ]] && shift; print -rl -- "${(@)${(@P)2}%%:*}" }
_normal () { print -rl -- "${(@k)commands}" }
_files () { print -rl -- *(/) }
_message () { : }
source $directory/_stint
'''

SHELLS = {
    'bash': ['bash', '--norc', '-c', BASH, 'bash'],
    'fish': ['fish', '--no-config', '-c', FISH],
    'zsh': ['zsh', '-f', '-c', ZSH, 'zsh'],
}


def complete_in(sandbox, shell, line):
    """What is offered for the last word of the line, which may be empty."""
    words = line.split(' ')
    directory = os.path.dirname(sandbox.stintctl)
    environment = {**sandbox.environment, 'PATH': f'{directory}:{sandbox.environment["PATH"]}'}
    result = subprocess.run([*SHELLS[shell], FILES, *words], env=environment, capture_output=True,
                            text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
    check_equal((shell, result.stderr), (shell, ''), line)
    # zsh leaves it to its own functions to choose.
    return sorted({word for word in result.stdout.splitlines() if word.startswith(words[-1]) and word})


def complete(sandbox, line):
    """The same, of which none of the shells offers less or more; of commands each has some of its own."""
    offered = {shell: complete_in(sandbox, shell, line) for shell in SHELLS}
    check_equal(offered['fish'], offered['bash'], f'fish: {line}')
    check_equal(offered['zsh'], offered['bash'], f'zsh: {line}')
    return offered['bash']


def check_command(sandbox, line, command):
    for shell in SHELLS:
        check(command in complete_in(sandbox, shell, line), f'{shell}: {line}')


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
    check_equal(complete(sandbox, 'stintctl run --leftovers '), ['terminate', 'wait'])
    check_equal(complete(sandbox, 'stintctl export --stream '), ['stderr', 'stdout'])
    check_equal(complete(sandbox, 'stintctl export --out'), ['--output'])
    check_equal(complete(sandbox, 'stintctl prompt --perm'), ['--permissions'])


@subtest('commands after the options')
def commands(sandbox):
    check_command(sandbox, 'stintctl run --timeout 5m sle', 'sleep')
    check_command(sandbox, 'stintctl run --tty sle', 'sleep')
    check_command(sandbox, 'stintctl run -- sle', 'sleep')
    check_command(sandbox, 'stintctl run sle', 'sleep')


@subtest('the verbs of history')
def history_verbs(sandbox):
    check_equal(complete(sandbox, 'stintctl history un'), ['unpin', 'untag'])
    check('--json' in complete(sandbox, 'stintctl history list --'), 'options')


@subtest('jobs')
def jobs(sandbox):
    run = sandbox.run('--shell', 'while ! test -e $D/go; do sleep 0.05; done')
    wait_until(lambda: '1' in complete_in(sandbox, 'bash', 'stintctl show '), 'the job')
    check_equal(complete(sandbox, 'stintctl show '), ['1', 'last'])
    check_equal(complete(sandbox, 'stintctl wait l'), ['last'])
    sandbox.path('go').touch()
    run.finish()


if __name__ == '__main__':
    sys.exit(main())
