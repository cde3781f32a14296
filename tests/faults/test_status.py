# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 1, 2, 3, 30 and 33: what goes in arrives, what comes out is told truly.

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time

from harness import *

AT_ONCE = 8


def in_batches(sandbox, commands, **options):
    """Runs each of @commands, some at once. Yields what ran, in order."""
    for start in range(0, len(commands), AT_ONCE):
        for run in [sandbox.run(*command, **options) for command in commands[start:start + AT_ONCE]]:
            yield run.finish()


# Row 1

def exit_problems(run, code):
    result = run.result
    problems = []
    if run.status != code:
        problems.append(f'stintctl exited with {run.status} instead of {code}')
    if (result['exitCode'], result['signal'], result['reason']) != (code, None, 'exited'):
        problems.append(f'{code}: {result["exitCode"]}, {result["signal"]}, {result["reason"]}')
    return problems


@subtest('row 1: every exit status')
def every_exit_status(sandbox):
    runs = in_batches(sandbox, [('sh', '-c', f'exit {code}') for code in range(256)])
    for code, run in enumerate(runs):
        check_none(exit_problems(run, code))
        run.check_saved()
    check_equal(len(history_rows(sandbox)), 256, 'rows')


@control('row 1: a status that a wrapper swallows')
def swallowed_status(sandbox):
    run = sandbox.finish('sh', '-c', 'sh -c "exit 3" | cat')
    check_some(exit_problems(run, 3), 'the pipeline hid the status')


# Row 2

SIGNALS = ('HUP', 'INT', 'QUIT', 'ILL', 'ABRT', 'FPE', 'KILL', 'SEGV', 'PIPE', 'ALRM', 'TERM', 'USR1', 'USR2')


def signal_problems(run, name):
    result = run.result
    problems = []
    if run.status != 128 + signal.Signals[f'SIG{name}'].value:
        problems.append(f'{name}: stintctl exited with {run.status}')
    if (result['exitCode'], result['signal'], result['reason']) != (None, f'SIG{name}', 'signaled'):
        problems.append(f'{name}: {result["exitCode"]}, {result["signal"]}, {result["reason"]}')
    return problems


@subtest('row 2: the command ends by a signal of its own')
def every_signal(sandbox):
    # A core file would take its time, and a place that is not ours.
    no_core = lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    runs = in_batches(sandbox, [('sh', '-c', f'kill -{name} $$') for name in SIGNALS], preexec_fn=no_core)
    for name, run in zip(SIGNALS, runs):
        check_none(signal_problems(run, name))
        check_equal(run.check_saved()['escalated'], False, name)


@subtest('row 2: a real-time signal has a name too')
def realtime_signal(sandbox):
    run = sandbox.finish('sh', '-c', f'kill -{signal.SIGRTMIN + 2} $$')
    check_equal(run.result['signal'], 'SIGRTMIN+2', 'signal')
    check_equal(run.status, 128 + signal.SIGRTMIN + 2, 'status')


@control('row 2: a shell in between turns the signal into a status')
def signal_behind_a_shell(sandbox):
    run = sandbox.finish('sh', '-c', 'sh -c "kill -TERM \\$\\$"; exit $?')
    check_some(signal_problems(run, 'TERM'), 'the outer shell exited with 143')


# Row 3

def failure_problems(run, status, error):
    """The command could not be run: the errno's text, no process, nothing stray."""
    result = run.result
    problems = []
    if run.status != status:
        problems.append(f'stintctl exited with {run.status} instead of {status}')
    if result['reason'] != 'failed' or result['exitCode'] is not None or result['signal'] is not None:
        problems.append(f'{result["reason"]}, {result["exitCode"]}, {result["signal"]}')
    if error not in (result['error'] or ''):
        problems.append(f'the error is {result["error"]!r}')
    if error not in run.err or len(run.err.splitlines()) != 1:
        problems.append(f'standard error says {run.err!r}')
    if result['stdout'] != '' or run.out != b'':
        problems.append('there is output')
    return problems


