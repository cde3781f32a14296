# SPDX-License-Identifier: GPL-3.0-or-later
"""More ways to look at the history: the timeline of a day, two runs side by side, the desktop's own search."""

import os
import subprocess
import time

from gi.repository import Gio, GLib

import atspi
from story import Failed, kill_service, reload_bus, service_pid, tell, wait_for


def run(*words):
    """A job of another program."""
    subprocess.run([os.environ["STINT_STINTCTL"], "run", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)


def ask_provider(method, arguments):
    """What the desktop's search asks; starts the window process, if the bus knows how."""
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    return bus.call_sync("io.github.stint.Stint", "/io/github/stint/Stint/SearchProvider",
                         "org.gnome.Shell.SearchProvider2", method, arguments, None, Gio.DBusCallFlags.NONE, 60000,
                         None).unpack()


def has_window():
    """Asked of the process itself, which answers in order; the display may not have heard of it yet."""
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    return "<node name=" in bus.call_sync("io.github.stint.Stint", "/io/github/stint/Stint/window",
                                          "org.freedesktop.DBus.Introspectable", "Introspect", None, None,
                                          Gio.DBusCallFlags.NONE, 60000, None).unpack()[0]


def is_window_shown():
    return subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Stint"],
                          capture_output=True, text=True).stdout.split()


def wait_until_at(w, part):
    """Waits until the keyboard is at this job of the timeline."""
    wait_for(f"the focus on {part}", lambda: any(node.has_state(atspi.FOCUSED)
                                                 for node in w.find("list item", part=part)))


def a_day_is_walked_through(window):
    for name in ("one 4121", "two 4122", "three 4123"):
        run("--name", name, "true")
    w = window()
    w.go_to("History")
    w.see("row", "three 4123, Done")
    w.focus_window()
    w.click(w.see("button", "Timeline of a Day"))
    w.see(part="3 jobs")
    w.click(w.see("list item", part="three 4123, Done, from "))
    wait_for("the focus on a job", lambda: any(node.has_state(atspi.FOCUSED)
                                               for node in w.find("list item", part=", Done, from ")))
    w.keys("End")
    wait_until_at(w, "three 4123, Done, from ")
    w.keys("Left")
    wait_until_at(w, "two 4122, Done, from ")
    w.keys("Home")
    wait_until_at(w, "one 4121, Done, from ")
    # The day before is empty, and the way back is the way there.
    w.keys("Prior")
    w.see("label", "Yesterday")
    wait_until_at(w, "Nothing ran on this day")
    w.keys("Next")
    wait_until_at(w, "three 4123, Done, from ")
    w.keys("Return")
    w.press("Back")
    w.see("list item", part="three 4123, Done, from ")


def two_runs_are_compared(window):
    for status in ("3", "0"):
        run("--name", "flip 4111", "--shell", f"echo status {status}; exit {status}")
    w = window()
    w.go_to("History")
    w.see("row", "flip 4111, Done")
    w.click(w.see("row", "flip 4111, Exited with code 3"))
    w.see("label", part="Exited with code 3 after")
    w.press("Back")
    w.see("row", "flip 4111, Done")
    w.choose("More about this job", "Open Beside")
    w.see("label", part="Finished after")
    w.see("label", part="Exited with code 3 after")
    if len(w.find_all(part="Output of flip 4111")) < 2:
        raise Failed("the two are not side by side")


def the_desktop_finds_a_job(window):
    run("--name", "deploy 4131", "--shell", "exit 3")
    run("--name", "other 4132", "true")
    w = window()
    w.go_to("History")
    w.see("row", "deploy 4131, Exited with code 3")
    found = ask_provider("GetInitialResultSet", GLib.Variant("(as)", (["depl", "4131"],)))[0]
    metas = ask_provider("GetResultMetas", GLib.Variant("(as)", (found,)))[0]
    if [meta["name"] for meta in metas] != ["deploy 4131"]:
        raise Failed(f"{found}: {metas}")
    ask_provider("ActivateResult", GLib.Variant("(sasu)", (found[0], ["depl"], 0)))
    w.see("label", part="Exited with code 3 after")
    w.press("Back")
    w.see("row", "other 4132, Done")
    ask_provider("LaunchSearch", GLib.Variant("(asu)", (["deploy"], 0)))
    w.see_gone("row", "other 4132, Done")
    w.see("row", "deploy 4131, Exited with code 3")


def the_bus_starts_a_search_without_a_window(window):
    run("--name", "asleep 4141", "true")
    directory = os.path.join(os.environ["XDG_RUNTIME_DIR"], "dbus-1", "services")
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "io.github.stint.Stint.service")
    with open(path, "w") as file:
        file.write("[D-BUS Service]\nName=io.github.stint.Stint\n"
                   f"Exec={os.environ['STINT_STINT']} --gapplication-service\n")
    try:
        reload_bus()
        found = ask_provider("GetInitialResultSet", GLib.Variant("(as)", (["asleep"],)))[0]
        if found != ["1"]:
            raise Failed(f"found {found}")
        pid = service_pid()
        ask_provider("GetResultMetas", GLib.Variant("(as)", (found,)))
        if has_window() or service_pid() != pid:
            raise Failed("a search has shown a window, or needed another process")
        ask_provider("ActivateResult", GLib.Variant("(sasu)", ("1", ["asleep"], 0)))
        wait_for("the window", is_window_shown)
        if not has_window():
            raise Failed("the process does not know of its window")
    finally:
        os.unlink(path)
        kill_service()
        reload_bus()


if __name__ == "__main__":
    # Where it is noon: no day ends meanwhile.
    os.environ["TZ"] = f"HERE{time.gmtime().tm_hour - 12:+d}"
    tell(a_day_is_walked_through, two_runs_are_compared, the_desktop_finds_a_job,
         the_bus_starts_a_search_without_a_window)
