# SPDX-License-Identifier: GPL-3.0-or-later
"""A job in the window: seen live, typed into, terminated, killed."""

import os
import signal
import tempfile

from story import Failed, is_running, newest, tell, wait_for, wait_for_output

IGNORES = "trap '' TERM HUP; echo ready; while :; do sleep 1; done"


def job_is_live(window):
    w = window("--timeout", "5h", "--idle-timeout", "2h", "--", "sh", "-c", "echo hello; sleep 3001")
    w.see("list item", part="sleep 3001', Running")
    w.see("label", "Running")
    w.see("label", "Time left")
    w.see("label", "Idle time left")
    # Both limits count.
    w.see_match("label", r"4:5\d:\d\d")
    w.see_match("label", r"1:5\d:\d\d")
    w.see_match("label", r"Running · \d+:\d\d.*")
    wait_for("the row of the history", lambda: newest()["state"] == "running")


def typing_reaches_the_job(window):
    with tempfile.NamedTemporaryFile() as file:
        w = window("sh", "-c", f"read word; echo \"got $word\" > {file.name}; sleep 3002")
        w.see("list item", part=", Running")
        w.focus_window()
        # The pane takes the keys as soon as it shows the job, without a click.
        w.wait_until_typed_into()
        w.type("hello\n")
        wait_for("what was typed", lambda: open(file.name).read() == "got hello\n")


def terminate_asks_and_waits(window):
    w = window("sh", "-c", "trap 'exit 5' TERM HUP; echo ready; while :; do sleep 0.1; done")
    w.see("list item", part=", Running")
    wait_for_output("ready")
    w.press("Terminate")
    w.see("list item", part=", Terminated")
    w.see("button", "Run Again")
    wait_for("the row", lambda: newest()["reason"] == "terminated")
    row = newest()
    if row["exit_code"] != 5 or row["escalated"]:
        raise Failed(f"it was given no time: {row}")


def terminate_ends_in_sigkill(window):
    w = window("--grace", "10m", "--", "sh", "-c", IGNORES + " # 3008")
    w.see("list item", part=", Running")
    wait_for_output("ready")
    w.press("Terminate")
    w.see("label", part="SIGKILL in")
    w.see("list item", part=", Terminating")
    w.start("--grace", "1s", "--", "sh", "-c", IGNORES + " # 3003")
    wait_for_output("ready", job=2)
    wait_for("the page of the second", lambda: any("# 3003" in node.name for node in w.find(part="Output of")))
    w.press("Terminate")
    w.see("label", part="SIGKILL was needed")
    if is_running("# 3003"):
        raise Failed("it is still there")
    wait_for("the row", lambda: newest()["reason"] == "terminated" and newest()["escalated"])


def kill_is_at_once(window):
    w = window("--grace", "10m", "--", "sh", "-c", IGNORES + " # 3004")
    w.see("list item", part=", Running")
    wait_for_output("ready")
    w.press("Kill")
    w.see("list item", part=", Killed")
    if is_running("# 3004"):
        raise Failed("it is still there")


def limits_end_jobs(window):
    w = window("--timeout", "2s", "sleep", "3005")
    w.see("list item", part=", Time limit reached")
    w.wait_for_history("timeout")


def run_again_is_a_new_job(window):
    with tempfile.TemporaryDirectory() as directory:
        w = window("sh", "-c", 'echo "$PWD $MARK" >> log', cwd=directory, environment={"MARK": "mine"})
        log = os.path.join(directory, "log")
        w.see("list item", part=", Done")
        w.press("Run Again")
        wait_for("a second line", lambda: open(log).read().count("\n") == 2)
        if set(open(log).read().splitlines()) != {f"{os.path.realpath(directory)} mine"}:
            raise Failed("directory or environment differ: " + open(log).read())
        wait_for("two rows", lambda: len([name for name in w.rows() if name.endswith(", Done")]) == 2)


def failure_to_start_is_said(window):
    w = window("/nonexistent/stint-command")
    w.see("list item", part=", Could not start")
    w.see("label", part="No such file")


def a_history_that_cannot_be_written_is_said(window):
    state = os.path.join(os.environ["XDG_STATE_HOME"], "stint")
    with open(state, "w") as file:
        file.write("in the way")
    try:
        with tempfile.NamedTemporaryFile() as file:
            w = window("sh", "-c", f"echo ran > {file.name}; sleep 3007")
            w.see("list item", part=", Running")
            wait_for("the job's work", lambda: open(file.name).read() == "ran\n")
            # More than one thing could not be opened: one toast for all of them.
            w.press("Show")
            w.see_window("Problems")
            w.see("list item", "The history has a problem")
            w.see("button", "Copy All")
            w.process.send_signal(signal.SIGTERM)
            if w.wait_until_gone() != 1:
                raise Failed("it says that all was saved")
    finally:
        if os.path.isfile(state):
            os.unlink(state)


def plenty_of_output_ends_where_it_ends(window):
    w = window("sh", "-c", "seq 3000000; echo THE END; sleep 3006")
    w.see("list item", part=", Running")
    # The window answers while it is fed.
    w.press("Terminate")
    w.see("list item", part=", Terminated")


if __name__ == "__main__":
    tell(job_is_live, typing_reaches_the_job, terminate_asks_and_waits, terminate_ends_in_sigkill, kill_is_at_once,
         limits_end_jobs, run_again_is_a_new_job, failure_to_start_is_said,
         a_history_that_cannot_be_written_is_said, plenty_of_output_ends_where_it_ends)
