#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An agent that does what the first word of its prompt says.

    say TEXT        answers with it
    ask             asks for permission, and says what was answered
    slow            says "begun", and nothing more until it is cancelled
    run LINE        runs it in a terminal, and says so once that runs
"""

import json
import sys

session = 0
next_id = 0
waiting = {}  # what it has asked: the id of the prompt that it belongs to
starting = {}  # terminals, likewise
running = None  # the id of the prompt that goes on


def write(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def update(**what):
    write({"method": "session/update", "params": {"sessionId": "one", "update": what}})


def say(text):
    update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})


def end(prompt_id, reason="end_turn"):
    write({"id": prompt_id, "result": {"stopReason": reason}})


def prompt(message):
    global next_id, running
    text = "".join(block.get("text", "") for block in message["params"]["prompt"])
    word, _, rest = text.partition(" ")
    if word == "ask":
        next_id += 1
        waiting[next_id] = message["id"]
        update(sessionUpdate="tool_call", toolCallId="t1", title="Remove everything", kind="delete", status="pending",
               rawInput={"command": "rm -rf build"})
        write({"id": next_id, "method": "session/request_permission", "params": {
            "sessionId": "one", "toolCall": {"toolCallId": "t1"},
            "options": [{"optionId": "yes", "name": "Allow It", "kind": "allow_once"},
                        {"optionId": "no", "name": "Refuse It", "kind": "reject_once"}]}})
        return
    if word == "slow":
        running = message["id"]
        say("begun")
        return
    if word == "run":
        next_id += 1
        starting[next_id] = message["id"]
        write({"id": next_id, "method": "terminal/create", "params": {"sessionId": "one", "command": rest}})
        return
    say(rest or text)
    end(message["id"])


def answer(message):
    if message["id"] in starting:
        say("it runs")
        end(starting.pop(message["id"]))
        return
    outcome = message.get("result", {}).get("outcome", {})
    prompt_id = waiting.pop(message["id"], None)
    if prompt_id is None:
        return
    allowed = outcome.get("optionId") == "yes"
    update(sessionUpdate="tool_call_update", toolCallId="t1", status="completed" if allowed else "failed")
    say("answered **" + str(outcome.get("optionId", outcome.get("outcome"))) + "**")
    end(prompt_id, "cancelled" if outcome.get("outcome") == "cancelled" else "end_turn")


for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "initialize":
        write({"id": message["id"], "result": {"protocolVersion": 1, "agentCapabilities": {"loadSession": True},
                                               "agentInfo": {"name": "scripted", "version": "1"}}})
    elif method == "session/new":
        write({"id": message["id"], "result": {"sessionId": "one"}})
        update(sessionUpdate="available_commands_update",
               availableCommands=[{"name": "review", "description": "Looks at the changes"}])
    elif method == "session/load":
        update(sessionUpdate="user_message_chunk", content={"type": "text", "text": "once upon a time"})
        say("welcome back")
        write({"id": message["id"], "result": None})
    elif method == "session/prompt":
        prompt(message)
    elif method == "session/cancel":
        if running is not None:
            end(running, "cancelled")
            running = None
    elif method is None:
        answer(message)
