# SPDX-License-Identifier: GPL-3.0-or-later
#
# Real agents, unchanged: they get as far as they can without a model, every line that Stint writes to them is as
# the schema has it, and they are stopped without a process left, although the end of their input does
# not end them.

import json
import os
import pathlib
import shlex
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'acp'))

import schema  # noqa: E402
from test_prompt import Sandbox  # noqa: E402

AGENTS = {
    'claude-code-acp': ('Claude Code', HERE / 'node_modules/@zed-industries/claude-code-acp/dist/index.js'),
}


def read_log(directory):
    entries = [json.loads(line) for line in (pathlib.Path(directory) / 'protocol.jsonl').read_text().splitlines()]
    return [(entry['d'], entry['m']) for entry in entries]


def begins_and_is_stopped(sandbox, title, program):
    # Run by root it wants to be told that this is a sandbox; and nothing goes out of this machine.
    os.environ.update({'HOME': sandbox.mark, 'IS_SANDBOX': '1', 'ANTHROPIC_BASE_URL': 'http://127.0.0.1:9'})
    status, out, err = sandbox.run('--start-timeout', '120s', '--timeout', '60s', '--grace', '500ms', '--json', '-', 'Hi',
                                   agent=f'node {shlex.quote(str(program))}')
    result = json.loads(out)
    assert result['agent'] == title and result['sessionId'], result
    # Who it asks for an answer is not there, and the user is told why.
    assert status == 1 and 'Authentication required' in err, (status, err)

    log = read_log(result['directory'])
    methods = [message['method'] for direction, message in log if direction == 'out' and 'method' in message]
    assert methods[:3] == ['initialize', 'session/new', 'session/prompt'], methods
    checker, asked = schema.Checker.from_environment(), {}
    for direction, message in log:
        if direction == 'in' and 'method' in message and 'id' in message:
            asked[json.dumps(message['id'])] = message['method']
        elif direction == 'out':
            faults = checker.check(message, asked)
            assert not faults, faults
    # Sandbox.close() looks for what is left.


def main():
    print(f'1..{len(AGENTS)}', flush=True)
    failed = False
    for number, (name, (title, program)) in enumerate(AGENTS.items(), 1):
        sandbox = Sandbox()
        try:
            begins_and_is_stopped(sandbox, title, program)
            sandbox.close()
            print(f'ok {number} {name}', flush=True)
        except Exception as error:  # told, and the others are run all the same
            failed = True
            print(f'not ok {number} {name}: {type(error).__name__}: {error}'.replace('\n', '\n# '), flush=True)
    return failed


if __name__ == '__main__':
    sys.exit(main())
