# SPDX-License-Identifier: GPL-3.0-or-later
"""Starting jobs other than by writing a command: presets, what the settings give, secrets, the login shell."""

import json
import os
import shutil
import subprocess
import tempfile

from story import Failed, Window, history, newest, service_pid, stint, tell, wait_for
import atspi

CONFIG = "stint"


def config_path(name):
    return os.path.join(os.environ["XDG_CONFIG_HOME"], CONFIG, name)


def presets():
    """What the file holds, or None."""
    try:
        with open(config_path("presets.json")) as file:
            return json.load(file)["presets"]
    except (OSError, ValueError):
        return None


def forget_presets():
    shutil.rmtree(os.path.dirname(config_path("")), ignore_errors=True)


def write_preset(name, **spec):
    forget_presets()
    os.makedirs(os.path.dirname(config_path("")), mode=0o700)
    with open(config_path("presets.json"), "w") as file:
        json.dump({"version": 1, "presets": [{"id": "one", "name": name, "icon": "starred-symbolic", "spec": {
            "kind": "shell", "directory": "/tmp", "timeout": 0, "grace": 5000000, **spec}}]}, file)


def a_preset_is_saved_and_started(window):
    forget_presets()
    w = window()
    w.press("New Job")
    w.see_window("New Job")
    w.write("Command", "sleep 3801")
    w.press("Save as Preset")
    w.see_window("Preset")
    w.write("Name", "Long sleep")
    w.press("Save")
    w.close_window("Preset")
    wait_for("the preset in its file", lambda: [each["name"] for each in presets() or []] == ["Long sleep"])
    w.press("Cancel")
    w.close_window("New Job")
    w.press("Long sleep")
    w.see("list item", part="Long sleep")
    wait_for("its row in the history", lambda: newest()["command"] == "sleep 3801")


def a_removed_preset_comes_back(window):
    write_preset("Fleeting", shell="true")
    w = window()
    w.see("button", "Fleeting")
    w.choose("Main Menu", "Manage Presets…")
    w.see_window("Presets")
    w.press("Remove “Fleeting”")
    w.see("label", "No Presets")
    wait_for("no preset in the file", lambda: presets() == [])
    w.press("Undo")
    w.see("button", "Remove “Fleeting”")
    wait_for("the preset in its file", lambda: [each["name"] for each in presets() or []] == ["Fleeting"])


def a_secret_is_asked_for(window):
    with tempfile.TemporaryDirectory() as directory:
        write_preset("With a secret", shell="echo \"$STINT_PIN\" > log", directory=directory, env=[["STINT_PIN", None]])
        w = window()
        w.press("With a secret")
        w.see_window("Secrets")
        w.write("STINT_PIN", "12=34")
        w.press("Run")
        log = os.path.join(directory, "log")
        wait_for("its output", lambda: os.path.exists(log) and open(log).read() == "12=34\n")
        wait_for("its end in the history", lambda: newest()["state"] == "finished")
        if any("12=34" in str(value) for row in history() for value in row.values()):
            raise Failed(f"the secret was written down: {history()}")


def preferences_reach_the_command_line(window):
    w = window()
    w.choose("Main Menu", "Preferences")
    w.see_window("Preferences")
    w.write("Shell That Runs Shell Lines", "/nonexistent/sh")
    w.see("label", "There is no such program")
    w.write("Shell That Runs Shell Lines", "/bin/bash")
    w.see_gone("label", "There is no such program")
    w.focus_window("Preferences")
    w.keys("Escape")
    w.close_window("Preferences")
    w.start("--shell", "sleep 3802; true")
    wait_for("the shell in its row", lambda: json.loads(newest()["spec"] or "{}").get("interpreter") == "/bin/bash")


def what_is_not_kept_leaves_no_row(window):
    w = window()
    w.start("--no-history", "sleep", "3803")
    w.see("list item", part="sleep 3803")
    w.start("true")
    wait_for("the other's row", lambda: newest()["command"] == "true")
    if len(history()) != 1:
        raise Failed(f"it has a row: {[row['command'] for row in history()]}")


class Service(Window):
    """The window process as the session starts it: not from a terminal."""

    def __init__(self):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([os.environ["STINT_STINT"], "--gapplication-service"],
                                        stdout=subprocess.PIPE, stderr=self.log)
        Window.opened.append(self)
        self.toplevels = {}
        self.bus = atspi.connect()


def the_login_shell_tells_the_environment(window):
    home = os.environ["HOME"]
    for name in (".profile", ".bash_profile", ".zprofile"):
        with open(os.path.join(home, name), "w") as file:
            file.write("echo Welcome\nexport STINT_FROM_PROFILE=yes\n")
    try:
        with tempfile.TemporaryDirectory() as directory:
            w = Service()
            wait_for("the service", lambda: service_pid() == w.process.pid)
            w.start("--new")
            w.see_window("New Job")
            w.write("Command", "echo \"$STINT_FROM_PROFILE $TERM\" > log")
            w.write("Directory", directory)
            w.press("Start")
            log = os.path.join(directory, "log")
            wait_for("its output", lambda: os.path.exists(log) and open(log).read().endswith("\n"))
            if open(log).read() != "yes xterm-256color\n":
                raise Failed(open(log).read())
    finally:
        for name in (".profile", ".bash_profile", ".zprofile"):
            os.unlink(os.path.join(home, name))


if __name__ == "__main__":
    tell(a_preset_is_saved_and_started, a_removed_preset_comes_back, a_secret_is_asked_for,
         preferences_reach_the_command_line, what_is_not_kept_leaves_no_row, the_login_shell_tells_the_environment)
