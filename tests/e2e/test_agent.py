# SPDX-License-Identifier: GPL-3.0-or-later
"""A talk with an agent, in the window: what is said, asked, answered, stopped; and read again later."""

import os

import atspi
from story import Failed, stint, tell, try_until, wait_for

AGENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripted-agent.py")


def talk(window, *words):
    """A window with an agent to which these words are said first."""
    # On a busy machine one with a low priority answers late.
    window.set(job_niceness=0)
    w = window()
    w.start(f"--agent={AGENT}", *words)
    w.see(name="Conversation")
    return w


def read(w):
    return w.see(name="Conversation").read()


def see_said(w, text):
    wait_for(f"“{text}” in the conversation", lambda: text in read(w))


def type_prompt(w, text):
    w.focus_window()
    wait_for("the prompt has the focus", lambda: w.find_focused("Prompt"))
    w.type(text)
    wait_for(f"“{text}” written", lambda: w.see(name="Prompt").read() == text)
    w.keys("Return")


def a_turn_with_a_permission_answered_by_a_key(window):
    w = talk(window, "ask", "please")
    w.see("button", "Allow It")
    w.see("label", "Waiting for you")
    w.focus_window()
    question = "The agent asks for permission: Remove everything"
    wait_for("the question has the focus", lambda: w.find_focused(question))
    # What is typed at once may be meant for something else.
    wait_for("the question takes keys", lambda: not any(node.has_state(atspi.BUSY) for node in w.find(name=question)))
    w.keys("1")
    see_said(w, "answered yes")
    w.see_gone("button", "Allow It")
    type_prompt(w, "say once more")
    see_said(w, "You\nsay once more")
    see_said(w, "once more\n■")


def a_turn_is_stopped_and_what_waits_stays(window):
    w = talk(window, "slow")
    see_said(w, "begun")
    type_prompt(w, "say later")
    w.see("button", "Edit This Prompt")
    w.press("Stop This Turn")
    w.see("button", "Say Them Now")
    if "later" in read(w):
        raise Failed("what waited was said all the same")
    w.press("Say Them Now")
    see_said(w, "later")
    w.see_gone("button", "Edit This Prompt")


def what_waits_can_be_written_again(window):
    w = talk(window, "slow")
    see_said(w, "begun")
    type_prompt(w, "say wrong")
    w.press("Edit This Prompt")
    wait_for("it in the prompt", lambda: w.see(name="Prompt").read() == "say wrong")
    w.see_gone("button", "Edit This Prompt")


def an_old_conversation_is_read_again(window):
    w = talk(window, "say", "remember", "this")
    see_said(w, "remember this\n■")
    type_prompt(w, "/quit")
    w.keys("Return")  # the first one takes the completion
    w.see("label", part="The agent has ended")
    w.end()
    window.opened.clear()
    again = window()
    again.go_to("History")
    again.focus_window()

    def open_it():
        for row in again.find("label", "scripted-agent.py"):
            again.click(row)
            again.keys("Return")
            break

    again.see("label", "scripted-agent.py")
    try_until("the old conversation opened", open_it, lambda: next(again.find(name="Conversation"), None))
    see_said(again, "remember this")
    again.see("label", part="The agent has ended")
    # By another process than the one that led it.
    again.press("Continue")
    see_said(again, "welcome back")
    again.see("label", "Ready")


def a_terminal_is_found_below_its_agent(window):
    w = talk(window, "run", "sleep", "4242")
    see_said(w, "it runs")
    w.see(part="sleep 4242, Running, part of scripted-agent.py")


def what_is_not_installed_is_said(window):
    window()
    result = stint("--agent=no-such-agent-here")
    if result.returncode == 0 or "no-such-agent-here" not in result.stderr:
        raise Failed(f"{result.returncode}: {result.stderr}")


if __name__ == "__main__":
    tell(a_turn_with_a_permission_answered_by_a_key, a_turn_is_stopped_and_what_waits_stays,
         what_waits_can_be_written_again, an_old_conversation_is_read_again, a_terminal_is_found_below_its_agent,
         what_is_not_installed_is_said)
