#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An agent that does what it is told: the mode, its argument, says how it starts and what it thinks of
being stopped; each prompt is the name of one of the functions turn_* below, with its arguments.

Every line that Stint writes is checked against the protocol's schema, if STINT_ACP_SCHEMA names it;
what is wrong is answered as the turn's text, where the tests see it."""
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time

import schema

MODE = sys.argv[1] if len(sys.argv) > 1 else ''
SESSION = 'session-1'
lock = threading.Lock()
answers = {}
asked = {}
next_id = [0]
cancelled = threading.Event()
ended = threading.Event()  # what was answered last was a prompt
faults = []
prompts = []  # their blocks
checker = schema.Checker.from_environment()


def write(message):
    line = json.dumps(message, ensure_ascii=False) + '\n'
    with lock:
        sys.stdout.buffer.write(line.encode('utf-8', 'surrogatepass'))
        sys.stdout.buffer.flush()


def reply(request, result=None, error=None):
    message = {'jsonrpc': '2.0', 'id': request['id']}
    if error is not None:
        message['error'] = error
    else:
        message['result'] = result
    write(message)


def begin(method, params, request_id=None):
    """Asks; the answer comes into the queue that is returned."""
    with lock:
        if request_id is None:
            request_id = next_id[0]
            next_id[0] += 1
        answer = queue.Queue()
        answers[json.dumps(request_id)] = answer
        asked[json.dumps(request_id)] = method
    write({'jsonrpc': '2.0', 'id': request_id, 'method': method, 'params': params})
    return request_id, answer


def ask(method, params, request_id=None):
    return begin(method, params, request_id)[1].get()


def call(method, **params):
    """A request in the session. Returns: the result, or the error's code."""
    answer = ask(method, dict(params, sessionId=params.get('sessionId', SESSION)))
    return answer['result'] if 'result' in answer else answer['error']['code']


def update(update_kind, **members):
    write({'jsonrpc': '2.0', 'method': 'session/update',
           'params': {'sessionId': SESSION, 'update': dict(members, sessionUpdate=update_kind)}})


def say(text):
    update('agent_message_chunk', content={'type': 'text', 'text': text})


def tool(tool_id, **members):
    update('tool_call', toolCallId=tool_id, **members)


OPTIONS = [
    {'optionId': 'yes', 'name': 'Allow', 'kind': 'allow_once'},
    {'optionId': 'yes-always', 'name': 'Always', 'kind': 'allow_always'},
    {'optionId': 'no', 'name': 'Reject', 'kind': 'reject_once'},
]


def ask_permission(tool_id, options=OPTIONS, **members):
    answer = ask('session/request_permission', {
        'sessionId': SESSION, 'toolCall': dict(members, toolCallId=tool_id), 'options': options})
    return answer['result']['outcome']


# Turns. Each returns a stop reason; what it found out it says.

def turn_say(words):
    say(words)


def turn_stop(words):
    return words


def turn_error(words):
    raise RuntimeError(words)


def turn_environ(words):
    say(json.dumps([os.environ.get(name) for name in words.split()]))


def turn_echo(words):
    say(json.dumps(words))


def turn_blocks(words):
    """What the prompt was made of: of each block what there is of its kind, the name and the text."""
    found = []
    for block in prompts[-1][1:]:
        resource = block.get('resource', block)
        found.append([block['type'], os.path.basename(resource['uri']), resource.get('text')])
    say(json.dumps(found))


def turn_flood(words):
    for i in range(int(words)):
        say('%d\n' % i)


def turn_tools(words):
    for i in range(int(words)):
        tool('t%d' % i, title='Step %d' % i, kind='read', status='completed')


def turn_long(words):
    say('x' * int(words))


def turn_junk(words):
    with lock:
        sys.stdout.buffer.write(b'npm notice: a new version\n\n\xff\xfe{"half\n[1,2]\n{"jsonrpc":"2.0"}\n')
        sys.stdout.buffer.flush()
    say('after')


