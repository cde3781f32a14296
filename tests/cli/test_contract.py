# SPDX-License-Identifier: GPL-3.0-or-later
#
# The contract of `stintctl run`: each option, the exit statuses, every field of the result object.

import json
import os
import pathlib
import resource
import re
import signal
import stat
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'faults'))

from harness import *


@subtest('the example of the contract')
def example(sandbox):
    run = sandbox.finish('--json', '-', '--shell', 'echo out; echo err >&2; exit 3', json=False)
    result = json.loads(run.out)
    check_none(result_problems(result))
    for name, value in {'stdout': 'out\n', 'stderr': 'err\n', 'exitCode': 3, 'signal': None, 'reason': 'exited',
                        'stdoutBytes': 4, 'stderrBytes': 4, 'escalated': False, 'leftovers': 0, 'survivors': [],
                        'truncated': False, 'error': None, 'name': None, 'kind': 'shell',
                        'argv': ['/bin/sh', '-c', 'echo out; echo err >&2; exit 3'],
                        'cwd': str(sandbox.directory)}.items():
        check_equal(result[name], value, name)
    check_equal((run.status, run.err), (3, ''), 'stintctl')


@subtest('the result on a terminal: all in stdout, stderr null')
def result_on_a_terminal(sandbox):
    result = sandbox.finish('--tty', '--shell', 'echo out; echo err >&2; exit 3').check_saved()
    check_equal((result['stdout'], result['stderr'], result['kind']), ('out\r\nerr\r\n', None, 'terminal'), 'streams')
    check_equal((result['stdoutBytes'], result['stderrBytes']), (10, 0), 'bytes')


@subtest('the result of what could not be started, and of nothing')
def result_without_a_process(sandbox):
    result = sandbox.finish('/no/such/command').check_saved()
    check_equal((result['reason'], result['exitCode'], result['signal'], result['stdout']), ('failed', None, None, ''),
                'failed')
    check('/no/such/command' in result['error'], f'{result["error"]}')
    for line in ('', ' \t\n'):
        run = sandbox.finish('--shell', line)
        result = run.check_saved()
        check_equal((result['reason'], result['exitCode'], result['stdout'], result['stderr'], run.status, run.out,
                     run.err), ('exited', 0, '', '', 0, b'', ''), 'a blank line')


@subtest('times, processor and memory')
def measures(sandbox):
    run = sandbox.finish(sys.executable, '-Ic',
                         'import time; s=bytearray(50<<20); t=time.process_time()\n'
                         'while time.process_time()-t < 0.3: pass')
    result = run.check_saved()
    check(result['durationMs'] >= 300, f'{result["durationMs"]} ms')
    check(result['cpuMs'] >= 290, f'{result["cpuMs"]} ms of processor')
    check(50 << 20 <= result['maxRssBytes'] <= 500 << 20, f'{result["maxRssBytes"]} bytes of memory')
    import datetime
    started = datetime.datetime.fromisoformat(result['startedAt'].replace('Z', '+00:00'))
    age = (datetime.datetime.now(datetime.timezone.utc) - started).total_seconds()
    check(0.3 <= age + 0.002 < PATIENCE, f'it started {age} s ago')


@subtest('stdout and stderr hold the last mebibyte, and say so')
def last_mebibyte(sandbox):
    # Nine bytes a line, which do not go into a mebibyte evenly, and characters of two bytes at the cut.
    run = sandbox.finish('--shell', 'i=0; yes "ééé x" | head -c 1200000; yes err | head -c 1048576 >&2')
    result = run.check_saved()
    check_equal((result['stdoutBytes'], result['stderrBytes'], result['truncated']), (1200000, 1048576, True), 'bytes')
    check_equal(len(result['stderr']), 1048576, 'stderr')
    check((1 << 20) - 4 <= len(result['stdout'].encode()) <= 1 << 20, f'{len(result["stdout"].encode())} bytes')
    check('\ufffd' not in result['stdout'], 'the cut went through a character')
    check_equal(pathlib.Path(result['transcript']).stat().st_size, 2248576, 'transcript')
    check_equal(sandbox.finish('--shell', 'yes | head -c 1048576').result['truncated'], False, 'truncated')


