# SPDX-License-Identifier: GPL-3.0-or-later
"""Keep Running After Quitting: a job outlives its window, and is the next one's like any other."""

import json
import os
import subprocess

from story import Failed, history, is_running, newest, tell, wait_for, wait_for_output


def it_goes_on_and_is_taken_over(window):
    # What the job waits for, so that it ends when the story wants it to.
    go_on = os.path.join(os.environ["HOME"], "go-on")
    line = f"echo before; until test -e {go_on}; do sleep 0.2; done; echo after; exit 3 # 3301"
    w = window("--name", "let go 3301", "--timeout", "2h", "--then", "echo followed", "--", "sh", "-c", line)
    w.see("list item", part=", Running")
    wait_for_output("before")
    w.choose("More to Do with This Job", "Keep Running After Quitting")
    wait_for("that it is let go", lambda: newest()["detached"])
    # Nobody is asked: nothing ends with the window.
    w.focus_window()
    w.keys("ctrl+q")
    if w.wait_until_gone() != 0:
        raise Failed("its exit status")
    if not is_running("# 3301"):
        raise Failed("the job is gone")

    w = window()
    w.see("list item", part=", Running")
    wait_for("its new owner", lambda: newest()["owner_pid"] == w.process.pid)
    shown = subprocess.run([os.environ["STINT_STINTCTL"], "show", "--json", "1"], capture_output=True, check=True)
    left = json.loads(shown.stdout).get("timeoutLeftMs")
    if left is None or not 0 < left <= 2 * 3600 * 1000:
        raise Failed(f"its time limit: {shown.stdout}")
    open(go_on, "w").close()
    wait_for("the job and what follows it", lambda: [row["state"] for row in history()] == ["finished"] * 2)
    follower, job = history()
    if (job["reason"], job["exit_code"], follower["follows"]) != ("exited", 3, job["id"]):
        raise Failed(f"rows: {history()}")
    wait_for_output("after")
    wait_for_output("followed", 2)
    w.see("list item", "let go 3301, Exited with code 3")
    if is_running("# 3301"):
        raise Failed("a process is left")


if __name__ == "__main__":
    tell(it_goes_on_and_is_taken_over)
