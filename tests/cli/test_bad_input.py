# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is wrong is named in one line, and nothing runs; what is missing around a job does not stop it.

import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *


def refusal_problems(run, named):
    problems = []
    if run.status != 125:
        problems.append(f'exit status {run.status}')
    if len(run.err.splitlines()) != 1 or not run.err.endswith('\n'):
        problems.append(f'not one line: {run.err!r}')
    if named not in run.err:
        problems.append(f'{named!r} is not named: {run.err!r}')
    if any(ord(c) < 32 for c in run.err[:-1]):
        problems.append(f'control characters: {run.err!r}')
    if run.out:
        problems.append(f'output: {run.out[:100]!r}')
    return problems


BAD = [
    (['--frobnicate', 'touch', 'ran'], '--frobnicate'),
    (['-j4', 'touch', 'ran'], '-j4'),
    (['--timeout', 'soon', 'touch', 'ran'], 'soon'),
    (['--timeout=5x', 'touch', 'ran'], '5x'),
    (['--timeout', '-1', 'touch', 'ran'], '-1'),
    (['--timeout', '', 'touch', 'ran'], '--timeout'),
    (['--idle-timeout', '1h30', 'touch', 'ran'], '1h30'),
    (['--grace', '5 x', 'touch', 'ran'], '5 x'),
    (['--grace', '0x10', 'touch', 'ran'], '0x10'),
    (['--output-limit', '1.5M', 'touch', 'ran'], '1.5M'),
    (['--output-limit', '10MB', 'touch', 'ran'], '10MB'),
    (['--env', 'NAME', 'touch', 'ran'], 'NAME'),
    (['--env', '=x', 'touch', 'ran'], '=x'),
    (['--unset-env', 'A=B', 'touch', 'ran'], '--unset-env'),
    (['--kind', 'robot', 'touch', 'ran'], '--kind'),
    (['claude', '-p', 'touch ran'], '--kind agent'),
    (['--shell', 'touch ran; claude -p hello | cat'], 'claude'),
    (['--leftovers', 'keep', 'touch', 'ran'], '--leftovers'),
    (['--quiet=yes', 'touch', 'ran'], '--quiet'),
    (['--cwd=', 'touch', 'ran'], '--cwd'),
    (['--shell', 'touch ran', 'touch', 'ran'], '--shell'),
    (['--timeout'], '--timeout'),
    (['--json'], '--json'),
    ([], 'command'),
    (['--quiet'], 'command'),
    (['--'], 'command'),
    ([''], 'command'),
    (['--json', '/no/such/directory/file', 'touch', 'ran'], '/no/such/directory/file'),
    (['--json', '/', 'touch', 'ran'], '“/”'),
    (['--fro\nb\x1b[31m\u202e', 'touch', 'ran'], '--fro b'),
    (['--env', b'\xff\xfe', 'touch', 'ran'], '--env'),
]


@subtest('what is wrong is named in one line, exit status 125, and nothing has run')
def bad_words(sandbox):
    for arguments, named in BAD:
        run = sandbox.finish(*arguments, json=False)
        check_none(refusal_problems(run, named), str(arguments))
        check(not sandbox.path('ran').exists(), f'{arguments}: it ran')
    check(not (sandbox.state / 'stint').exists(), 'there is a history')
    check_equal(sandbox.finish('touch', 'ran').status, 0, 'and what is right runs')
    check(sandbox.path('ran').exists(), 'it did not run')


@subtest('the same in a locale that cannot show it')
def bad_words_in_c(sandbox):
    for arguments, named in BAD[:-2]:
        run = sandbox.finish(*arguments, json=False, environment={'LC_ALL': 'C'})
        check_none(refusal_problems(run, named.strip('“”')), str(arguments))


