# SPDX-License-Identifier: GPL-3.0-or-later
"""Stint and the rest of the desktop: the bus, notifications, the end of the session."""

import json
import os
import subprocess

from gi.repository import Gio, GLib

from desktop import Desktop
from story import Failed, history, is_running, newest, stint, tell, wait_for


def ctl(*words):
    return subprocess.run([os.environ["STINT_STINTCTL"], *words], capture_output=True, text=True, timeout=60)


def expect(result, status, stdout=None):
    if result.returncode != status or (stdout is not None and result.stdout != stdout):
        raise Failed(f"{result.args}: exit {result.returncode}, {result.stdout!r}, {result.stderr!r}")


def set_setting(name, value):
    directory = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "keyfile"), "w") as file:
        file.write(f"[io/github/stint/Stint]\n{name}={value}\n")


def stintctl_steers_the_window(window):
    w = window()
    expect(ctl("start", "--name", "steered", "--timeout", "1h", "sleep", "4401"), 0, "1\n")
    w.see("list item", "steered, Running")
    expect(ctl("pause", "steered"), 0)
    expect(ctl("extend", "steered", "10m"), 0)
    facts = json.loads(ctl("list", "--json").stdout)
    if (facts["name"], facts["paused"], facts["state"]) != ("steered", True, "running"):
        raise Failed(str(facts))
    if facts["timeoutLeftMs"] <= 3600 * 1000:
        raise Failed(f"it was not extended: {facts['timeoutLeftMs']}")
    expect(ctl("resume", "steered"), 0)
    waiter = subprocess.Popen([os.environ["STINT_STINTCTL"], "wait", "steered"])
    expect(ctl("terminate", "steered"), 0)
    if waiter.wait(60) != 143:
        raise Failed(f"wait exited with {waiter.returncode}")
    w.see("list item", "steered, Terminated")


def notified_and_run_again(window):
    """Of what the window does not show: it shows the first job."""
    set_setting("notify-min-duration", "uint32 0")
    desktop = Desktop()
    try:
        w = window("sleep", "4405")
        w.see("list item", "sleep 4405, Running")
        expect(ctl("start", "--name", "told", "--shell", "sleep 0.1"), 0, "2\n")
        shown = wait_for("its notification", lambda: desktop.find("notify", "“told” succeeded"))
        if " after " not in shown["body"] or "Show" not in shown["actions"]:
            raise Failed(str(shown))
        # What the user stops is nothing to tell them.
        expect(ctl("start", "--name", "stopped", "sleep", "4402"), 0, "3\n")
        expect(ctl("terminate", "stopped"), 0)
        expect(ctl("wait", "stopped"), 143)
        expect(ctl("start", "--name", "last", "true"), 0, "4\n")
        last = wait_for("the next", lambda: desktop.find("notify", "“last” succeeded"))
        if desktop.find("notify", "stopped"):
            raise Failed("what the user stopped was told")
        # Shown, it is withdrawn: the focus is in the window.
        w.focus_window()
        desktop.tell(f"invoke {last['id']} {last['actions'][last['actions'].index('Show') - 1]}")
        w.see(part="Output of last")
        desktop.tell(f"invoke {shown['id']} {shown['actions'][shown['actions'].index('Run Again') - 1]}")
        wait_for("it ran again", lambda: len(history()) == 5 and newest()["name"] == "told")
        w.see(part="Output of told")
        w.end()
    finally:
        desktop.close()


def a_notification_is_withdrawn_when_seen(window):
    set_setting("notify-min-duration", "uint32 0")
    desktop = Desktop()
    try:
        w = window("sleep", "4406")
        w.see("list item", "sleep 4406, Running")
        expect(ctl("start", "--name", "told", "true"), 0, "2\n")
        shown = wait_for("its notification", lambda: desktop.find("notify", "“told” succeeded"))
        w.see("list item", part="told, ")
        w.focus_window()
        expect(stint("--name", "shown", "sleep", "4407"), 0, "3\n")
        w.see("list item", "shown, Running")
        if any(event["event"] == "close" for event in list(desktop.events)):
            raise Failed("withdrawn before it was seen")
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        bus.call_sync("io.github.stint.Stint", "/io/github/stint/Stint", "io.github.stint.Stint.Jobs1", "Present",
                      GLib.Variant("(t)", (2,)), None, Gio.DBusCallFlags.NONE, -1, None)
        wait_for("withdrawn", lambda: any(event["event"] == "close" and event["id"] == shown["id"]
                                          for event in list(desktop.events)))
        w.end()
    finally:
        desktop.close()


def the_session_waits_for_jobs(window):
    desktop = Desktop()
    try:
        w = window()
        expect(ctl("start", "--name", "held", "sleep", "4403"), 0, "1\n")
        asked = wait_for("inhibited", lambda: desktop.find("inhibit", "1 job is running"))
        if asked["flags"] != 1:
            raise Failed(f"flags {asked['flags']}")
        expect(ctl("kill", "held"), 0)
        wait_for("released", lambda: desktop.find("uninhibit"))
        # Asked whether it may end, nothing is stopped; when it ends all is, and saved.
        expect(ctl("start", "--name", "ended", "sleep", "4404"), 0, "2\n")
        desktop.tell("query")
        wait_for("the answer", lambda: desktop.find("response"))
        if not is_running("sleep 4404"):
            raise Failed("the question stopped it")
        desktop.tell("end")
        w.process.wait(60)
        if is_running("sleep 4404"):
            raise Failed("it outlived the session")
        if newest()["reason"] != "cancelled":
            raise Failed(str(history()))
    finally:
        desktop.close()


def a_job_in_a_terminal_is_shown(window):
    w = window()
    owner = subprocess.Popen([os.environ["STINT_STINTCTL"], "run", "--name", "outside", "--shell", "echo hello; exec sleep 4408"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        w.see("list item", "outside, Running in a terminal")
        facts = json.loads(ctl("list", "--json").stdout)
        if (facts["name"], facts["owner"]) != ("outside", "terminal"):
            raise Failed(str(facts))
        expect(ctl("terminate", "outside"), 0)
        if owner.wait(60) != 143:
            raise Failed(f"stintctl exited with {owner.returncode}")
        w.see("list item", "outside, Terminated")
    finally:
        owner.kill()
        owner.wait()


def scheduled_jobs_are_offered_again(window):
    """What is kept is no history: the story of a start that is still to come."""
    w = window()
    expect(ctl("start", "--name", "tomorrow", "--in", "20h", "sleep", "4409"), 0, "1\n")
    w.see("list item", part="tomorrow")
    w.end()
    kept = os.path.join(os.environ["XDG_STATE_HOME"], "stint", "scheduled.json")
    if "tomorrow" not in open(kept).read():
        raise Failed(open(kept).read())
    w = window()
    w.see_window("Start 1 Scheduled Job\\?")
    w.press("Start")
    wait_for("the file gone", lambda: not os.path.exists(kept))
    wait_for("it again", lambda: [(facts["id"], facts["name"], facts["state"])
                                  for facts in map(json.loads, ctl("list", "--json").stdout.splitlines())]
             == [(2, "tomorrow", "queued")])


if __name__ == "__main__":
    tell(stintctl_steers_the_window, notified_and_run_again, a_notification_is_withdrawn_when_seen, the_session_waits_for_jobs,
         a_job_in_a_terminal_is_shown, scheduled_jobs_are_offered_again)
