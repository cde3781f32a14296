# SPDX-License-Identifier: GPL-3.0-or-later
"""A day at work: programs that take the whole screen, agents that get stuck, and no mouse."""

import json
import os
import subprocess
import tempfile

import atspi
from story import BOUND, MAIN, Failed, history, is_running, newest, tell, wait_for, wait_for_output


def nano_gets_its_keys(window):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "notes")
        w = window("nano", "--ignorercfiles", path)
        w.see("list item", part=", Running")
        w.focus_window()
        w.wait_until_typed_into()
        w.see_on_screen("nano", lambda lines: "nano" in lines[0])
        # All of these are also keys of the window: Find, New Job, Close, Quit.
        w.type("first second")
        w.keys("ctrl+a", "ctrl+f", "ctrl+k", "ctrl+u", "ctrl+o", "Return")
        wait_for("the file", lambda: os.path.exists(path) and open(path).read() == "first second\n")
        w.keys("ctrl+x")
        w.see("list item", part=", Done")


def mc_gets_its_keys(window):
    settings = os.path.join(os.environ["XDG_CONFIG_HOME"], "mc")
    os.makedirs(settings, exist_ok=True)
    with open(os.path.join(settings, "ini"), "w") as file:
        file.write("[Midnight-Commander]\nconfirm_exit=false\n")
    with tempfile.TemporaryDirectory() as directory:
        w = window("mc", "--nosubshell", "--nomouse", directory, directory)
        w.see("list item", part=", Running")
        w.focus_window()
        w.wait_until_typed_into()
        wait_for_output("Quit")
        # Elsewhere F10 is GTK's.
        w.keys("F7")
        wait_for_output("Create")
        w.type("made")
        w.keys("Return")
        wait_for("the directory", lambda: os.path.isdir(os.path.join(directory, "made")))
        w.keys("F10")
        w.see("list item", part=", Done")


def a_stuck_agent_beside_two_builds(window):
    with tempfile.TemporaryDirectory() as directory:
        go = os.path.join(directory, "go")
        build = f"while [ ! -e {go} ]; do echo building; sleep 0.2; done; echo built"
        w = window("--name", "Build one", "--kind", "shell", "--idle-timeout", "10m", "--", "sh", "-c", build)
        w.start("--name", "Build two", "--kind", "shell", "--idle-timeout", "10m", "--", "sh", "-c", build)
        # It asks on a terminal that nobody reads, and waits for ever; a child of its goes its own way.
        w.start("--name", "Agent", "--kind", "agent", "--idle-timeout", "2s", "--", "sh", "-c",
                "echo thinking; setsid sleep 3911 & exec sleep 3912")
        w.see("list item", "Agent, No output for too long")
        if is_running("sleep 3911") or is_running("sleep 3912"):
            raise Failed("something of the agent is still there")
        for name in ("Build one", "Build two"):
            w.see("list item", f"{name}, Running")
        open(go, "w").close()
        for name in ("Build one", "Build two"):
            w.see("list item", f"{name}, Done")
        w.see("list item", "Agent, No output for too long")
        wait_for("how they ended, saved", lambda: {row["name"]: row["reason"] for row in history()} == {
            "Build one": "exited", "Build two": "exited", "Agent": "idle-timeout"})


