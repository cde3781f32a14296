# SPDX-License-Identifier: GPL-3.0-or-later
"""The history in the window: found by a word of its output, opened, run again, removed and brought back."""

import os
import subprocess

from story import Failed, history, set_clipboard, tell, wait_for


def run(*words):
    """A job of another program."""
    subprocess.run([os.environ["STINT_STINTCTL"], "run", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)


def search_for(w, text):
    """Pastes: not every key is on the keyboard."""
    w.focus_window()
    w.click(w.see(name="Search the History"))
    set_clipboard(text)
    w.keys("ctrl+a", "ctrl+v")


def yesterdays_failure_is_found_by_its_output(window):
    run("--name", "the build 4101", "--shell", "echo cc main.c; echo error QX77 in main.c; exit 2")
    run("--name", "another 4102", "--shell", "echo all is well")
    w = window()
    w.go_to("History")
    w.see("row", "the build 4101, Exited with code 2")
    w.see("row", "another 4102, Done")
    search_for(w, "qx77")
    w.see_gone("row", "another 4102, Done")
    w.see("label", "error QX77 in main.c")
    search_for(w, "failed:perhaps")
    w.see(part="takes yes or no")
    search_for(w, "failed:yes QX77")
    w.see_gone(part="takes yes or no")
    w.click(w.see("row", "the build 4101, Exited with code 2"))
    w.see("label", part="Exited with code 2 after")
    w.press("Back")
    w.see("row", "the build 4101, Exited with code 2")


def words_of_other_scripts_are_found(window):
    run("--name", "chinese 4103", "printf", "构建失败了\n")
    run("--name", "arabic 4104", "printf", "تمت عملية البناء بنجاح\n")
    w = window()
    w.go_to("History")
    w.see("row", "chinese 4103, Done")
    search_for(w, "失败")
    w.see_gone("row", "arabic 4104, Done")
    w.see("row", "chinese 4103, Done")
    search_for(w, "البناء")
    w.see_gone("row", "chinese 4103, Done")
    w.see("row", "arabic 4104, Done")


def a_removal_is_undone(window):
    run("--name", "goes away 4105", "true")
    w = window()
    w.go_to("History")
    w.see("row", "goes away 4105, Done")
    w.choose("More about this job", "Remove")
    w.hold_toasts()
    w.see_gone("row", "goes away 4105, Done")
    w.press("Undo")
    w.see("row", "goes away 4105, Done")
    if len(history()) != 1:
        raise Failed(f"rows: {history()}")


def a_job_is_run_again_from_its_row(window):
    run("--name", "again 4106", "--shell", "echo again; exit 3")
    w = window()
    w.go_to("History")
    w.see("row", "again 4106, Exited with code 3")
    w.choose("More about this job", "Run Again")
    wait_for("the second job", lambda: [row["exit_code"] for row in history()] == [3, 3])


def see_order(w, *names):
    """Waits until these jobs stand so in the table, from the top."""
    def look():
        found = [node.name for node in w.find_all("row")]
        places = [next((i for i, row in enumerate(found) if row.startswith(f"{name}, ")), -1) for name in names]
        return -1 not in places and places == sorted(places)
    wait_for(f"the order {names}", look)


def columns_sort_by_keyboard_and_directories_group(window):
    here = os.environ["XDG_RUNTIME_DIR"]
    run("--cwd", "/", "--name", "short 4107", "true")
    run("--cwd", here, "--name", "long 4108", "--shell", "sleep 0.6; echo long")
    run("--cwd", "/", "--name", "failed 4109", "--shell", "sleep 0.2; exit 3")
    w = window()
    w.go_to("History")
    w.choose("Sort, Group and Columns", "Nothing")
    see_order(w, "failed 4109", "long 4108", "short 4107")
    w.focus_window()
    w.click(w.see(name="Search the History"))
    w.tab_to("failed 4109, Exited with code 3")
    w.keys("Up")
    w.tab_to("Started", key="Right")
    w.tab_to("Duration", key="Right")
    w.keys("Return")
    see_order(w, "long 4108", "failed 4109", "short 4107")
    w.keys("Return")
    see_order(w, "short 4107", "failed 4109", "long 4108")
    w.choose("Sort, Group and Columns", "Directory")
    w.see("row", "/, 2 jobs, 1 failed")
    see_order(w, "/, 2 jobs", "short 4107", "failed 4109", here, "long 4108")


if __name__ == "__main__":
    tell(yesterdays_failure_is_found_by_its_output, words_of_other_scripts_are_found, a_removal_is_undone,
         a_job_is_run_again_from_its_row, columns_sort_by_keyboard_and_directories_group)
