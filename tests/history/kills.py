# SPDX-License-Identifier: GPL-3.0-or-later
"""kills.py [--rounds N] [--seed N] [--program TEN-JOBS]

Kills a process that runs ten jobs, at a random moment, and starts again, N times over, in one history.
After each: the database is sound, each job has one row with a true end, each transcript has all that
was written up to the last byte, and no process is left. A job writes down elsewhere, once a line is
out, that it is. TAP; says its seed, to be run again.
"""

import argparse
import collections
import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

# Reached by a failure only.
BOUND = 120

# Of a run: longer than the longest of the jobs that end by themselves takes on a quiet machine.
LONGEST = 2.5

SIGNALS = (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)


class Kind(collections.namedtuple("Kind", "name lines pause prefix status setting")):
    """A job: how many lines it writes, what it waits between two, what it does first, how it exits."""

    def line(self, k):
        return f"{self.name} says that this is line {k}"

    def command(self, log):
        pause = f"sleep {self.pause}; " if self.pause else ""
        return (f"{self.prefix}echo begun >> {log}; i=0; while [ $i -lt {self.lines} ]; do "
                f"echo \"{self.name} says that this is line $i\"; echo $i >> {log}; i=$((i + 1)); {pause}done; "
                f"echo end >> {log}; exit {self.status}")


KINDS = [
    Kind("at-once", 1, 0, "", 0, ""),
    Kind("fails", 3, 0, "", 7, ""),
    Kind("short", 10, 0.02, "", 0, ""),
    Kind("half", 20, 0.03, "", 3, ""),
    Kind("terminal", 40, 0.02, "", 0, "tty"),
    Kind("slow", 1000, 0.05, "", 0, ""),
    Kind("fast", 10000000, 0, "", 0, ""),
    Kind("fast-terminal", 10000000, 0, "", 0, "tty"),
    Kind("stubborn", 10000, 0.05, "trap '' TERM HUP; ", 0, ""),
    Kind("daemon", 5, 0.02, "(setsid sleep 1000 &) ; ", 0, ""),
]


class Wrong(Exception):
    pass


def check(true, what):
    if not true:
        raise Wrong(what)


def wait_for(what, condition):
    deadline = time.monotonic() + BOUND
    while not condition():
        check(time.monotonic() < deadline, f"not within {BOUND} s: {what}")
        time.sleep(0.02)


def read_log(path):
    """What the job has written down. Returns: whether it began, how many lines are out, whether it came to its end."""
    try:
        with open(path) as file:
            words = file.read().split("\n")
    except FileNotFoundError:
        return False, 0, False
    # A last line without its end was not written to its end.
    words = words[:-1]
    return "begun" in words, sum(word.isdigit() for word in words), "end" in words


def check_transcript(kind, path, n_lines):
    with contextlib.ExitStack() as stack:
        try:
            data = stack.enter_context(open(path, "rb")).read()
        except FileNotFoundError:
            data = b""
    newline = "\r\n" if kind.setting == "tty" else "\n"
    place = 0
    for k in range(kind.lines):
        line = (kind.line(k) + newline).encode()
        if data[place:place + len(line)] != line:
            rest = data[place:]
            # Of what was not written down as out there may be a part; then nothing more.
            check(k >= n_lines, f"{kind.name}: line {k} of {n_lines} is not in the transcript")
            check(line.startswith(rest), f"{kind.name}: after line {k} there is {rest[:60]!r}")
            return
        place += len(line)
    check(place == len(data), f"{kind.name}: more than was written")


def check_end(kind, row, ended):
    what = f"{kind.name}: {dict(row)}"
    check(row["state"] == "finished", f"not finished: {what}")
    check(row["duration"] is not None, f"no duration: {what}")
    if row["reason"] == "exited":
        check(ended and row["exit_code"] == kind.status, f"no true exit: {what}")
        return
    check(row["reason"] == "interrupted", f"no true reason: {what}")
    if row["signal"] is None:
        check(row["exit_code"] in (None, kind.status), f"no true status: {what}")
        check(row["exit_code"] is None or ended, f"no true status: {what}")
    else:
        check(row["signal"] in SIGNALS, f"no true signal: {what}")


def find_processes(marker):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/environ", "rb") as file:
                if marker.encode() in file.read().split(b"\0"):
                    found.append(int(pid))
    return found