def turn_split(words):
    line = json.dumps({'jsonrpc': '2.0', 'method': 'session/update', 'params': {
        'sessionId': SESSION, 'update': {'sessionUpdate': 'agent_message_chunk',
                                         'content': {'type': 'text', 'text': 'in pieces'}}}})
    with lock:
        for i in range(0, len(line), 7):
            sys.stdout.buffer.write(line[i:i + 7].encode())
            sys.stdout.buffer.flush()
        sys.stdout.buffer.write(b'\r\n')
        sys.stdout.buffer.flush()


def turn_ids(words):
    """Ids of all kinds come back as they were, once each."""
    found = []
    for request_id in (0, 'abc', 2 ** 53, '1', -5):
        begun = begin('_x/y' if request_id == 0 else 'foo/bar', {}, request_id)
        answer = begun[1].get()
        found.append([answer['id'] == request_id and type(answer['id']) is type(request_id),
                      answer['error']['code']])
    say(json.dumps(found))


def turn_unknown(words):
    write({'jsonrpc': '2.0', 'method': '_auth/status_update', 'params': {'x': 1}})
    write({'jsonrpc': '2.0', 'method': 'no/such', 'params': None})
    update('no_such_update', whatever=[1, 2])
    write({'jsonrpc': '2.0', 'method': '$/cancel_request', 'params': {'requestId': 'unknown'}})
    answers_ = [call('fs/read_text_file'), call('terminal/output'), call('session/request_permission'),
                call('terminal/output', sessionId='other', terminalId='term_1'),
                call('elicitation/create', mode='telepathy', message='?')]
    say(json.dumps(answers_))


def turn_permission(words):
    tool('edit-1', title='Edit it', kind=words or 'edit', status='pending')
    say(json.dumps(ask_permission('edit-1')))


def turn_talk_and_permission(words):
    """As many lines as it says; then a question."""
    say(''.join(f'line {i}\n' for i in range(int(words))))
    turn_permission('')


def turn_permission_at(words):
    """A permission for a file."""
    say(json.dumps(ask_permission('edit-2', title='Edit', kind='edit', locations=[{'path': words}])))


def turn_no_reject(words):
    options = [{'optionId': 'a', 'name': 'A', 'kind': 'allow_once'},
               {'optionId': 'b', 'name': 'B', 'kind': 'allow_once'}]
    say(json.dumps(ask_permission('first', options, title='First mention')))


def turn_only_always(words):
    tool('read-1', title='Read it', kind='read', status='pending')
    say(json.dumps(ask_permission('read-1', OPTIONS[1:])))


def turn_two_permissions(words):
    first = begin('session/request_permission', {
        'sessionId': SESSION, 'toolCall': {'toolCallId': 'one', 'title': 'One'}, 'options': OPTIONS})
    second = begin('session/request_permission', {
        'sessionId': SESSION, 'toolCall': {'toolCallId': 'two', 'title': 'Two'}, 'options': OPTIONS})
    found = [second[1].get()['result']['outcome'], first[1].get()['result']['outcome']]
    say(json.dumps(found))
    return 'cancelled' if cancelled.is_set() else 'end_turn'


def turn_taken_back(words):
    request_id, answer = begin('session/request_permission', {
        'sessionId': SESSION, 'toolCall': {'toolCallId': 'back', 'title': 'Back'}, 'options': OPTIONS})
    write({'jsonrpc': '2.0', 'method': '$/cancel_request', 'params': {'requestId': request_id}})
    found = answer.get()
    say(json.dumps(found.get('result', found.get('error'))))


def turn_form(words):
    answer = ask('elicitation/create', {
        'sessionId': SESSION, 'mode': 'form', 'message': 'Who?', 'requestedSchema': {
            'type': 'object', 'required': ['name'], 'properties': {
                'name': {'type': 'string', 'title': 'Name', 'maxLength': 5},
                'age': {'type': 'integer', 'minimum': 1},
                'colour': {'type': 'string', 'enum': ['red', 'green']}}}})
    say(json.dumps(answer['result'], sort_keys=True))


def turn_url(words):
    """A page to be opened; then it is told that this was done, and what was never asked for."""
    answer = ask('elicitation/create', {'sessionId': SESSION, 'mode': 'url', 'message': 'Log in there',
                                        'elicitationId': 'e1', 'url': 'https://example.org/log-in'})
    for elicitation in ('e1', 'e1', 'unknown'):
        write({'jsonrpc': '2.0', 'method': 'elicitation/complete', 'params': {'elicitationId': elicitation}})
    say(json.dumps(answer['result']))