@subtest('row 3: what cannot be started')
def cannot_start(sandbox):
    script = sandbox.path('bad-shebang')
    script.write_text('#!/no/such/interpreter\n')
    script.chmod(0o755)
    plain = sandbox.path('plain')
    plain.write_text('echo no\n')
    plain.chmod(0o644)
    elf = sandbox.path('broken-elf')
    elf.write_bytes(b'\x7fELF' + bytes(60))
    elf.chmod(0o755)
    cases = [
        (('no-such-command-here',), 127, 'No such file or directory'),
        (('/no/such/command',), 127, 'No such file or directory'),
        ((f'{plain}/below-a-file',), 127, 'Not a directory'),
        ((plain,), 126, 'Permission denied'),
        ((sandbox.directory,), 126, 'Permission denied'),
        ((script,), 127, 'No such file or directory'),
        (('--cwd', '/no/such/directory', 'true'), 125, 'No such file or directory'),
        (('--cwd', plain, 'true'), 125, 'Not a directory'),
        (('--tty', 'no-such-command-here'), 127, 'No such file or directory'),
    ]
    for arguments, status, error in cases:
        run = sandbox.finish(*arguments)
        check_none(failure_problems(run, status, error), str(arguments))
        run.check_saved()


@subtest('row 3: a directory that may not be entered')
def forbidden_directory(sandbox):
    closed = sandbox.make('closed', 0o600)
    make_usable_by_others(sandbox)
    run = sandbox.finish('--cwd', closed, 'true', **as_ordinary_user())
    check_none(failure_problems(run, 125, 'Permission denied'))
    run.check_saved()


def small_stack_keeper(sandbox):
    """Starts the keeper with 4 MiB of stack, which leaves 1 MiB for a command's arguments."""
    wrapper = sandbox.path('small-stack-keeper')
    wrapper.write_text(f'#!/bin/sh\nulimit -s 4096\nexec {sandbox.keeper}\n')
    wrapper.chmod(0o755)
    return wrapper


LONG_LIST = ['x' * 100000] * 12


@subtest('row 3: an argument list that is too long')
def argument_list_too_long(sandbox):
    run = sandbox.finish('true', *LONG_LIST, keeper=small_stack_keeper(sandbox))
    check_none(failure_problems(run, 126, 'Argument list too long'))
    run.check_saved()


@control('row 3: with room enough the same list is no failure')
def argument_list_short_enough(sandbox):
    run = sandbox.finish('true', *LONG_LIST)
    check_equal(run.status, 0, 'status')
    check_some(failure_problems(run, 126, 'Argument list too long'), 'it ran')


# Row 30

PROBE = r'''
import fcntl, json, os, re, struct, sys, termios
here = os.open('/proc/self/fd', os.O_RDONLY | os.O_DIRECTORY)
status = open('/proc/self/status').read()
field = lambda name: int(re.search(name + r':\s*([0-9a-f]+)', status).group(1), 16)
try:
    # The size, and whose terminal it is: a session's controlling terminal opens as /dev/tty.
    tty = os.open('/dev/tty', os.O_RDWR)
    rows, columns = struct.unpack('HHHH', fcntl.ioctl(tty, termios.TIOCGWINSZ, bytes(8)))[:2]
    terminal = [rows, columns, os.tcgetpgrp(tty) == os.getpgid(0), os.ttyname(1)]
    os.close(tty)
except OSError as error:
    terminal = None
print(json.dumps({
    'descriptors': sorted(int(name) for name in os.listdir('/proc/self/fd') if int(name) != here and
                          os.path.exists('/proc/self/fd/' + name)),
    'blocked': field('SigBlk'), 'ignored': field('SigIgn'), 'pending': field('SigPnd'),
    'session': os.getsid(0) == os.getpid(), 'group': os.getpgid(0) == os.getpid(), 'terminal': terminal,
    'oom': int(open('/proc/self/oom_score_adj').read()),
    'limit': __import__('resource').getrlimit(__import__('resource').RLIMIT_NOFILE),
    'job': os.environ.get('STINT_JOB_ID'), 'umask': os.umask(0),
}))
'''


PYTHON_PROBE = [sys.executable, '-Ic', PROBE]

# Python ignores signals of its own, and a shell clears its mask: this one does neither.
SIGNAL_PROBE = ['grep', '^Sig', '/proc/self/status']


def probe_facts(python_output, signal_output):
    facts = json.loads(python_output.decode().replace('\r', '').splitlines()[-1])
    for key, name in (('blocked', 'SigBlk'), ('ignored', 'SigIgn'), ('pending', 'SigPnd')):
        facts[key] = int(re.search(name + r':\s*([0-9a-f]+)', signal_output.decode()).group(1), 16)
    return facts


