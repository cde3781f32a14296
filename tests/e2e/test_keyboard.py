# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose the keys are: the program's while it is typed into, else the window's."""

import tempfile

from story import Failed, tell, wait_for, wait_for_output


def a_live_pane_gets_its_keys(window):
    with tempfile.NamedTemporaryFile() as file:
        w = window("sh", "-c", f"stty raw -echo; echo ready; dd bs=1 count=8 of={file.name} 2>/dev/null; sleep 3401")
        w.see("list item", part=", Running")
        w.focus_window()
        w.wait_until_typed_into()
        wait_for_output("ready")
        w.keys("ctrl+n", "ctrl+w", "ctrl+q", "ctrl+c", "Tab", "F1")
        wait_for("the keys", lambda: open(file.name, "rb").read() == b"\x0e\x17\x11\x03\t\x1bOP")
        if w.process.poll() is not None or w.find_all("text box", "Command"):
            raise Failed("the window took a key")


def control_shift_is_the_windows(window):
    w = window("sleep", "3402")
    w.see("list item", "sleep 3402, Running")
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+n")
    w.see_window("New Job")
    w.focus_window("New Job")
    w.keys("Escape")
    w.close_window("New Job")
    w.focus_window()
    w.keys("ctrl+shift+l")
    # In the list the plain keys are the window's again.
    w.keys("F1")
    w.see_window("Keyboard Shortcuts")
    w.focus_window("Keyboard Shortcuts")
    w.keys("Escape")
    w.close_window("Keyboard Shortcuts")
    w.focus_window()
    w.keys("ctrl+n")
    w.see_window("New Job")


def terminate_and_kill_by_key(window):
    w = window("--grace", "10m", "--", "sh", "-c", "trap '' TERM HUP; echo ready; while :; do sleep 1; done")
    w.see("list item", part=", Running")
    w.focus_window()
    w.wait_until_typed_into()
    wait_for_output("ready")
    w.keys("ctrl+shift+t")
    w.see("list item", part=", Terminating")
    w.keys("ctrl+shift+k")
    w.see("button", "Run Again")
    w.keys("ctrl+shift+r")
    w.see("list item", part=", Running")
    w.wait_until_typed_into()
    w.keys("ctrl+shift+k")
    # The one before was terminated, however it ended.
    w.see("list item", part=", Killed")


def moving_through_the_list_shows_each_job(window):
    w = window("--name", "First", "sleep", "3403")
    w.see("list item", "First, Running")
    w.start("--name", "Second", "sleep", "3404")
    w.see("list item", "Second, Running")
    w.see("label", "sleep 3404")
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+l", "Down")
    w.see("label", "sleep 3403")
    w.keys("ctrl+shift+k")
    w.see("list item", "First, Killed")
    w.see("list item", "Second, Running")


if __name__ == "__main__":
    tell(a_live_pane_gets_its_keys, control_shift_is_the_windows, terminate_and_kill_by_key,
         moving_through_the_list_shows_each_job)