def turn_late_form(words):
    """Asks when the turn has been cancelled."""
    cancelled.wait()
    answer = ask('elicitation/create', {'sessionId': SESSION, 'mode': 'form', 'message': 'Who?',
                                        'requestedSchema': {'type': 'object', 'properties': {}}})
    say(json.dumps(answer['result']))
    return 'cancelled'


def turn_others(words):
    """News of a session that is not this one."""
    for session, text in ((SESSION, 'ours'), ('other', 'theirs')):
        write({'jsonrpc': '2.0', 'method': 'session/update', 'params': {'sessionId': session, 'update': {
            'sessionUpdate': 'agent_message_chunk', 'content': {'type': 'text', 'text': text}}}})
    say(json.dumps(call('terminal/create', sessionId='other', command='true')))


def turn_afterwards(words):
    """Goes on when the turn has ended."""
    def go_on():
        ended.wait()
        tool('behind', title='In the background', status='completed')
        say('afterwards')

    ended.clear()
    threading.Thread(target=go_on, daemon=True).start()


def turn_plan(words):
    update('plan', entries=[{'content': 'a', 'priority': 'high', 'status': 'in_progress'},
                            {'content': 'b', 'priority': 'low', 'status': 'pending'}])
    update('plan', entries=[{'content': 'a', 'priority': 'high', 'status': 'completed'}])


def turn_upserts(words):
    update('tool_call_update', toolCallId='u', title='Never begun', status='in_progress')
    tool('u', title='Begun late', kind='execute', content=None, status='in_progress')
    tool('u', title='Begun twice', kind='execute',
         content=[{'type': 'content', 'content': {'type': 'text', 'text': 'one'}}, 'nonsense'])
    update('tool_call_update', toolCallId='u', status='completed', title=None,
           content=[{'type': 'diff', 'path': '/x', 'oldText': 'a', 'newText': 'b'}])


def turn_display(words):
    """A terminal of the agent's own, whose output comes before it is named."""
    update('tool_call_update', toolCallId='d', _meta={'terminal_output': {'terminal_id': 'd', 'data': 'early '}})
    tool('d', title='Run', kind='execute', content=[{'type': 'terminal', 'terminalId': 'd'}],
         _meta={'terminal_info': {'terminal_id': 'd'}})
    update('tool_call_update', toolCallId='d', _meta={'terminal_output': {'terminal_id': 'd', 'data': 'late'}})
    update('tool_call_update', toolCallId='d', status='completed',
           _meta={'terminal_exit': {'terminal_id': 'd', 'exit_code': None, 'signal': 'SIGTERM'}})


def turn_usage(words):
    update('usage_update', used=2 ** 62, size=1)
    update('usage_update', used=50000, size=200000, cost={'amount': 0.42, 'currency': 'USD'})
    update('available_commands_update', availableCommands=[
        {'name': 'compact', 'description': 'Shorter', 'input': {'hint': 'what'}}, {'nameless': 1}])
    update('session_info_update', title='A title')
    update('notice', severity='warning', title='Careful', description='with that')
    update('current_mode_update', currentModeId='plan')


def turn_wait(words):
    """Until it is cancelled."""
    tool('w', title='Wait', kind='execute', status='in_progress')
    cancelled.wait()
    update('tool_call_update', toolCallId='w', title='Late news')
    say('late')
    return 'cancelled'


def turn_flood_and_wait(words):
    turn_flood(words)
    cancelled.wait()
    return 'cancelled'


def turn_wait_error(words):
    tool('w', title='Wait', status='pending')
    cancelled.wait()
    raise RuntimeError('This operation was aborted')


def turn_deaf(words):
    """Does not let itself be cancelled."""
    say('deaf')
    while True:
        threading.Event().wait()


def turn_die(words):
    sys.stderr.write('the last words\n')
    sys.stderr.flush()
    if words == 'signal':
        os.kill(os.getpid(), signal.SIGSEGV)
        threading.Event().wait()
    os._exit(int(words))


