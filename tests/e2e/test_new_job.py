# SPDX-License-Identifier: GPL-3.0-or-later
"""The dialog that starts a job: what it says is wrong, where, and what it starts."""

import os
import tempfile

from story import Failed, newest, tell, wait_for

START = "Start Later (10m, or 03:00)"

TIME, IDLE, GRACE = "Time Limit", "Idle Limit (Time Without Output)", "Grace (Between SIGTERM and SIGKILL)"


def open_dialog(window):
    w = window()
    w.press("New Job")
    w.see_window("New Job")
    w.see("text box", "Command")
    return w


def open_more(w):
    w.press("More")
    w.see("button", "Add a Variable")


KINDS = ["Terminal", "Background Shell", "Agent Command", "Agent Session"]


def choose_kind(w, kind):
    w.focus_window("New Job")
    w.keys("shift+Tab", "space", *["Down"] * KINDS.index(kind), "Return")
    # As long as the list is open it shows them all.
    wait_for(f"{kind} alone", lambda: [node.name for node in w.toplevels["New Job"].walk()
                                       if node.name in KINDS and node.role == "label" and node.is_shown()] == [kind])


def every_mistake_is_said_at_its_field(window):
    w = open_dialog(window)
    open_more(w)
    for field, wrong, says in [
        ("Command", "make 'all", "A quote is opened and not closed"),
        ("Directory", "/nonexistent/dir", "There is no such directory"),
        ("Directory", "/dev/null", "This is not a directory"),
        (TIME, "soon", "soon"),
        (IDLE, "5 bananas", "bananas"),
        (GRACE, "-1", "-1"),
        (START, "whenever", "whenever"),
        ("Pause Before the First Retry", "often", "often"),
    ]:
        w.write(field, wrong)
        w.see("label", part=says)
        entry = w.see("text box", field)
        wait_for(f"{field} described", lambda: says in entry.description)
    # Right again: nothing is said any more.
    w.write("Command", "make all")
    w.see_gone("label", part="A quote is opened")
    if w.see("text box", "Command").description:
        raise Failed("the entry is still called wrong")


def variables_are_checked(window):
    w = open_dialog(window)
    open_more(w)
    w.press("Add a Variable")
    w.write("Value", "nameless")
    w.see("label", "Enter the variable’s name")
    # What is pasted as one goes to both fields, and a name can say that it is a secret.
    w.write("Value", "")
    w.write("Variable", "API_TOKEN=hidden")
    wait_for("the name alone", lambda: w.see("text box", "Variable").read() == "API_TOKEN")
    w.see("label", part="Kept in the keyring")
    w.press("Remove This Variable")
    w.see_gone("text box", "Variable")


def an_agent_is_no_background_shell(window):
    w = open_dialog(window)
    choose_kind(w, "Background Shell")
    w.write("Command", "claude -p hello; sleep 3103")
    w.see("label", part="“claude” is an agent")
    w.press("Start")
    w.press("Run as an Agent Command")
    w.see_gone("label", part="“claude” is an agent")
    w.see("text box", "Prompt, Given on Standard Input")
    if w.rows() and any("claude" in name for name in w.rows()):
        raise Failed("it was started all the same")


def start_goes_to_the_first_mistake(window):
    w = open_dialog(window)
    w.write("Directory", "/nonexistent/dir")
    w.press("Start")
    w.see("label", part="Enter the command to run")
    w.see("label", part="There is no such directory")
    w.focus_window("New Job")
    w.type("true")
    wait_for("the focus in the first wrong field", lambda: w.see("text box", "Command").read() == "true")
    if w.rows() and any("Running" in name for name in w.rows()):
        raise Failed("it was started all the same")


def it_says_how_the_command_is_run(window):
    w = open_dialog(window)
    w.write("Command", "echo 'a b' c")
    w.see("label", "Runs: echo · a b · c")
    w.write("Command", "ls | wc")
    w.see("label", part="/bin/sh -c")


def start_starts(window):
    with tempfile.TemporaryDirectory() as directory:
        w = open_dialog(window)
        w.write("Command", "echo \"$PWD $STINT_WORD $TERM\" > log; sleep 3101")
        w.write("Directory", directory)
        w.write("Name (Optional)", "My job")
        w.write(TIME, "10h")
        open_more(w)
        w.press("Add a Variable")
        w.write("Variable", "STINT_WORD")
        w.write("Value", "from the dialog")
        w.press("Start")
        w.see("list item", "My job, Running")
        w.see_match("label", r"9:5\d:\d\d")
        log = os.path.join(directory, "log")
        wait_for("its output", lambda: os.path.exists(log) and open(log).read().endswith("\n"))
        if open(log).read() != f"{directory} from the dialog xterm-256color\n":
            raise Failed(open(log).read())


def escape_starts_nothing(window):
    w = open_dialog(window)
    w.write("Command", "sleep 3102")
    w.focus_window("New Job")
    w.keys("Escape")
    w.see("label", "Nothing Is Running")
    if w.rows():
        raise Failed(f"it was started: {w.rows()}")


def each_kind_is_started(window):
    w = window()
    for name, kind in zip(KINDS, ["terminal", "shell", "agent"]):
        w.press("New Job")
        w.see_window("New Job")
        w.see("text box", "Command")
        choose_kind(w, name)
        if kind == "agent":
            w.see("text box", "Prompt, Given on Standard Input")
            entry = w.see("text box", IDLE)
            wait_for("an idle limit to begin with", lambda: entry.read() == "10m")
        w.write("Command", f"echo {kind}")
        w.press("Start")
        w.see("list item", f"echo {kind}, Done")
        wait_for(f"a {kind} job", lambda: newest()["kind"] == kind and newest()["state"] == "finished")
        w.close_window("New Job")


if __name__ == "__main__":
    tell(every_mistake_is_said_at_its_field, variables_are_checked, an_agent_is_no_background_shell, start_goes_to_the_first_mistake,
         it_says_how_the_command_is_run, start_starts, escape_starts_nothing, each_kind_is_started)
