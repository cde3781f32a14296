# SPDX-License-Identifier: GPL-3.0-or-later
"""The example agent of the protocol's official SDK, as it comes from npm, through a whole turn."""

import os
import shlex

import atspi
from story import tell, wait_for
from test_new_job import choose_kind, open_dialog

AGENT = os.environ["STINT_STOCK_AGENT"]
QUESTION = "The agent asks for permission: Modifying critical configuration file"


def a_whole_turn_with_the_stock_agent(window):
    # On a busy machine one with a low priority answers late.
    window.set(job_niceness=0)
    w = open_dialog(window)
    choose_kind(w, "Agent Session")
    w.write("Command", "node " + shlex.quote(AGENT))
    w.press("Start")
    w.close_window("New Job")
    conversation = w.see(name="Conversation")
    w.focus_window()
    wait_for("the prompt has the focus", lambda: w.find_focused("Prompt"))
    w.type("Hello")
    wait_for("it is written", lambda: w.see(name="Prompt").read() == "Hello")
    w.keys("Return")
    w.see(name=QUESTION)
    wait_for("the question takes keys", lambda: not any(node.has_state(atspi.BUSY) for node in w.find(name=QUESTION)))
    w.press("Allow this change")
    wait_for("the turn's end", lambda: "successfully updated" in conversation.read()
             and "The agent has finished" in conversation.read())
    for part in ("You\nHello", "Reading project files", "Modifying critical configuration file"):
        wait_for(f"“{part}” in the conversation", lambda: part in conversation.read())
    w.see_gone(name=QUESTION)


if __name__ == "__main__":
    tell(a_whole_turn_with_the_stock_agent)