def turn_mute(words):
    """Closes its stdout and lives."""
    os.close(1)
    while True:
        threading.Event().wait()


def turn_orphan(words):
    """A child in a session of its own that ignores SIGTERM."""
    child = subprocess.Popen(
        ['sh', '-c', 'trap "" TERM HUP; echo up; while :; do sleep 1; done'], start_new_session=True,
        stdout=subprocess.PIPE)
    child.stdout.readline()
    say('child %d.' % child.pid)


def turn_stderr(words):
    sys.stderr.write('e' * int(words) + '\n')
    sys.stderr.flush()


def turn_read(words):
    path, *rest = words.split(' ')
    params = {key: int(value) for key, value in (word.split('=') for word in rest)}
    say(json.dumps(call('fs/read_text_file', path=path, **params)))


def turn_write(words):
    path, content = json.loads(words)
    say(json.dumps(call('fs/write_text_file', path=path, content=content)))


# Terminals

def create(command, *args, **params):
    if args:
        params['args'] = list(args)
    return call('terminal/create', command=command, **params)['terminalId']


def turn_shell(words):
    terminal = create(words)
    status = call('terminal/wait_for_exit', terminalId=terminal)
    output = call('terminal/output', terminalId=terminal)
    released = call('terminal/release', terminalId=terminal)
    say(json.dumps([status, output, released]))


def turn_read_all(words):
    """A file, many times; then another, whose answer is said first."""
    many, count, one = words.split()
    params = {'sessionId': SESSION, 'path': many}
    answers_ = [begin('fs/read_text_file', params)[1] for _ in range(int(count))]
    say(json.dumps(call('fs/read_text_file', path=one)))
    say(json.dumps([answer.get().get('result') for answer in answers_]))


def turn_terminal(words):
    """A JSON object: what to ask terminal/create for."""
    found = call('terminal/create', **json.loads(words))
    if isinstance(found, int):
        say(json.dumps(found))
        return
    terminal = found['terminalId']
    tool('run', title='Run', kind='execute', status='in_progress',
         content=[{'type': 'terminal', 'terminalId': terminal}])
    status = call('terminal/wait_for_exit', terminalId=terminal)
    say(json.dumps([status, call('terminal/output', terminalId=terminal)]))


def turn_waiters(words):
    """B1: two that wait, and one after the end."""
    terminal = create('sh', '-c', 'read x; exit 7')
    waits = [begin('terminal/wait_for_exit', {'sessionId': SESSION, 'terminalId': terminal}) for _ in range(2)]
    found = [wait[1].get()['result'] for wait in waits]
    found.append(call('terminal/wait_for_exit', terminalId=terminal))
    say(json.dumps(found))


def await_output(terminal, text):
    """The protocol has no event for new output: whoever waits for some has to ask again and again."""
    while text not in call('terminal/output', terminalId=terminal)['output']:
        time.sleep(0.01)


def turn_kill(words):
    """B2: killed, it is still a terminal; killed again, it is no error."""
    terminal = create('sh', '-c', words)
    await_output(terminal, 'ready')
    running = 'exitStatus' in call('terminal/output', terminalId=terminal)
    killed = call('terminal/kill', terminalId=terminal)
    output = call('terminal/output', terminalId=terminal)
    again = call('terminal/kill', terminalId=terminal)
    status = call('terminal/wait_for_exit', terminalId=terminal)
    say(json.dumps([running, killed, output['exitStatus'], again, status]))


def turn_release(words):
    """B7: released with one who waits for it; then its id is none any more."""
    terminal = create('sh', '-c', 'echo ready; sleep 1000')
    wait = begin('terminal/wait_for_exit', {'sessionId': SESSION, 'terminalId': terminal})
    released = call('terminal/release', terminalId=terminal)
    say(json.dumps([released, wait[1].get()['result'], call('terminal/release', terminalId=terminal),
                    call('terminal/output', terminalId=terminal),
                    call('terminal/kill', terminalId=terminal)]))