class Run:
    def __init__(self, program, directory, number):
        self.program = program
        self.state = os.path.join(directory, "state")
        self.logs = os.path.join(directory, f"logs-{number}")
        self.number = number
        self.marker = f"STINT_KILLS={os.getpid()}-{number}"
        os.mkdir(self.logs)

    def log(self, kind):
        return os.path.join(self.logs, kind.name)

    def start(self):
        words = []
        for kind in KINDS:
            words += ["--"] if words else []
            words += [f"{kind.name}-{self.number}", kind.command(self.log(kind))]
            words += [kind.setting] if kind.setting else []
        name, value = self.marker.split("=")
        return subprocess.Popen([self.program, "run", self.state, *words], stdout=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, start_new_session=True,
                                env={**os.environ, name: value})

    def kill(self, moment):
        process = self.start()
        check(process.stdout.readline() == b"begun\n", "it did not begin")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        process.kill()
        process.wait()
        process.stdout.close()

    def recover(self):
        done = subprocess.run([self.program, "recover", self.state], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, timeout=BOUND)
        check(done.returncode == 0 and done.stderr == "", f"recovery: {done.returncode} {done.stderr}")
        return int(done.stdout)

    def check(self):
        """Returns: how many jobs had begun, and how many of them ended by themselves."""
        wait_for("no process is left", lambda: not find_processes(self.marker))
        database = sqlite3.connect(f"file:{self.state}/history.db?mode=ro", uri=True)
        database.row_factory = sqlite3.Row
        n_begun = n_exited = 0
        try:
            sound = database.execute("PRAGMA integrity_check").fetchone()[0]
            check(sound == "ok", f"integrity_check: {sound}")
            for kind in KINDS:
                begun, n_lines, ended = read_log(self.log(kind))
                rows = database.execute("SELECT * FROM jobs WHERE name = ?", [f"{kind.name}-{self.number}"]).fetchall()
                check(len(rows) <= 1, f"{kind.name}: {len(rows)} rows")
                # What was killed before it had written its row has started nothing.
                check(rows or not begun, f"{kind.name} ran and has no row")
                if not rows:
                    continue
                check_end(kind, rows[0], ended)
                check_transcript(kind, f"{self.state}/jobs/{rows[0]['id']}/output", n_lines)
                n_begun += begun
                n_exited += rows[0]["reason"] == "exited"
        finally:
            database.close()
        return n_begun, n_exited


def check_the_checks(directory):
    """The control: what is wrong is seen."""
    kind = KINDS[1]
    path = os.path.join(directory, "control")
    for text, n_lines in (("", 1), (kind.line(0) + "\n", 2), (kind.line(0) + "\nx", 1), (kind.line(1) + "\n", 1)):
        with open(path, "w") as file:
            file.write(text)
        try:
            check_transcript(kind, path, n_lines)
        except Wrong:
            continue
        raise Wrong(f"{text!r} passes for {n_lines} lines")
    for row in ({"state": "running"}, {"reason": "exited", "exit_code": 0}, {"reason": "timeout"},
                {"reason": "interrupted", "signal": signal.SIGSEGV}):
        whole = {"state": "finished", "duration": 1, "reason": "interrupted", "exit_code": None, "signal": None, **row}
        try:
            check_end(kind, whole, True)
        except Wrong:
            continue
        raise Wrong(f"{row} passes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--program", default=os.environ.get("STINT_TEN_JOBS"))
    options = parser.parse_args()
    rand = random.Random(options.seed)
    directory = tempfile.mkdtemp(prefix="stint-kills-")
    n_begun = n_exited = n_recovered = 0

    print(f"1..1\n# seed {options.seed}", flush=True)
    try:
        check_the_checks(directory)
        for number in range(options.rounds):
            run = Run(options.program, directory, number)
            # As many soon after it began as later.
            moment = LONGEST * rand.random() ** 2
            run.kill(moment)
            try:
                n_recovered += run.recover()
                begun, exited = run.check()
            except Wrong as wrong:
                raise Wrong(f"round {number}, killed after {moment:.3f} s: {wrong}") from None
            n_begun += begun
            n_exited += exited
            for kind in KINDS:
                with contextlib.suppress(OSError):
                    os.unlink(run.log(kind))
    except Wrong as wrong:
        print(f"not ok 1 kills\n# {wrong}\n# seed {options.seed}; what is left is in {directory}")
        return 1
    print(f"# {options.rounds} kills: {n_begun} jobs had begun, {n_exited} ended by themselves, {n_recovered} rows recovered")
    print("ok 1 kills")
    shutil.rmtree(directory, ignore_errors=True)
    return 0


sys.exit(main())
