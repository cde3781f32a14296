# SPDX-License-Identifier: GPL-3.0-or-later
"""Everybody writes the history at once: eight loops of `stintctl run` and the window, whose history is shown.

For 5 s, or as long as STINT_CROWD_SECONDS says.
"""

import os
import subprocess
import threading
import time

from story import BOUND, Failed, history, stint, tell, wait_for

SECONDS = float(os.environ.get("STINT_CROWD_SECONDS", "5"))
LOOPS = 8
WINDOW_LOOPS = 2


def run_in_terminal(name, line):
    return subprocess.run([os.environ["STINT_STINTCTL"], "run", "--name", name, "--shell", line],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=BOUND * 2)


def run_in_window(name, line):
    return stint("--wait", "--pipes", "--name", name, "--shell", line, stdin=subprocess.DEVNULL)


class Loop(threading.Thread):
    """Runs one job after the other until time is up, and knows what each of them was to be."""

    def __init__(self, run, number, until):
        super().__init__()
        self.run_job, self.number, self.until = run, number, until
        self.jobs = {}
        self.trouble = None

    def run(self):
        count = 0
        while self.trouble is None and (count == 0 or time.monotonic() < self.until):
            name, status = f"loop {self.number} job {count}", count % 3
            try:
                result = self.run_job(name, f"echo out of {self.number}-{count}; exit {status}")
            except subprocess.TimeoutExpired as error:
                self.trouble = str(error)
                break
            self.jobs[name] = (status, f"out of {self.number}-{count}\n")
            if result.returncode != status or result.stderr:
                self.trouble = f"{name}: {result.returncode} instead of {status}: {result.stderr}"
            count += 1


def read_output(row):
    path = os.path.join(os.environ["XDG_STATE_HOME"], "stint", "jobs", str(row["id"]), "output")
    with open(path) as file:
        return file.read()


def every_job_is_there(window):
    w = window()
    w.go_to("History")
    until = time.monotonic() + SECONDS
    loops = [Loop(run_in_terminal if i < LOOPS else run_in_window, i, until) for i in range(LOOPS + WINDOW_LOOPS)]
    for loop in loops:
        loop.start()
    for loop in loops:
        loop.join()
    trouble = [loop.trouble for loop in loops if loop.trouble]
    if trouble:
        raise Failed("\n".join(trouble))
    # The window says how a job ended as soon as it knows, and then writes it.
    wait_for("every row complete", lambda: all(row["state"] == "finished" for row in history()))
    rows = history()
    named = {row["name"]: row for row in rows}
    expected = {name: job for loop in loops for name, job in loop.jobs.items()}
    if len(named) != len(rows) or named.keys() != expected.keys():
        raise Failed(f"{len(rows)} rows, {len(named)} names, {len(expected)} jobs")
    for name, (status, output) in expected.items():
        row = named[name]
        if (row["state"], row["reason"], row["exit_code"]) != ("finished", "exited", status):
            raise Failed(f"{name}: {row}")
        if read_output(row) != output:
            raise Failed(f"{name}: {read_output(row)!r}")
    print(f"# {len(expected)} jobs, {sum(len(loop.jobs) for loop in loops[LOOPS:])} of them the window's")


tell(every_job_is_there)