def probe(sandbox, *arguments, **options):
    """Returns: what a command sees of how it was started."""
    runs = [sandbox.finish(*arguments, *words, **options) for words in (PYTHON_PROBE, SIGNAL_PROBE)]
    for run in runs:
        check_equal(run.status, 0, run.err)
    facts = probe_facts(*(run.out for run in runs))
    check_equal(facts['job'], str(runs[0].check_saved()['id']), 'STINT_JOB_ID')
    return facts


def start_problems(facts, terminal):
    problems = [f'{key} is {facts[key]:#x}' for key in ('blocked', 'ignored', 'pending') if facts[key]]
    if facts['descriptors'] != [0, 1, 2]:
        problems.append(f'descriptors {facts["descriptors"]}')
    problems += [f'it does not lead its {name}' for name in ('session', 'group') if not facts[name]]
    if terminal is None and facts['terminal'] is not None:
        problems.append('it has a controlling terminal')
    if terminal is not None and (facts['terminal'] is None or facts['terminal'][:3] != [*terminal, True]):
        problems.append(f'its terminal is {facts["terminal"]} instead of {terminal}')
    return problems


def hostile_start(descriptors):
    """As a caller that ignores and blocks what it can, with descriptors left open."""
    def prepare():
        for number in range(1, signal.NSIG):
            if number not in (signal.SIGKILL, signal.SIGSTOP, 32, 33):
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGPIPE, signal.SIGCHLD, signal.SIGWINCH])
    return {'preexec_fn': prepare, 'restore_signals': False, 'pass_fds': descriptors}


@subtest('row 30: how a command on pipes starts, whoever the caller')
def starts_clean_on_pipes(sandbox):
    extra = [os.open('/dev/null', os.O_RDONLY) for _ in range(3)]
    for options in ({}, hostile_start(extra)):
        facts = probe(sandbox, **options)
        check_none(start_problems(facts, None))
        check(facts['oom'] >= 500, f'oom_score_adj is {facts["oom"]}')
        check_equal(tuple(facts['limit']), resource.getrlimit(resource.RLIMIT_NOFILE), 'limit of descriptors')
    for fd in extra:
        os.close(fd)


@subtest('row 30: the soft limit of descriptors is the caller\'s')
def descriptor_limit(sandbox):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    run = sandbox.finish('sh', '-c', 'ulimit -Sn; ulimit -Hn',
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard)))
    check_equal(run.out.decode().split(), ['256', str(hard)], 'limits')


@subtest('row 30: how a command on a terminal of its own starts')
def starts_clean_on_a_terminal(sandbox):
    for options in ({}, hostile_start([])):
        facts = probe(sandbox, '--tty', **options)
        check_none(start_problems(facts, (24, 80)))
        check(facts['terminal'][3].startswith('/dev/pts/'), f'{facts["terminal"]}')


@control('row 30: a keeper that does not close what it inherited')
def without_closing(sandbox):
    extra = os.open('/dev/null', os.O_RDONLY)
    problems = start_problems(probe(sandbox, keeper=without('close-range'), pass_fds=[extra]), None)
    check(any('descriptors' in problem for problem in problems), f'no descriptor was seen: {problems}')


@control('row 30: a keeper that does not reset what is ignored')
def without_signal_reset(sandbox):
    problems = start_problems(probe(sandbox, keeper=without('reset-signals'), **hostile_start([])), None)
    check(any('ignored' in problem for problem in problems), f'no signal was seen: {problems}')


@control('row 30: the same caller without Stint')
def without_stint(sandbox):
    extra = os.open('/dev/null', os.O_RDONLY)
    outputs = [sandbox.helper(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, **hostile_start([extra]))
               .communicate(timeout=PATIENCE)[0] for words in (PYTHON_PROBE, SIGNAL_PROBE)]
    problems = start_problems(probe_facts(*outputs), (24, 80))
    for word in ('ignored', 'blocked', 'descriptors', 'session', 'terminal'):
        check(any(word in problem for problem in problems), f'{word} was not seen: {problems}')


# Row 33

ROUND_TRIP = 'import os,sys; sys.stdout.buffer.write(b"\\0".join(os.fsencode(a) for a in sys.argv[1:]))'


