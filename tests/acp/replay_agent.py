#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A recorded agent, again: `replay_agent.py RECORDING` says what the agent said, at the places where it said it,
and waits where it waited for its client.

A line of a recording is a time, who wrote it (`A>C`: the agent) and the message; others are notes. Ids of requests,
and of terminals, are those of today. What Stint writes is checked against the protocol's schema, and what
it answers against what was answered then; faults are said as the turn's text, where the tests see them."""
import json
import re
import signal
import sys

import schema

LINE = re.compile(r'\s*[\d.]+ (A>C|C>A) (.*)')
checker = schema.Checker.from_environment()


def read_recording(path):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    steps = [(match[1], json.loads(match[2])) for match in map(LINE.match, text.splitlines()) if match]
    return steps, 'still alive' in text


class Replay:
    def __init__(self, steps):
        self.steps = steps
        self.methods = {}  # of the agent's requests, by their ids, for the checker
        self.requests = {}  # of Stint's: today's id, by the recorded one
        self.answers = {}  # of Stint's: what was answered, by the agent's id
        self.unread = []  # Stint's requests and notifications
        self.terminals = {}
        self.faults = []
        self.session = None

    def write(self, message):
        sys.stdout.write(json.dumps(message, ensure_ascii=False) + '\n')
        sys.stdout.flush()

    def receive(self):
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        message = json.loads(line)
        if checker is not None:
            self.faults += checker.check(message, self.methods)
        if 'method' in message:
            self.unread.append(message)
        else:
            self.answers[message['id']] = message

    def of_today(self, value):
        """The same with today's terminals."""
        if isinstance(value, dict):
            return {key: self.of_today(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.of_today(item) for item in value]
        return self.terminals.get(value, value) if isinstance(value, str) else value

    def say(self, recorded):
        message = self.of_today(recorded)
        if 'method' not in message:
            message['id'] = self.requests[message['id']]
            for fault in self.faults if 'stopReason' in message.get('result', {}) else []:
                self.write({'jsonrpc': '2.0', 'method': 'session/update', 'params': {
                    'sessionId': self.session, 'update': {
                        'sessionUpdate': 'agent_message_chunk',
                        'content': {'type': 'text', 'text': 'INVALID ' + fault}}}})
            self.session = message.get('result', {}).get('sessionId', self.session)
        elif 'id' in message:
            self.methods[json.dumps(message['id'])] = message['method']
        self.write(message)

    def wait_for_words(self, recorded):
        while not self.unread:
            self.receive()
        message = self.unread.pop(0)
        if message['method'] != recorded['method']:
            self.faults.append('%s came for %s' % (message['method'], recorded['method']))
        if 'id' in recorded:
            self.requests[recorded['id']] = message.get('id')

    def wait_for_answer(self, recorded):
        while recorded['id'] not in self.answers:
            self.receive()
        answer = self.answers[recorded['id']]
        if 'result' not in answer:
            self.faults.append('%r was answered with %r' % (recorded, answer))
            return
        result, then = answer['result'], dict(recorded['result'])
        if 'terminalId' in then:
            self.terminals[then.pop('terminalId')] = result['terminalId']
        for name, value in then.items():
            # A terminal that is ended may end by the first signal or by the last.
            if name == 'signal' and value is not None and result.get(name) is not None:
                continue
            if result.get(name) != value:
                self.faults.append('%s is %r and was %r' % (name, result.get(name), value))

    def run(self):
        for who, message in self.steps:
            if who == 'A>C':
                self.say(message)
            elif 'method' in message:
                self.wait_for_words(message)
            else:
                self.wait_for_answer(message)


def main():
    steps, lingers = read_recording(sys.argv[1])
    Replay(steps).run()
    while sys.stdin.readline():
        pass
    # Some do not end with their input.
    while lingers:
        signal.pause()


main()
