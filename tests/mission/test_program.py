# SPDX-License-Identifier: GPL-3.0-or-later
"""Part F of the mission, the program, and the line of E that only its log shows. Each is named after its line."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "e2e"))

from story import Failed, history, is_running, stint, tell, wait_for


def F1_what_it_is_made_of(window):
    needed = subprocess.run(["readelf", "-d", os.environ["STINT_STINT"]], check=True, capture_output=True, text=True).stdout
    for library in ("libgtk-4.so", "libvte-2.91-gtk4.so", "libglib-2.0.so", "libgio-2.0.so", "libadwaita-1.so"):
        if library not in needed:
            raise Failed(f"it is not linked with {library}")
    # And what runs the jobs is, in a terminal too, none of the face.
    for program, refused in ((os.environ["STINT_KEEPER"], "glib"), (os.environ["STINT_STINTCTL"], "gtk")):
        needed = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
        if refused in needed:
            raise Failed(f"{program} is linked with {refused}")


def F2_live_output_countdowns_and_both_ends(window):
    w = window("--timeout", "1h", "--idle-timeout", "30m", "--", "sh", "-c", "echo mark-F2; sleep 3361")
    w.see("list item", part="sleep 3361', Running")
    w.see("label", "Time left")
    w.see("label", "Idle time left")
    w.see_on_screen("the output", lambda screen: "mark-F2" in screen)
    w.press("Terminate")
    w.see("list item", part="sleep 3361', Terminated")
    if is_running("sleep 3361"):
        raise Failed("it still runs")


def F3_closing_ends_every_job_and_saves(window):
    w = window("sh", "-c", "(setsid sleep 3362 &); sleep 3363")
    w.see("list item", part=", Running")
    wait_for("the one that has gone far away", lambda: is_running("sleep 3362"))
    w.focus_window()
    w.keys("ctrl+shift+q")
    w.see_window("Stop .* Quit.")
    w.press("Stop Jobs and Quit")
    if w.wait_until_gone() != 0:
        raise Failed("its exit status")
    if is_running("sleep 3362") or is_running("sleep 3363"):
        raise Failed("a process is still there")
    rows = history()
    if [row["reason"] for row in rows] != ["cancelled"]:
        raise Failed(f"rows: {rows}")


def F4_from_a_terminal_and_the_history(window):
    w = window()
    result = stint("--name", "mark F4", "true")
    if result.returncode != 0 or not re.fullmatch(r"\d+\n", result.stdout):
        raise Failed(f"{result}")
    w.see("list item", part="mark F4, Done")


def E6_a_life_in_the_log(window):
    environment = {**os.environ, "G_MESSAGES_DEBUG": "stint-engine"}
    run = subprocess.run([os.environ["STINT_STINTCTL"], "run", "--no-history", "sh", "-c", "echo out; exit 3"],
                         env=environment, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    log = run.stdout + run.stderr
    for said in ("started in", "echo out; exit 3", "ended: exited"):
        if said not in log:
            raise Failed(f"{said!r} is not in the log: {log}")


if __name__ == "__main__":
    tell(F1_what_it_is_made_of, F2_live_output_countdowns_and_both_ends, F3_closing_ends_every_job_and_saves,
         F4_from_a_terminal_and_the_history, E6_a_life_in_the_log)