@subtest('where the locale knows ASCII alone, as under cron, texts are UTF-8 all the same')
def texts_in_c(sandbox):
    in_c = {'json': False, 'environment': {'LC_ALL': 'C'}}
    check_equal(sandbox.finish('--name', 'größe', 'echo', 'ü', **in_c).out, 'ü\n'.encode(), 'run')
    check_equal(sandbox.finish('--shell', 'echo $LC_ALL', **in_c).out, b'C\n', 'what the job is given')
    run = sandbox.finish('search', 'größe', verb=('history',), **in_c)
    check_equal((run.status, run.err), (0, ''), 'search')
    check('größe' in run.out.decode(), run.out)
    run = sandbox.finish('--agent', '/no/such/agent', 'schöne Größe', verb=('prompt',), **in_c)
    check_none(refusal_problems(run, '/no/such/agent') if run.status == 125 else [], 'prompt')
    check('conversion' not in run.err, run.err)
    check('“x”' in sandbox.finish('--timeout', 'x', 'true', **in_c).err, 'a message')


@subtest('a job runs nowhere else when the current directory is gone')
def directory_gone(sandbox):
    gone = sandbox.make('gone')

    def leave():
        os.chdir(gone)
        gone.rmdir()

    for verb, words in ((('run',), ['touch', 'ran']), (('run',), ['--cwd', 'below', 'touch', 'ran']),
                        (('start',), ['touch', 'ran']), (('prompt',), ['--agent', 'true', 'hello'])):
        run = sandbox.finish(*words, verb=verb, json=False, preexec_fn=leave)
        check_none(refusal_problems(run, '--cwd'), f'{verb} {words}')
        gone.mkdir()
    check_equal(sandbox.finish('--cwd', '/', 'pwd', json=False, preexec_fn=leave).out, b'/\n', 'said')


@subtest('an agent is a background shell job for who says so')
def forced_kind(sandbox):
    agent = sandbox.path('claude')
    agent.write_text('#!/bin/sh\necho "told $2"\n')
    agent.chmod(0o755)
    for kind in ('shell', 'agent'):
        check_equal(sandbox.finish('--kind', kind, agent, '-p', 'hello', json=False).out, b'told hello\n', kind)
    check_none(refusal_problems(sandbox.finish(agent, '-p', 'hello', json=False), '--kind shell'), 'not forced')


@control('bad words: a message of two lines, another status, output')
def good_words(sandbox):
    problems = refusal_problems(sandbox.finish('--shell', 'echo x; echo a >&2; echo b >&2', json=False), 'frobnicate')
    for word in ('status', 'one line', 'named', 'output'):
        check(any(word in problem for problem in problems), f'{word} was not seen: {problems}')


@subtest('--json FILE that cannot be written: nothing has run')
def unwritable_json(sandbox):
    make_usable_by_others(sandbox)
    readonly = sandbox.path('readonly.json')
    readonly.write_text('kept')
    if os.geteuid() == 0:
        os.chown(readonly, 0, 0)
    readonly.chmod(0o444)
    run = sandbox.finish('--json', readonly, 'touch', 'ran', json=False, **as_ordinary_user())
    check_none(refusal_problems(run, 'readonly.json'))
    check(not sandbox.path('ran').exists(), 'it ran')
    check_equal(readonly.read_text(), 'kept', 'the file')


@subtest('--json - with standard output closed')
def json_to_nowhere(sandbox):
    run = sandbox.finish('--json', '-', 'touch', 'ran', json=False, stdout=None, preexec_fn=lambda: os.close(1))
    check_equal((run.status, len(run.err.splitlines())), (125, 1), run.err)
    check(not sandbox.path('ran').exists(), 'it ran')


# What cannot be started, from outside; FAULTS row 3 has the details.

@subtest('not found, not executable, no such directory: the errno\'s text, and no process')
def not_started(sandbox):
    plain = sandbox.path('plain')
    plain.touch(0o644)
    for arguments, status, text in ((['no-such-command'], 127, 'No such file or directory'),
                                    ([str(plain)], 126, 'Permission denied'),
                                    (['--cwd', '/no/such', 'true'], 125, 'No such file or directory')):
        run = sandbox.finish(*arguments)
        result = run.check_saved()
        check_equal((run.status, result['reason'], len(run.err.splitlines())), (status, 'failed', 1), run.err)
        check(text in run.err and text in result['error'], run.err)
        check_equal(result['transcript'] is None or os.path.exists(result['transcript']), True, 'transcript')