def turn_timeout(words):
    """B5: a timer against the wait; on the timer kill, read, release."""
    terminal = create('sh', '-c', 'echo partial; sleep 1000')
    await_output(terminal, 'partial')
    wait = begin('terminal/wait_for_exit', {'sessionId': SESSION, 'terminalId': terminal})
    try:
        wait[1].get(timeout=0.05)
    except queue.Empty:
        call('terminal/kill', terminalId=terminal)
    output = call('terminal/output', terminalId=terminal)
    wait[1].get()
    call('terminal/release', terminalId=terminal)
    say(json.dumps(output))


def turn_hang(words):
    """A terminal that hangs: its own limit ends it, and the turn goes on."""
    terminal = create('sh', '-c', 'sleep 1000')
    say(json.dumps(call('terminal/wait_for_exit', terminalId=terminal)))


def turn_unawaited(words):
    """$/cancel_request for a wait that hangs: one answer; the command lives."""
    terminal = create('sh', '-c', 'sleep 1000')
    request_id, answer = begin('terminal/wait_for_exit', {'sessionId': SESSION, 'terminalId': terminal})
    write({'jsonrpc': '2.0', 'method': '$/cancel_request', 'params': {'requestId': request_id}})
    found = answer.get()
    running = 'exitStatus' not in call('terminal/output', terminalId=terminal)
    say(json.dumps([found['error']['code'], running]))


def turn_many(words):
    terminals = [create('true') for _ in range(int(words))]
    codes = {call('terminal/wait_for_exit', terminalId=terminal)['exitCode'] for terminal in terminals}
    for terminal in terminals:
        call('terminal/release', terminalId=terminal)
    say(json.dumps(sorted(codes)))


def turn_embed(words):
    """One terminal in two tool calls, before its release and after; and one that is none."""
    terminal = create('sh', '-c', 'echo shown')
    content = [{'type': 'terminal', 'terminalId': terminal}]
    tool('before', title='Before', kind='execute', content=content)
    call('terminal/wait_for_exit', terminalId=terminal)
    call('terminal/release', terminalId=terminal)
    tool('after', title='After', kind='execute', content=content)
    tool('never', title='Never', kind='execute', content=[{'type': 'terminal', 'terminalId': 'no such terminal'}])
    say('embedded')


def turn_leave_and_die(words):
    """A terminal runs, and somebody waits for it."""
    terminal = create('sh', '-c', 'echo ready; sleep 1000')
    begin('terminal/wait_for_exit', {'sessionId': SESSION, 'terminalId': terminal})
    await_output(terminal, 'ready')
    os._exit(3)


def turn_leave(words):
    """A terminal that is left running."""
    create('sh', '-c', 'sleep 1000')
    say('left')


# What Stint asks

def answer_initialize(request):
    if MODE == 'silent':
        return
    version = {'version9': 9, 'version0': 0}.get(MODE, 1)
    capabilities = {'loadSession': MODE in ('loads', 'forgets'),
                    'promptCapabilities': {'image': MODE == 'images', 'embeddedContext': MODE == 'embeds'}}
    if MODE in ('resumes', 'lists'):
        capabilities['sessionCapabilities'] = {'resume': {}, 'list': {}, 'delete': {}, 'close': {}}
    result = {'protocolVersion': version, 'agentCapabilities': capabilities,
              'agentInfo': {'name': 'fake', 'title': 'Fake agent', 'version': '1.2'}}
    if MODE.startswith('login'):
        result['authMethods'] = [
            {'id': 'key', 'name': 'A key'},
            {'id': 'terminal', 'name': 'Terminal', 'type': 'terminal', 'args': ['--log-in'], 'env': {'LOGIN': 'yes'}},
            {'id': 'odd', 'name': 'Odd', 'type': 'telepathy'}]
    reply(request, result)


def is_logged_in():
    return not MODE.startswith('login') or os.path.exists('logged-in')


