# SPDX-License-Identifier: GPL-3.0-or-later
"""The list and the page: sections, filter, menus, several at once, limits, pages side by side; the background."""

import os
import pathlib
import subprocess
import tempfile

from story import MAIN, Failed, is_running, tell, wait_for


def headings(w):
    """The titles of the sections that are shown, from above."""
    found = []
    for name in ("Needs You", "Running", "Queued", "Recent"):
        found += [(node.extents()[1], name) for node in w.find_all("label", name) if node.extents()[0] < 100]
    return [name for _, name in sorted(found)]


def each_job_has_its_section(window):
    with tempfile.TemporaryDirectory() as directory:
        go = os.path.join(directory, "go")
        w = window("sleep", "3601")
        w.see("list item", "sleep 3601, Running")
        w.start("--name", "Fails", "sh", "-c", f"while [ ! -e {go} ]; do sleep 0.1; done; exit 3")
        w.see("list item", "Fails, Running")
        w.see("label", "2 running")
        w.focus_window()
        w.wait_until_typed_into()
        w.keys("ctrl+shift+l", "Down")
        w.see("label", "sleep 3601")
        open(go, "w").close()
        w.see("list item", "Fails, Exited with code 3")
        wait_for("two sections", lambda: headings(w) == ["Needs You", "Running"])
        w.see("label", "1 needs you · 1 running")
    # Whoever looks at it for a second has seen it.
    w.keys("Up")
    w.see("label", part="Exited with code 3 after")
    wait_for("that it was seen", lambda: headings(w) == ["Running", "Recent"])


def typing_filters_the_list(window):
    w = window("--name", "Alpha", "sleep", "3602")
    w.see("list item", "Alpha, Running")
    w.start("--name", "Beta", "sleep", "3603")
    w.see("list item", "Beta, Running")
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+l")
    w.type("alp")
    w.see_gone("list item", "Beta, Running")
    w.see("list item", "Alpha, Running")
    w.keys("Escape")
    w.see("list item", "Beta, Running")
    w.see("list item", "Alpha, Running")


def a_menu_keeps_its_job(window):
    w = window("--name", "Menu", "sh", "-c", "sleep 3604")
    w.see("list item", "Menu, Running")
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+l", "shift+F10")
    w.see("menu item", "Kill")
    # The list is sorted anew under the open menu.
    w.start("--name", "Newer", "sleep", "3605")
    w.see("list item", "Newer, Running")
    w.see("menu item", "Kill").act()
    w.see("list item", "Menu, Killed")
    if not is_running("sleep 3605"):
        raise Failed("the menu has acted on another job")


def several_are_ended_at_once(window):
    w = window("--name", "One", "sleep", "3606")
    w.see("list item", "One, Running")
    w.start("--name", "Two", "sleep", "3607")
    w.see("list item", "Two, Running")
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+l", "shift+Down")
    w.see("label", "2 jobs selected")
    w.press("Terminate the Selected Jobs Terminate")
    w.see("list item", "One, Terminated")
    w.see("list item", "Two, Terminated")
    w.hold_toasts()
    w.press("Dismiss the Selected Jobs Dismiss")
    w.see("label", "2 jobs taken off the list")
    w.see_gone("list item", "One, Terminated")
    w.press("Undo")
    w.see("list item", "One, Terminated")
    w.see("list item", "Two, Terminated")


def more_time_is_given(window):
    w = window("--timeout", "10h", "--name", "Limited", "sleep", "3608")
    w.see("list item", "Limited, Running")
    w.see_match("label", r"9:5\d:\d\d")
    w.choose("Time Limit", "+ 5 Minutes")
    w.see_match("label", r"10:0\d:\d\d")
    w.choose("Time Limit", "No Limit")
    w.see_gone("label", part="10:0")
    w.choose("Time Limit", "Restore")
    w.see_match("label", r"9:5\d:\d\d")


def paused_and_restarted(window):
    w = window("--name", "Held", "sleep", "3609")
    w.see("list item", "Held, Running")
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+p")
    w.see("list item", "Held, Paused")
    w.keys("ctrl+shift+p")
    w.see("list item", "Held, Running")
    w.keys("ctrl+shift+e")
    w.see("list item", "Held, Terminated")
    w.see("list item", "Held, Running")


def progress_is_shown(window):
    """What a command says of it, of a job that nobody looks at too."""
    with tempfile.TemporaryDirectory() as directory:
        go = os.path.join(directory, "go")
        w = window("--name", "Far", "sh", "-c", r"printf '\033]9;4;1;45\007'; while ! test -e " + go + "; do sleep 0.1; done; "
                   r"printf '\033]9;4;2;46\007'; sleep 3613")
        w.see_match("label", r"Running · 45% · \d:\d\d")
        w.see("label", "45%")
        w.start("--name", "Other", "sleep", "3614")
        w.see("list item", "Other, Running")
        w.see_gone("label", "45%")
        pathlib.Path(go).touch()
        w.see_match("label", r"Running · Error at 46% · \d:\d\d")


def pages_stand_side_by_side(window):
    w = window("--name", "Left", "sleep", "3610")
    w.see("list item", "Left, Running")
    w.start("--name", "Right", "sleep", "3611")
    w.see("list item", "Right, Running")
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+l", "Down", "shift+F10")
    w.see("menu item", "Show Beside").act()
    wait_for("two pages", lambda: len(w.find_all("button", "Terminate")) == 2)
    # Keys act on the one that is the current one.
    w.keys("ctrl+shift+k")
    w.see("list item", "Left, Killed")
    w.see("list item", "Right, Running")
    w.press("Close This Page")
    wait_for("one page", lambda: len(w.find_all("button", "Close This Page")) == 0)


def jobs_go_on_in_the_background(window):
    w = window("--name", "Behind", "sleep", "3612")
    w.see("list item", "Behind, Running")
    w.press("Close")
    asks = "Stop .* Quit."
    w.see_window(asks)
    w.press("Keep Running in the Background")
    wait_for("the window gone", lambda: subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", f"^{MAIN}$"], capture_output=True).returncode != 0)
    w.toplevels.clear()
    if w.process.poll() is not None or not is_running("sleep 3612"):
        raise Failed("it has ended")
    # Started once more it is the same one, with its jobs.
    w.start()
    w.see_window(MAIN)
    w.see("list item", "Behind, Running")


if __name__ == "__main__":
    tell(each_job_has_its_section, typing_filters_the_list, a_menu_keeps_its_job, several_are_ended_at_once,
         more_time_is_given, paused_and_restarted, progress_is_shown, pages_stand_side_by_side, jobs_go_on_in_the_background)