@subtest('a directory that may not be entered, and one that was removed')
def directories(sandbox):
    make_usable_by_others(sandbox)
    closed = sandbox.make('closed', 0o700)
    if os.geteuid() != 0:
        closed.chmod(0o000)
    run = sandbox.finish('--cwd', closed, 'touch', str(sandbox.path('ran')), **as_ordinary_user())
    check_equal((run.status, run.check_saved()['reason']), (125, 'failed'), 'ending')
    check('Permission denied' in run.err, run.err)
    closed.chmod(0o700)
    gone = sandbox.make('gone')
    run = sandbox.finish('touch', str(sandbox.path('ran')), preexec_fn=lambda: (os.chdir(gone), os.rmdir(gone)))
    check_equal(run.status, 125, run.err)
    check(not sandbox.path('ran').exists(), 'it ran')


# Where the history cannot be written, the job runs and the loss is said.

def check_loss_said(sandbox, run, result_of=lambda run: run.result):
    check_equal((run.status, run.out), (3, b'out\n'), run.err)
    result = result_of(run)
    check_none(result_problems(result))
    check_equal((result['stdout'], result['exitCode'], result['transcript']), ('out\n', 3, None), 'result')
    check('history' in run.err and 1 <= len(run.err.splitlines()) <= 2, f'the loss is not said: {run.err!r}')
    wait_until(lambda: not left_processes(sandbox), 'the end of the keeper')
    check_equal([path.name for path in sandbox.temporary.iterdir()], [], 'the temporary directory')


@subtest('a state directory that may not be written')
def state_not_writable(sandbox):
    make_usable_by_others(sandbox)
    if os.geteuid() == 0:
        os.chown(sandbox.state, 0, 0)
    sandbox.state.chmod(0o555)
    check_loss_said(sandbox, sandbox.finish('--shell', 'echo out; exit 3', **as_ordinary_user()))
    sandbox.state.chmod(0o755)


@subtest('a state directory that is none')
def state_is_a_file(sandbox):
    shutil.rmtree(sandbox.state)
    sandbox.state.write_text('in the way')
    check_loss_said(sandbox, sandbox.finish('--shell', 'echo out; exit 3'))
    check_equal(sandbox.state.read_text(), 'in the way', 'what is in the way')


@subtest('a history whose jobs may not be written')
def jobs_not_writable(sandbox):
    make_usable_by_others(sandbox)
    check_equal(sandbox.finish('true', **as_ordinary_user()).status, 0, 'first')
    (sandbox.state / 'stint' / 'jobs').chmod(0o500)
    check_loss_said(sandbox, sandbox.finish('--shell', 'echo out; exit 3', **as_ordinary_user()))
    (sandbox.state / 'stint' / 'jobs').chmod(0o700)


@subtest('neither history nor temporary directory: a clear error, and no process')
def nowhere_to_write(sandbox):
    shutil.rmtree(sandbox.state)
    sandbox.state.write_text('in the way')
    run = sandbox.finish('touch', 'ran', environment={'TMPDIR': '/no/such/directory'})
    # GLib falls back to nothing else: the directory is named.
    check_equal(run.status, 125, run.err)
    check('/no/such/directory' in run.err, run.err)
    check(not sandbox.path('ran').exists(), 'it ran')
    result = run.result
    check_none(result_problems(result))
    check_equal(result['reason'], 'failed', 'reason')
    sandbox.checks_history = False


@subtest('a keeper that is not there')
def no_keeper(sandbox):
    run = sandbox.finish('touch', 'ran', keeper='/no/such/keeper')
    check_equal((run.status, len(run.err.splitlines())), (125, 1), run.err)
    check('/no/such/keeper' in run.err, run.err)
    check_none(result_problems(run.result))
    check_equal(run.result['reason'], 'failed', 'reason')


@subtest('a keeper that is none')
def wrong_keeper(sandbox):
    for keeper in ('/bin/true', '/bin/false'):
        run = sandbox.finish('touch', 'ran', keeper=keeper)
        check(run.status in (125, 137), f'{run.status}, {run.err}')
        check(run.err, 'nothing is said')
        check_none(result_problems(run.result))
        check_equal(history_rows(sandbox)[run.result['id']]['state'], 'finished', 'state')
    check(not sandbox.path('ran').exists(), 'it ran')
    # Nobody can tell when a job began whose keeper never spoke.
    sandbox.checks_history = False


if __name__ == '__main__':
    sys.exit(main())
