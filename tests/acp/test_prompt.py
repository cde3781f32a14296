# SPDX-License-Identifier: GPL-3.0-or-later
#
# `stintctl prompt`, from outside: its exit status, what it says and where, and that nothing is left.
# With the scripted agent, and with agents on the official SDK if that is there.

import json
import os
import pathlib
import shlex
import shutil
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
STINTCTL = os.environ['STINT_STINTCTL']
FAKE = f'/usr/bin/python3 -B {shlex.quote(str(HERE / "fake_agent.py"))}'
SDK = HERE / 'node_modules'
PATIENCE = 120
tests = []


def test(function):
    tests.append(function)
    return function


class Sandbox:
    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix='stint-prompt-'))
        self.mark = str(self.root)
        self.work = self.root / 'work'
        self.work.mkdir()

    def start(self, *arguments, mode='', agent=None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
              stderr=subprocess.PIPE):
        environment = dict(os.environ, XDG_STATE_HOME=str(self.root / 'state'),
                           XDG_CONFIG_HOME=str(self.root / 'config'), STINT_TEST_MARK=self.mark)
        return subprocess.Popen([STINTCTL, 'prompt', '--agent', agent or f'{FAKE} {mode}', *arguments],
                                cwd=self.work, env=environment, stdin=stdin, text=True,
                                stdout=stdout, stderr=stderr)

    def run(self, *arguments, text=None, **options):
        process = self.start(*arguments, stdin=subprocess.PIPE if text is not None else subprocess.DEVNULL, **options)
        out, err = process.communicate(text, timeout=PATIENCE)
        return process.returncode, out, err

    def left(self):
        """Processes that came from here."""
        found = []
        for entry in pathlib.Path('/proc').iterdir():
            if entry.name.isdigit():
                try:
                    if f'STINT_TEST_MARK={self.mark}'.encode() in (entry / 'environ').read_bytes():
                        found.append(entry.name)
                except OSError:
                    pass
        return found

    def await_end(self, spared=()):
        """Waits until no process that came from here is left but those that are spared."""
        deadline = time.monotonic() + PATIENCE
        while found := [int(pid) for pid in self.left() if int(pid) not in spared]:
            try:
                pidfd = os.pidfd_open(found[0])
            except ProcessLookupError:
                continue
            ended = select.select([pidfd], [], [], max(0, deadline - time.monotonic()))[0]
            os.close(pidfd)
            assert ended, f'left: {found}'

    def close(self):
        # A keeper may take a moment to go once it has told how its job ended.
        self.await_end()
        # What the scripted agent found wrong with what Stint wrote.
        faults = self.work / 'invalid-messages'
        assert not faults.exists(), faults.read_text()
        shutil.rmtree(self.root)


@test
def end_of_turn(s):
    status, out, err = s.run('say', 'hello')
    assert (status, out, err) == (0, 'hello\n', ''), (status, out, err)
    status, out, err = s.run('--json', 'result', 'say', 'hello')
    result = json.loads((s.work / 'result').read_text())
    assert out == 'hello\n' and result['answer'] == 'hello' and result['stopReason'] == 'end_turn', result
    assert result['agent'] == 'Fake agent' and result['exitStatus'] == 0 and result['error'] is None, result
    # It is in the history, with what was said.
    log = pathlib.Path(result['directory']) / 'protocol.jsonl'
    assert 'agent_message_chunk' in log.read_text(), log
    status, out, err = s.run('--json', '-', 'say', 'hello')
    assert json.loads(out)['answer'] == 'hello', out


@test
def prompt_from_stdin(s):
    status, out, err = s.run(text='say from stdin')
    assert (status, out) == (0, 'from stdin\n'), (status, out, err)
    status, out, err = s.run(text='')
    assert status == 125 and 'nothing to say' in err, (status, err)


@test
def stop_reasons(s):
    for prompt, wanted, said in (('stop refusal', 1, 'refused'), ('stop max_tokens', 1, 'tokens'),
                                 ('error no luck', 1, 'no luck'), ('die 3', 1, 'ended'), ('stop odd', 1, 'not know')):
        status, out, err = s.run(prompt)
        assert status == wanted and said in err, (prompt, status, err)


@test
def limits(s):
    status, out, err = s.run('--timeout', '300ms', 'wait')
    assert status == 124 and 'time' in err, (status, err)
    status, out, err = s.run('--idle-timeout', '300ms', 'wait')
    assert status == 124 and 'silent' in err, (status, err)
    status, out, err = s.run('--start-timeout', '300ms', 'x', mode='silent')
    assert status == 124 and 'ready' in err, (status, err)
    # A terminal's limit ends the terminal alone.
    sleeper = json.dumps({'command': 'sleep', 'args': ['60']})
    for option in '--terminal-timeout', '--terminal-idle-timeout':
        status, out, err = s.run('--permissions', 'allow', option, '300ms', 'terminal', sleeper)
        assert status == 0 and json.loads(out)[0]['signal'] == 'SIGTERM', (option, status, out, err)
    # Without them the same prompt ends.
    status, out, err = s.run('--timeout', '60s', '--idle-timeout', '0', 'say', 'x')
    assert status == 0, (status, err)


@test
def permissions(s):
    for policy, option in (('allow', 'yes'), ('reject', 'no')):
        status, out, err = s.run('--permissions', policy, 'permission')
        assert status == 0 and json.loads(out)['optionId'] == option, (status, out)
    # Nobody is there who could be asked.
    status, out, err = s.run('permission')
    assert json.loads(out)['optionId'] == 'no', out
    status, out, err = s.run('--permissions', 'ask', 'permission')
    assert status == 125 and 'terminal' in err, (status, err)