def round_trip_problems(output, arguments):
    expected = b'\0'.join(os.fsencode(argument) for argument in arguments)
    if output == expected:
        return []
    return [f'{len(output)} bytes instead of {len(expected)}: {output[:80]!r}']


HARD_ARGUMENTS = ['', ' ', 'a b', '\'', '"', '\\', 'a\nb\n', '$HOME', '`id`', '*', '--', '-x', '--timeout=1s', '\t\r\x01\x7f',
                  'ünïcode ☃ 🚀', b'\xff\xfe invalid \x80', '#', ';', '&', '%s%n', '=']


@subtest('row 33: arguments with anything in them, in any locale')
def arguments_round_trip(sandbox):
    for locale in ('C', 'C.UTF-8', 'no_SUCH.locale'):
        run = sandbox.finish(sys.executable, '-Ic', ROUND_TRIP, *HARD_ARGUMENTS, environment={'LC_ALL': locale})
        check_equal(run.status, 0, run.err)
        check_none(round_trip_problems(run.out, HARD_ARGUMENTS), locale)
        result = run.check_saved()
        check_equal(result['argv'][3], '', 'argv')
        check_equal(result['argv'][3:7], ['', ' ', 'a b', "'"], 'argv')
        check(any('ünïcode ☃ 🚀' == word for word in result['argv']), f'{result["argv"]}')


@subtest('row 33: an argument of 128 KB')
def long_argument(sandbox):
    argument = 'é' * 65500
    run = sandbox.finish(sys.executable, '-Ic', ROUND_TRIP, argument)
    check_none(round_trip_problems(run.out, [argument]))
    run.check_saved()


@subtest('row 33: an environment of 1 MB, with what is not UTF-8')
def large_environment(sandbox):
    variables = {f'LARGE_{i}': f'{i:06} ' * 1400 for i in range(105)}
    variables |= {'ODD': b'\xff\xfe\n', 'NL': 'a\nb', 'EMPTY': ''}
    code = ('import os,hashlib; e=os.environb; print(hashlib.sha256(b"\\n".join(k+b"="+e[k] for k in sorted(e) '
            'if k[:6]==b"LARGE_" or k in (b"ODD",b"NL",b"EMPTY"))).hexdigest())')
    run = sandbox.finish(sys.executable, '-Ic', code, environment=variables)
    environment = {os.fsencode(k): os.fsencode(v) for k, v in variables.items()}
    import hashlib
    text = b'\n'.join(k + b'=' + environment[k] for k in sorted(environment))
    check(len(text) > 1 << 20 or len(text) > 1000000, 'it is smaller than it should be')
    check_equal(run.out.decode().strip(), hashlib.sha256(text).hexdigest(), 'environment')
    check('LARGE_5' not in json.dumps(history_rows(sandbox), default=str), 'the environment is in the history')
    run.check_saved()


@control('row 33: arguments that go through a shell unquoted')
def arguments_through_a_shell(sandbox):
    run = sandbox.finish('--shell', f'{sys.executable} -Ic \'{ROUND_TRIP}\' a  b $HOME *')
    check_some(round_trip_problems(run.out, ['a  b $HOME *']), 'the shell split and expanded them')


# Checks that no row above has seen to fail

@control('the check of the result object sees what is missing or contradicts itself')
def broken_results(sandbox):
    run = sandbox.finish('true')
    good = run.check_saved()
    check_none(result_problems(good))
    for name in good:
        check_some(result_problems({k: v for k, v in good.items() if k != name}), f'without {name}')
    for change in ({'signal': 'SIGKILL'}, {'exitCode': None}, {'exitCode': '0'}, {'reason': 'lost'},
                   {'startedAt': '2026-01-01 00:00:00'}, {'transcript': '/no/such/file'}, {'leftovers': True},
                   {'survivors': [{}]}, {'durationMs': -1}, {'extra': 1}):
        check_some(result_problems(good | change), str(change))
    row = history_rows(sandbox)[good['id']]
    check_none(row_problems(row, good))
    for change in ({'state': 'running'}, {'reason': 'signaled'}, {'duration': None}, {'exit_code': 1},
                   {'stdout_bytes': 7}, {'signal': 9, 'exit_code': None}):
        check_some(row_problems(row | change, good), str(change))
    check_some(row_problems(None), 'no row')


if __name__ == '__main__':
    sys.exit(main())