def answer_new(request):
    if not is_logged_in() and MODE != 'login-late':
        reply(request, error={'code': -32000, 'message': 'Authentication required'})
        return
    if MODE == 'fails':
        sys.stderr.write('the key has expired\n')
        sys.stderr.flush()
        reply(request, error={'code': -32603, 'message': 'Internal error'})
        return
    update('available_commands_update', availableCommands=[{'name': 'early', 'description': 'x'}])
    result = {'sessionId': SESSION}
    if MODE == 'options':
        result['configOptions'] = options()
        result['modes'] = {'currentModeId': 'ignored', 'availableModes': []}
    elif MODE == 'modes':
        result['modes'] = {'currentModeId': 'ask', 'availableModes': [
            {'id': 'ask', 'name': 'Ask'}, {'id': 'plan', 'name': 'Plan'}]}
    reply(request, result)


values = {'model': 'small', 'brave': False}


def options():
    return [
        {'id': 'model', 'name': 'Model', 'category': 'model', 'type': 'select', 'currentValue': values['model'],
         'options': [{'group': 'g', 'name': 'Group', 'options': [{'value': 'small', 'name': 'Small'}]},
                     {'group': 'h', 'name': 'Other', 'options': [{'value': 'big', 'name': 'Big'}]}]},
        {'id': 'odd', 'name': 'Odd', 'type': 'telepathy', 'currentValue': 1},
        {'id': 'brave', 'name': 'Brave', 'type': 'boolean', 'currentValue': values['brave']}]


def answer_load(request):
    if MODE == 'forgets':
        reply(request, error={'code': -32002, 'message': 'No such session'})
        return
    update('user_message_chunk', content={'type': 'text', 'text': 'an old prompt'})
    say('an old answer')
    reply(request, None)


def answer_list(request):
    if 'cursor' not in request['params']:
        reply(request, {'sessions': [{'sessionId': 'a', 'cwd': '/', 'title': 'A'}], 'nextCursor': 'opaque=='})
    else:
        reply(request, {'sessions': [{'sessionId': 'b', 'cwd': '/'}]})


def run_turn(request):
    prompts.append(request['params']['prompt'])
    words = ''.join(block.get('text', '') for block in request['params']['prompt'])
    name, _, rest = words.partition(' ')
    if MODE == 'login-late' and not is_logged_in():
        reply(request, error={'code': -32000, 'message': 'Authentication required'})
        return
    try:
        turn = globals().get('turn_' + name)
        reason = (turn(rest) if turn else say(words)) or 'end_turn'
    except Exception as error:  # told as the turn's end
        reply(request, error={'code': -32603, 'message': str(error)})
        return
    for fault in faults:
        say('INVALID ' + fault)
    faults.clear()
    reply(request, {'stopReason': reason})
    ended.set()


def handle(message):
    if checker is not None:
        faults.extend(checker.check(message, asked))
    if 'method' not in message:
        key = json.dumps(message.get('id'))
        with lock:
            answer = answers.pop(key, None)
        if answer is not None:
            answer.put(message)
        return
    method = message['method']
    if method == 'initialize':
        answer_initialize(message)
    elif method == 'session/new':
        answer_new(message)
    elif method == 'session/load':
        answer_load(message)
    elif method == 'session/resume':
        reply(message, {})
    elif method == 'session/list':
        answer_list(message)
    elif method == 'authenticate':
        open('logged-in', 'w').close()
        reply(message, {})
    elif method == 'session/set_mode':
        reply(message, {})
    elif method == 'session/set_config_option':
        values[message['params']['configId']] = message['params']['value']
        reply(message, {'configOptions': options()})
    elif method == 'session/prompt':
        cancelled.clear()
        threading.Thread(target=run_turn, args=(message,), daemon=True).start()
    elif method == 'session/cancel':
        cancelled.set()
    elif 'id' in message:
        reply(message, {})


def main():
    if '--log-in' in sys.argv:
        if os.environ.get('LOGIN') == 'yes':
            with open('logged-in', 'w', encoding='utf-8') as file:
                file.write(os.environ.get('OURS', ''))
        return
    if MODE == 'stubborn':
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if MODE == 'dies':
        sys.stderr.write('no luck today\n')
        sys.exit(42)
    for line in sys.stdin.buffer:
        handle(json.loads(line.decode('utf-8')))
    if MODE in ('stubborn', 'lingers', 'login-lingers'):
        while True:
            threading.Event().wait()
    if MODE == 'tidy':
        open('tidied', 'w').close()
    os._exit(0)


main()