def at_terminal(s, prompt, answer, *arguments, **streams):
    """Answers the first question. Returns: the status, and what was written to the terminal."""
    ours, theirs = pty.openpty()
    try:
        process = s.start(*arguments, prompt, stdin=theirs, **dict({'stdout': theirs, 'stderr': theirs}, **streams))
    finally:
        os.close(theirs)
    written, answered = b'', False
    with os.fdopen(ours, 'r+b', buffering=0) as terminal:
        while True:
            assert select.select([ours], [], [], PATIENCE)[0], written[-1000:]
            try:
                written += terminal.read(65536)
            except OSError:  # nobody has it open any more
                break
            if not answered and b'(Enter rejects)' in written:
                answered = True
                terminal.write(answer)
    out = process.communicate(timeout=PATIENCE)[0]
    return process.returncode, written.decode().replace('\r\n', '\n'), out


@test
def asked_at_a_terminal(s):
    # Nothing that was said before comes after the question.
    status, written, out = at_terminal(s, 'talk_and_permission 40000', b'1\n')
    said, question, after = written.partition('? Edit it\n')
    assert status == 0 and question and said.endswith('line 39999\n• Edit it\n'), (status, said[-100:], after[-500:])
    assert '"optionId": "yes"' in after and 'line' not in after, after
    assert '1\n\n' not in after, after
    # It is asked where the result goes elsewhere, too.
    status, written, out = at_terminal(s, 'permission', b'\n', '--json', '-', stdout=subprocess.PIPE)
    assert status == 0 and '? Edit it\n' in written and json.loads(out)['stopReason'] == 'end_turn', (status, written, out)
    status, written, out = at_terminal(s, 'permission', b'\n', '--json', '-')
    assert status == 0 and '? Edit it\n' in written and '"stopReason" : "end_turn"' in written, (status, written)


@test
def bad_words(s):
    for arguments, named in ((['--permissions', 'maybe', 'x'], 'maybe'), (['--timeout', 'soon', 'x'], 'soon'),
                             (['--nonsense', 'x'], 'nonsense')):
        status, out, err = s.run(*arguments)
        assert status == 125 and named in err and len(err.splitlines()) == 1, (arguments, status, err)
    status, out, err = s.run('x', agent='/no/such/agent')
    assert status == 127 and '/no/such/agent' in err, (status, err)
    status, out, err = s.run('x', agent="unbalanced '")
    assert status == 125, (status, err)


@test
def interrupted(s):
    for number in (signal.SIGINT, signal.SIGTERM):
        process = s.start('--grace', '60s', 'wait', mode='tidy')
        assert 'Wait' in process.stderr.readline()
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 128 + number, (process.returncode, err)
        # It let itself be cancelled, so it was let end by itself.
        (s.work / 'tidied').unlink()


@test
def stubborn_agent(s):
    """It ignores SIGTERM, its cancelling and the end of its stdin, and has a child elsewhere."""
    status, out, err = s.run('--grace', '200ms', 'orphan', mode='stubborn')
    assert status == 0, (status, err)
    pid = int(out.split()[1].rstrip('.'))
    assert not os.path.exists(f'/proc/{pid}'), pid


@test
def reader_goes_away(s):
    process = s.start('flood 100000')
    process.stdout.readline()
    process.stdout.close()
    status = process.wait(PATIENCE)
    assert status == 130, status
    process.stderr.close()


@test
def nobody_reads(s):
    """The limit of the turn holds all the same, and who reads later gets all that was said until then."""
    begun = s.work / 'begun'
    os.mkfifo(begun)
    process = s.start('--timeout', '3s', 'flood_and_wait 60000', agent=f'sh -c ": >begun; exec {FAKE}"')
    begun.read_bytes()  # returns when the agent has opened it
    s.await_end(spared=[process.pid])
    assert s.left() == [str(process.pid)], s.left()
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 124, (process.returncode, err)
    said = out.split()
    assert said and said == [str(i) for i in range(len(said))], (len(out), out[-100:])


def stock_agent(s):
    """The SDK's own example agent, unchanged."""
    agent = f'node {shlex.quote(str(SDK / "acp-sdk-1/dist/examples/agent.js"))}'
    status, out, err = s.run('--permissions', 'allow', 'Hi', agent=agent)
    assert status == 0 and 'successfully updated' in out and 'Modifying critical' in err, (status, out, err)


def agent_on_the_sdk(s):
    agent = f'node {shlex.quote(str(HERE / "sdk_agent.mjs"))}'
    status, out, err = s.run('--permissions', 'allow', 'go', agent=agent)
    assert status == 0, (status, out, err)
    said = [json.loads(line) for line in out.splitlines()]
    assert said[0] == {'content': 'two\n', 'onDisk': 'one\ntwo\n'}, said
    assert said[1]['first'] == said[1]['second'] == {'exitCode': 3, 'signal': None}, said
    assert said[1]['output'] == {'output': 'out\n', 'truncated': False,
                                 'exitStatus': {'exitCode': 3, 'signal': None}}, said
    assert said[2] == {'running': None, 'killed': True}, said
    assert said[3] == {'released': -32002}, said
    assert said[4] == {'outcome': {'outcome': 'selected', 'optionId': 'go'}}, said


def main():
    if '--sdk' in sys.argv:
        tests[:] = [stock_agent, agent_on_the_sdk]
    print(f'1..{len(tests)}', flush=True)
    failed = False
    for number, function in enumerate(tests, 1):
        sandbox = Sandbox()
        try:
            function(sandbox)
            sandbox.close()
            print(f'ok {number} {function.__name__}', flush=True)
        except Exception as error:  # told, and the others are run all the same
            failed = True
            print(f'not ok {number} {function.__name__}: {type(error).__name__}: {error}'.replace('\n', '\n# '), flush=True)
    return failed


if __name__ == '__main__':
    sys.exit(main())
