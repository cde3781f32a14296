# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing: what it asks, what it waits for, what is left."""

import os
import pathlib
import signal
import tempfile
import time

from story import Failed, history, is_running, newest, stint, tell, wait_for, wait_for_output

IGNORES = "trap '' TERM HUP; echo ready; while :; do sleep 1; done"
ASKS = "Stop .* Quit."


def with_nothing_running_it_closes(window):
    w = window("true")
    w.see("list item", part="true, Done")
    w.focus_window()
    w.keys("ctrl+q")
    if w.wait_until_gone() != 0:
        raise Failed("its exit status")


def it_asks_and_cancel_keeps_all(window):
    w = window("sleep", "3201")
    w.see("list item", "sleep 3201, Running")
    w.press("Close")
    w.see_window(ASKS)
    w.see("label", part="Stop 1 Job and Quit?")
    w.see("label", "sleep 3201")
    w.press("Cancel")
    w.close_window(ASKS)
    w.see("list item", "sleep 3201, Running")
    if not is_running("sleep 3201"):
        raise Failed("it is gone")


def what_ends_while_it_asks_is_told(window):
    with tempfile.TemporaryDirectory() as directory:
        line = "while ! test -e {}/{}; do sleep 0.1; done; exit {}"
        w = window("--name", "First", "sh", "-c", line.format(directory, "one", 3))
        w.start("--name", "Second", "sh", "-c", line.format(directory, "two", 0))
        w.see("list item", "Second, Running")
        w.press("Close")
        w.see_window(ASKS)
        w.see("label", part="Stop 2 Jobs and Quit?")
        pathlib.Path(directory, "one").touch()
        w.see("label", part="Stop 1 Job and Quit?")
        w.see("label", "First: Exited with code 3")
        pathlib.Path(directory, "two").touch()
        w.see("label", part="All Jobs Have Ended")
        w.press("Quit")
        if w.wait_until_gone() != 0:
            raise Failed("its exit status")
    if [row["reason"] for row in history()] != ["exited", "exited"]:
        raise Failed(f"saved as {[row['reason'] for row in history()]}")


def it_lists_stops_and_saves(window):
    w = window("--grace", "3s", "--", "sh", "-c", IGNORES + " # 3202")
    w.see("list item", part=", Running")
    wait_for_output("ready")
    for number in range(3203, 3213):
        w.start("sleep", str(number))
    w.focus_window()
    w.keys("ctrl+shift+q")
    w.see_window(ASKS)
    w.see("label", part="Stop 11 Jobs and Quit?")
    w.see("label", "and 4 more")
    w.press("Stop Jobs and Quit")
    # What it shows meanwhile, tests/app/test-ending-dialog shows: here it would be gone soon.
    if w.wait_until_gone() != 0:
        raise Failed("its exit status")
    left = is_running("# 3202") or is_running("sleep 3203")
    if left:
        raise Failed(f"a job is still there: {left}")
    rows = history()
    if len(rows) != 11 or any(row["state"] != "finished" or row["reason"] != "cancelled" for row in rows):
        raise Failed(f"rows: {rows}")


def a_job_that_comes_meanwhile_is_asked_about(window):
    w = window("sleep", "3215")
    w.see("list item", "sleep 3215, Running")
    w.press("Close")
    w.see_window(ASKS)
    w.see("label", part="Stop 1 Job and Quit?")
    w.start("sleep", "3216")
    w.press("Stop Jobs and Quit")
    w.see_window("Stop 2 Jobs and Quit.")
    w.see("label", "sleep 3216")
    if not is_running("sleep 3215") or not is_running("sleep 3216"):
        raise Failed("a job was stopped that nobody was asked about")


def a_signal_never_asks(window):
    w = window("--grace", "1s", "--", "sh", "-c", IGNORES + " # 3230")
    w.see("list item", part=", Running")
    wait_for_output("ready")
    w.process.send_signal(signal.SIGTERM)
    if w.wait_until_gone() != 0:
        raise Failed("its exit status")
    if is_running("# 3230"):
        raise Failed("a job is still there")
    if newest()["reason"] != "cancelled" or not newest()["escalated"]:
        raise Failed(f"row: {history()}")


def killed_it_leaves_nothing(window):
    w = window("--grace", "1s", "--", "sh", "-c", IGNORES + " # 3240")
    w.see("list item", part=", Running")
    wait_for_output("ready")
    w.process.kill()
    w.process.wait()
    wait_for("the job gone", lambda: not is_running("# 3240"))
    w = window()
    w.see("list item", part=", Interrupted")
    w.wait_for_history("interrupted")


def twenty_jobs_are_gone(window):
    w = window("--nice", "0", "--grace", "2s", "--", "sh", "-c", IGNORES + " # 3250")
    w.see("list item", part=", Running")
    for _ in range(2):
        w.start("--nice", "0", "--grace", "2s", "--", "sh", "-c", IGNORES + " # 3250")
    for job in range(1, 4):
        wait_for_output("ready", job)
    # One that gives way to all else might not get to its end within the five seconds, on a busy machine.
    for _ in range(17):
        w.start("--nice", "0", "--grace", "10m", "--", "sh", "-c", "echo output; sleep 3251")
    for job in range(4, 21):
        wait_for_output("output", job)
    wait_for("20 jobs", lambda: sum(row["state"] == "running" for row in history()) == 20)
    w.press("Close")
    w.see_window(ASKS)
    w.press("Stop Jobs and Quit")
    w.wait_until_gone()
    if is_running("# 3250") or is_running("sleep 3251"):
        raise Failed("a job is still there")
    rows = history()
    if len(rows) != 20 or any(row["state"] != "finished" for row in rows):
        raise Failed(f"rows: {rows}")
    if [row["id"] for row in rows if row["escalated"]] != [3, 2, 1]:
        raise Failed("SIGKILL was needed for others than the three")

    # They are there at the next start, with what they wrote.
    w = window()
    w.go_to("History")
    wait_for("the jobs of before", lambda: len(w.find_all("row", part="3251', Cancelled")) >= 10)
    for row in rows:
        path = os.path.join(os.environ["XDG_STATE_HOME"], "stint", "jobs", str(row["id"]), "output")
        if "3251" in row["command"] and open(path, "rb").read() != b"output\r\n":
            raise Failed(f"its output: {open(path, 'rb').read()!r}")
    w.see_gone("label", "No output")
    w.focus_window()
    w.keys("ctrl+q")
    w.wait_until_gone()


if __name__ == "__main__":
    tell(with_nothing_running_it_closes, it_asks_and_cancel_keeps_all, what_ends_while_it_asks_is_told, it_lists_stops_and_saves,
         a_job_that_comes_meanwhile_is_asked_about,
         a_signal_never_asks, killed_it_leaves_nothing, twenty_jobs_are_gone)