@subtest('every byte of the output makes valid JSON')
def every_byte(sandbox):
    run = sandbox.finish('--name', 'n\x1f\x01"\\', sys.executable, '-Ic',
                         'import os; os.write(1, bytes(range(256))); os.write(2, b"\\x1b[31m\\x1f\\x7f\\xc3")', '\x1f')
    result = run.check_saved()
    check_equal(result['stdoutBytes'], 256, 'bytes')
    check_equal(result['stdout'][1:128], bytes(range(1, 128)).decode(), 'text')
    check_equal(result['stdout'].count('\ufffd'), 129, 'what is no text')
    check_equal((result['name'], result['argv'][-1]), ('n\x1f\x01"\\', '\x1f'), 'name and argument')


def cost_of_byte(sandbox, byte):
    """Processor time, of which a busy machine gives no less."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = sandbox.finish('--shell', f'head -c 1048576 /dev/zero | tr "\\0" "\\{byte:o}"')
    check_equal(run.check_saved()['stdoutBytes'], 1 << 20, f'bytes of {byte:#x}')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@subtest('a mebibyte of any one byte costs about what one of letters does')
def one_byte_often(sandbox):
    letters = max(cost_of_byte(sandbox, ord('a')), 0.2)
    for byte in (0, 0x1b, 0x1f, 0x22, 0x7f, 0xc3, 0xff):
        cost = cost_of_byte(sandbox, byte)
        check(cost < 20 * letters, f'{byte:#x} took {cost} s, letters {letters} s')


# Exit statuses

@subtest('every exit status of the contract')
def exit_statuses(sandbox):
    plain = sandbox.path('plain')
    plain.touch(0o644)
    cases = [
        (['true'], 0), (['false'], 1), (['--shell', 'exit 255'], 255), (['--shell', 'exit 124'], 124),
        (['--shell', 'kill -TERM $$'], 143), (['--shell', 'kill -KILL $$'], 137), (['--shell', 'kill -INT $$'], 130),
        (['--timeout', '50ms', 'sleep', '1000'], 124), (['--idle-timeout', '50ms', 'sleep', '1000'], 124),
        (['--timeout', '200ms', '--shell', 'trap "exit 0" TERM; while :; do sleep 0.1; done'], 124),
        (['/no/such/command'], 127), ([str(plain)], 126), (['--cwd', '/no/such', 'true'], 125),
        (['--no-such-option', 'true'], 125), ([], 125),
    ]
    for arguments, status in cases:
        check_equal(sandbox.finish(*arguments, json=False).status, status, str(arguments))


@subtest('help and version')
def help_and_version(sandbox):
    for arguments in (('run', '--help'), ('--help',), ('--version',)):
        run = sandbox.finish(verb=arguments, json=False)
        check_equal((run.status, run.err), (0, ''), str(arguments))
        check(b'stintctl' in run.out, 'it does not say whose help it is')
    for option in ('--shell', '--kind', '--tty', '--pipes', '--cwd', '--env', '--unset-env', '--name', '--tag', '--timeout',
                   '--idle-timeout', '--grace', '--output-limit', '--leftovers', '--json', '--quiet', '--no-history'):
        check(option in sandbox.finish('--help', json=False).out.decode(), f'{option} is not in the help')
    for arguments in ((), ('frobnicate',)):
        run = sandbox.finish(verb=arguments, json=False)
        check_equal((run.status, run.out), (125, b''), str(arguments))
    check('frobnicate' in run.err and len(run.err.splitlines()) == 1, run.err)
    check(not (sandbox.state / 'stint').exists(), 'there is a history')


# Options

@subtest('--cwd, absolute and relative, and PWD')
def directory(sandbox):
    (sandbox.directory / 'real' / 'below').mkdir(parents=True)
    (sandbox.directory / 'link').symlink_to('real')
    for arguments, seen in ((['--cwd', '/'], '/'), (['--cwd', 'real/below'], 'real/below'), (['--cwd=link'], 'link'), ([], '')):
        expected = seen if seen.startswith('/') else str(sandbox.directory / seen).rstrip('/')
        run = sandbox.finish(*arguments, sys.executable, '-Ic', 'import os; print(os.environ["PWD"]); print(os.getcwd())')
        check_equal(run.out.decode().split(), [expected, os.path.realpath(expected)], str(arguments))
        check_equal(run.check_saved()['cwd'], expected, 'cwd')
    # A wrong PWD of the caller's is not believed.
    run = sandbox.finish('pwd', environment={'PWD': '/usr'})
    check_equal(run.out.decode().strip(), os.path.realpath(sandbox.directory), 'with a wrong PWD')


@subtest('--env and --unset-env, in the order given, after everything else')
def environment(sandbox):
    def names(*arguments, **variables):
        run = sandbox.finish(*arguments, 'env', '-0', environment=variables)
        check_equal(run.status, 0, run.err)
        run.check_saved()
        return dict(entry.split('=', 1) for entry in run.out.decode().split('\0') if entry)
    check_equal(names(A='0')['A'], '0', 'inherited')
    check_equal(names('--env', 'A=1', A='0')['A'], '1', 'set')
    check('A' not in names('--unset-env', 'A', A='0'), 'unset')
    check('A' not in names('--env', 'A=1', '--unset-env', 'A'), 'set, then unset')
    check_equal(names('--unset-env', 'A', '--env', 'A=2', '--env', 'A=3', A='0')['A'], '3', 'unset, then set twice')
    check_equal(names('--env', 'A=', A='0')['A'], '', 'set to nothing')
    check_equal(names('--env', 'A=b=c\n d')['A'], 'b=c\n d', 'a value with everything')
    check_equal(names('--env', 'STINT_JOB_ID=mine')['STINT_JOB_ID'], 'mine', 'the own changes come last')
    check_equal(names('--env', 'PWD=/elsewhere')['PWD'], '/elsewhere', 'PWD too')
    check('PWD' not in names('--unset-env', 'PWD'), 'PWD unset')
    # Nothing of its own goes in, but the id, and what strays are found by.
    for variable in names():
        check(not variable.startswith('STINT_') or variable in ('STINT_JOB_ID', 'STINT_JOB_DIRECTORY', 'STINT_KEEPER', 'STINT_TEST_TOKEN'),
              f'{variable} is set')


@subtest('the command is looked up in the job\'s PATH')
def lookup(sandbox):
    bin = sandbox.make('bin')
    (bin / 'mine').write_text('#!/bin/sh\necho found\n')
    (bin / 'mine').chmod(0o755)
    check_equal(sandbox.finish('mine').status, 127, 'without it')
    check_equal(sandbox.finish('--env', f'PATH={bin}:/usr/bin:/bin', 'mine').out, b'found\n', 'with it')
    check_equal(sandbox.finish('--env', 'PATH=/usr/bin', 'mine', environment={'PATH': f'{bin}:/usr/bin:/bin'}).status, 127,
                'the caller\'s does not count')
    check_equal(sandbox.finish('--unset-env', 'PATH', 'true').status, 0, 'without any PATH')
    (bin / 'script').write_text('echo no interpreter "$1"\n')
    (bin / 'script').chmod(0o755)
    check_equal(sandbox.finish(bin / 'script', 'x y').out, b'no interpreter x y\n', 'a script without #!')


@subtest('STINT_JOB_ID is the job\'s id, and each has its own')
def job_ids(sandbox):
    ids = [sandbox.finish('--shell', 'echo $STINT_JOB_ID') for _ in range(3)]
    for run in ids:
        check_equal(run.out.decode().strip(), str(run.check_saved()['id']), 'id')
    check_equal(len({run.result['id'] for run in ids}), 3, 'ids')
    nested = sandbox.finish(sandbox.stintctl, 'run', 'sh', '-c', 'echo $STINT_JOB_ID')
    check(nested.out.decode().strip() != str(nested.result['id']), 'a job in a job has the same id')


@subtest('--name, --tag and --kind')
def labels(sandbox):
    run = sandbox.finish('--name', 'a name ☃', '--tag', 'one', '--tag', 'two words', '--kind', 'agent', 'true')
    result = run.check_saved()
    row = history_rows(sandbox)[result['id']]
    check_equal((result['name'], result['kind'], row['name'], row['kind']), ('a name ☃', 'agent', 'a name ☃', 'agent'), 'labels')
    check('one' in row['tags'] and 'two words' in row['tags'], row['tags'])
    for kind in ('shell', 'terminal', 'agent'):
        result = sandbox.finish('--kind', kind, 'tty').result
        check_equal((result['kind'], result['stderr'] is None), (kind, kind == 'terminal'), kind)


@subtest('an agent finds nothing on its stdin')
def agent_stdin(sandbox):
    run = sandbox.finish('--kind', 'agent', 'cat', stdin=open('/etc/passwd'))
    check_equal((run.status, run.out), (0, b''), 'an agent')


@subtest('--tty and --pipes')
def tty_and_pipes(sandbox):
    check_equal(sandbox.finish('--tty', '--shell', 'test -t 1 && test -t 2 && echo yes').out, b'yes\r\n', '--tty')
    check_equal(sandbox.finish('--pipes', '--shell', 'test -t 1 || echo no').out, b'no\n', '--pipes')
    check_equal(sandbox.finish('--shell', 'test -t 1 || echo no').out, b'no\n', 'the default, without a terminal')


@subtest('--output-limit keeps the beginning and the end')
def output_limit(sandbox):
    run = sandbox.finish('--output-limit', '256K', '--shell', 'echo first; yes 0123456789 | head -c 3300000; echo last')
    result = run.check_saved()
    check_equal((len(run.out), result['stdoutBytes'], result['truncated']), (3300011, 3300011, True), 'bytes')
    transcript = pathlib.Path(result['transcript'])
    data = transcript.read_bytes()
    check(data.startswith(b'first\n0123456789\n') and data.endswith(b'0123456789\nlast\n'), 'beginning and end')
    check(sum(path.stat().st_blocks * 512 for path in transcript.parent.iterdir()) <= 1.5 * (256 << 10), 'disk')
    check(result['stdout'].endswith('0123456789\nlast\n') and '\0' not in result['stdout'], 'stdout')
    unlimited = sandbox.finish('--output-limit', '0', '--shell', 'yes | head -c 300000').check_saved()
    check_equal((unlimited['stdoutBytes'], unlimited['truncated']), (300000, False), 'without a limit')


@subtest('--json FILE, beside the output')
def json_file(sandbox):
    run = sandbox.finish('--json', 'here.json', '--shell', 'echo out; exit 3', json=False)
    check_equal((run.out, run.status), (b'out\n', 3), 'output')
    result = json.loads(sandbox.path('here.json').read_text())
    check_none(result_problems(result))
    check_equal(result['stdout'], 'out\n', 'stdout')
    # What was longer before is gone.
    sandbox.path('here.json').write_text('x' * 100000)
    sandbox.finish('--json', 'here.json', 'true', json=False)
    check_none(result_problems(json.loads(sandbox.path('here.json').read_text())))
    run = sandbox.finish('--json', '/dev/full', '--shell', 'echo out; exit 3', json=False)
    check_equal((run.status, run.out, len(run.err.splitlines())), (125, b'out\n', 1), 'a full device')


@subtest('--quiet passes nothing through, and keeps all')
def quiet(sandbox):
    run = sandbox.finish('--quiet', '--shell', 'echo out; echo err >&2; exit 3')
    check_equal((run.out, run.err, run.status), (b'', '', 3), 'passed through')
    result = run.check_saved()
    check_equal((result['stdout'], result['stderr']), ('out\n', 'err\n'), 'kept')
    run = sandbox.finish('--quiet', '--timeout', '50ms', 'sleep', '1000')
    check_equal((run.out, run.err, run.status), (b'', '', 124), 'a limit')
    run = sandbox.finish('--quiet', '/no/such/command')
    check_equal((run.status, len(run.err.splitlines())), (127, 1), 'what could not be started is said all the same')


@subtest('--no-history leaves no trace')
def no_history(sandbox):
    endings = [(['--shell', 'echo out; exit 3'], 3), (['--tty', '--shell', 'exit 3'], 3), (['/no/such/command'], 127),
               (['--timeout', '50ms', 'sleep', '1000'], 124), (['--shell', ''], 0), (['--quiet', 'true'], 0)]
    for arguments, status in endings * 5:
        run = sandbox.finish('--no-history', *arguments)
        check_equal(run.status, status, run.err)
        result = run.result
        check_none(result_problems(result))
        check_equal(result['transcript'], None, 'transcript')
    run = sandbox.run('--no-history', '--shell', 'echo ready; sleep 1000')
    run.wait_output(b'ready')
    run.process.send_signal(signal.SIGTERM)
    check_equal(run.finish().result['stdout'], 'ready\n', 'stdout')
    check(not (sandbox.state / 'stint').exists(), 'there is a history')
    # The keeper may be on its way out; it leaves nothing either.
    wait_until(lambda: not left_processes(sandbox), 'the end of the keepers')
    check_equal([path.name for path in sandbox.temporary.iterdir()], [], 'the temporary directory')


@subtest('the history is the user\'s own')
def permissions(sandbox):
    result = sandbox.finish('true', preexec_fn=lambda: os.umask(0)).check_saved()
    directory = pathlib.Path(result['transcript']).parent
    for path, mode in ((history_file(sandbox), 0o600), (directory, 0o700), (pathlib.Path(result['transcript']), 0o600)):
        check_equal(oct(stat.S_IMODE(path.stat().st_mode)), oct(mode), str(path))


@subtest('secrets do not go into the history')
def secrets(sandbox):
    sandbox.finish('--env', 'MY_TOKEN=s3cr3t-value', '--env', 'PLAIN=shown-value', 'true').check_saved()
    spec = json.dumps(history_rows(sandbox), default=str)
    check('s3cr3t-value' not in spec and 'shown-value' in spec, spec)


@subtest('a job\'s life is a few lines of G_MESSAGES_DEBUG')
def debug_lines(sandbox):
    run = sandbox.finish('--timeout', '100ms', 'sleep', '1000', environment={'G_MESSAGES_DEBUG': 'all'})
    id = run.check_saved()['id']
    # Depending on where GLib writes them.
    lines = [line for line in (run.err + run.out.decode()).splitlines() if re.search(rf'[Jj]ob {id}\b', line)]
    check(4 <= len(lines) <= 12, '\n'.join(lines))
    text = '\n'.join(lines)
    for word in ('started', 'sleep 1000', 'timeout', 'ended'):
        check(word in text, f'{word} is not in: {text}')
    check(not sandbox.finish('true').err, 'it is said without being asked')


@subtest('a word to the user about how it ended, and only if the command does not say it itself')
def endings_are_said(sandbox):
    for arguments, words in ((['true'], None), (['false'], None), (['--shell', 'kill -KILL $$'], None),
                             (['--timeout', '50ms', 'sleep', '1000'], 'time was up'),
                             (['--idle-timeout', '50ms', 'sleep', '1000'], 'Stopped')):
        run = sandbox.finish(*arguments)
        check_equal(len(run.err.splitlines()), 0 if words is None else 1, run.err)
        check(words is None or words in run.err and run.err.startswith('stintctl: '), run.err)


if __name__ == '__main__':
    sys.exit(main())