def all_of_it_by_keyboard(window):
    w = window()
    w.focus_window()
    w.see("text box", "Command Line")
    w.type("sleep 3901")
    wait_for("the command", lambda: w.see("text box", "Command Line").read() == "sleep 3901")
    w.keys("Return")
    w.see("list item", "sleep 3901, Running")
    w.wait_until_typed_into()
    w.keys("ctrl+shift+t")
    w.see("list item", "sleep 3901, Terminated")
    w.keys("ctrl+shift+r")
    w.see("list item", "sleep 3901, Running")
    w.wait_until_typed_into()
    w.keys("ctrl+shift+k")
    w.see("list item", "sleep 3901, Killed")

    w.keys("ctrl+shift+n")
    w.see_window("New Job")
    w.focus_window("New Job")
    w.type("sleep 3902")
    wait_for("the command", lambda: w.see("text box", "Command").read() == "sleep 3902")
    w.keys("Return")
    w.close_window("New Job")
    w.focus_window()
    w.see("list item", "sleep 3902, Running")
    w.wait_until_typed_into()

    w.keys("ctrl+shift+y")
    w.see("label", "3 jobs")
    w.type("3901")
    w.see("label", "2 jobs")
    # A text that is written into has no focus as far as AT-SPI knows.
    w.keys("Tab")
    w.tab_to("sleep 3901, Killed")
    w.keys("Return")
    w.see("button", "Run Again")
    w.see("label", "sleep 3901")

    w.keys("ctrl+shift+q")
    asks = "Stop .* Quit."
    w.see_window(asks)
    w.focus_window(asks)
    w.tab_to("Stop Jobs and Quit")
    w.keys("Return")
    w.wait_until_gone()
    if is_running("sleep 3902") or newest()["reason"] != "cancelled":
        raise Failed(str(history()))


def closing_is_remembered(window):
    w = window("--name", "Behind", "sleep", "3921")
    w.see("list item", "Behind, Running")
    w.press("Close")
    asks = "Stop .* Quit."
    w.see_window(asks)
    remember = "Remember this, and do not ask again"
    w.focus_window(asks)
    w.tab_to(remember)
    w.keys("space")
    wait_for("it ticked", lambda: any(node.has_state(atspi.CHECKED) for node in w.find("checkbox", remember)))
    w.press("Keep Running in the Background")
    wait_for("the window gone", lambda: not is_shown(MAIN))
    w.toplevels.clear()
    w.start()
    w.see_window(MAIN)
    w.press("Close")
    wait_for("the window gone without a question", lambda: not is_shown(MAIN) and not is_shown(asks))
    w.toplevels.clear()
    if w.process.poll() is not None or not is_running("sleep 3921"):
        raise Failed("it has ended")


def is_shown(title):
    return subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"],
                          capture_output=True).returncode == 0


def set_settings(**values):
    directory = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings")
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "keyfile")
    with open(path + ".new", "w") as file:
        file.write("[io/github/stint/Stint]\n")
        for name, value in values.items():
            file.write(f"{name.replace('_', '-')}={value}\n")
    os.rename(path + ".new", path)


def preferences_count_for_the_next_job(window):
    w = window("--name", "First", "sleep", "3931")
    w.see("list item", "First, Running")
    set_settings(max_running="uint32 1")
    # Says the job's number once it has started.
    waiting = subprocess.Popen([os.environ["STINT_STINT"], "--name", "Waits", "sleep", "3932"], stdout=subprocess.PIPE)
    w.see("list item", "Waits, Waiting for its turn")
    set_settings(max_running="uint32 0", grace_seconds="uint32 77", shell_timeout_seconds="uint32 7200",
                 job_niceness="11", shell="'/bin/bash'")
    w.see("list item", "Waits, Running")
    if waiting.communicate(timeout=BOUND)[0] != b"2\n":
        raise Failed("its number was not said")
    # The settings arrive together: whoever starts has the new ones.
    w.start("--kind", "shell", "--name", "Last", "--shell", "echo $BASH_VERSION nice $(nice); sleep 3933")
    spec = json.loads(wait_for("its row", lambda: newest()["name"] == "Last" and newest()["spec"]))
    wait_for_output(" nice 11", job=newest()["id"])
    if spec.get("interpreter") != "/bin/bash":
        raise Failed(str(spec))
    facts = json.loads(subprocess.run([os.environ["STINT_STINTCTL"], "show", "--json", "Last"], capture_output=True,
                                      text=True, check=True).stdout)
    if not 0 < facts["timeoutLeftMs"] <= 7200 * 1000:
        raise Failed(str(facts))


if __name__ == "__main__":
    tell(nano_gets_its_keys, mc_gets_its_keys, a_stuck_agent_beside_two_builds, all_of_it_by_keyboard,
         closing_is_remembered, preferences_count_for_the_next_job)
