# SPDX-License-Identifier: GPL-3.0-or-later
"""`stint` in a terminal: with and without a window process."""

import json
import os
import signal
import subprocess
import tempfile

from story import BOUND, Failed, history, is_running, kill_service, reload_bus, service_pid, stint, tell, wait_for


def expect(result, status, stdout=None, stderr_part=None):
    if result.returncode != status:
        raise Failed(f"exit {result.returncode} instead of {status}: {result.stderr}")
    if stdout is not None and result.stdout != stdout:
        raise Failed(f"printed {result.stdout!r} instead of {stdout!r}")
    if stderr_part is not None and stderr_part not in result.stderr:
        raise Failed(f"said {result.stderr!r} without {stderr_part!r}")


def a_second_call_adds_its_job(window):
    w = window("sleep", "3301")
    w.see("list item", "sleep 3301, Running")
    with tempfile.TemporaryDirectory() as directory:
        result = stint("--name", "The second", "--", "sh", "-c", 'echo "$PWD $MARK $1 $2" > log; sleep 3302', "x",
                       "a b", "--timeout", cwd=directory, env={**os.environ, "MARK": "mine"})
        expect(result, 0, "2\n")
        w.see("list item", "The second, Running")
        w.see("list item", "sleep 3301, Running")
        log = os.path.join(directory, "log")
        wait_for("its output", lambda: os.path.exists(log) and open(log).read().endswith("\n"))
        if open(log).read() != f"{os.path.realpath(directory)} mine a b --timeout\n":
            raise Failed(open(log).read())


def foreground_is_refused_a_second_time(window):
    window("sleep", "3303")
    result = stint("--foreground")
    expect(result, 125, "", "already running")
    if result.stderr.count("\n") != 1:
        raise Failed(repr(result.stderr))


def without_a_window_it_is_started(window):
    # In a session of its own, so that the terminal's end does not take it along.
    result = stint("sleep", "3304")
    expect(result, 0, "1\n")
    wait_for("the job", lambda: is_running("sleep 3304"))
    pid = service_pid()
    if os.getsid(pid) == os.getsid(0):
        raise Failed("it is in our session")
    result = stint("true")
    expect(result, 0, "2\n")
    if service_pid() != pid:
        raise Failed("there are two of them")
    kill_service()
    if is_running("sleep 3304"):
        raise Failed("the job is still there")


def the_bus_starts_it(window):
    """As it does where Stint is installed: by the service file."""
    directory = os.path.join(os.environ["XDG_RUNTIME_DIR"], "dbus-1", "services")
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "io.github.stint.Stint.service")
    with open(path, "w") as file:
        file.write("[D-BUS Service]\nName=io.github.stint.Stint\n"
                   f"Exec={os.environ['STINT_STINT']} --gapplication-service\n")
    try:
        reload_bus()
        expect(stint("--wait", "--shell", "exit 4"), 4)
        with open(f"/proc/{service_pid()}/environ", "rb") as file:
            if b"DBUS_STARTER_ADDRESS=" not in file.read():
                raise Failed("it was not the bus that started it")
    finally:
        os.unlink(path)
        kill_service()
        reload_bus()


def without_a_bus_it_is_this_terminals(window):
    environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus", "GTK_A11Y": "none"}
    client = subprocess.Popen([os.environ["STINT_STINT"], "sh", "-c", "echo ok; sleep 3320"], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for("the job", lambda: is_running("sleep 3320"))
    client.send_signal(signal.SIGINT)
    _, errors = client.communicate(timeout=BOUND)
    if client.returncode != 0 or "no session bus" not in errors:
        raise Failed(f"exit {client.returncode}: {errors}")
    if is_running("sleep 3320"):
        raise Failed("the job is still there")


def wait_exits_as_the_job_did(window):
    window("sleep", "3305")
    expect(stint("--wait", "true"), 0)
    expect(stint("--wait", "--shell", "exit 3"), 3)
    expect(stint("--wait", "--shell", "kill -KILL $$"), 137)
    expect(stint("--wait", "--timeout", "300ms", "sleep", "3306"), 124)
    expect(stint("--wait", "/nonexistent/command"), 127, "", "No such file")
    expect(stint("--wait", "/dev/null"), 126, "")
    expect(stint("/nonexistent/command"), 127, "", "No such file")


def wait_goes_on_with_what_follows(window):
    window("sleep", "3351")
    expect(stint("--wait", "--then-on-success", "exit 6", "true"), 6)
    expect(stint("--wait", "--retry", "1", "--retry-delay", "0", "--then-on-failure", "exit 7", "false"), 7)


def what_starts_later_is_answered_at_once(window):
    window()
    expect(stint("--in", "1h", "sleep", "3352"), 0)
    if is_running("sleep 3352"):
        raise Failed("it runs already")


def wait_ends_with_terminate(window):
    w = window()
    client = subprocess.Popen([os.environ["STINT_STINT"], "--wait", "sleep", "3307"], stdout=subprocess.PIPE)
    w.see("list item", "sleep 3307, Running")
    w.press("Terminate")
    if client.wait(BOUND) != 143:
        raise Failed(f"exit {client.returncode}")


def interrupting_wait_ends_that_job_only(window):
    w = window("sleep", "3308")
    client = subprocess.Popen([os.environ["STINT_STINT"], "--wait", "sleep", "3309"], stdout=subprocess.PIPE)
    w.see("list item", "sleep 3309, Running")
    client.send_signal(signal.SIGINT)
    if client.wait(BOUND) != 130:
        raise Failed(f"exit {client.returncode}")
    w.see("list item", "sleep 3309, Cancelled")
    w.see("list item", "sleep 3308, Running")


def a_killed_client_ends_its_job(window):
    w = window()
    client = subprocess.Popen([os.environ["STINT_STINT"], "--wait", "sleep", "3310"], stdout=subprocess.PIPE)
    w.see("list item", "sleep 3310, Running")
    client.kill()
    client.wait()
    w.see("list item", "sleep 3310, Cancelled")


def the_window_process_dies_under_wait(window):
    w = window()
    client = subprocess.Popen([os.environ["STINT_STINT"], "--wait", "sleep", "3311"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    w.see("list item", "sleep 3311, Running")
    w.process.kill()
    if client.wait(BOUND) != 137:
        raise Failed(f"exit {client.returncode}")
    wait_for("the job gone", lambda: not is_running("sleep 3311"))


def mistakes_are_one_line(window):
    for words, part in [(["--nonsense"], "--nonsense"), (["--timeout", "soon", "true"], "soon"),
                        (["--env", "X", "true"], "X"), (["--output-limit", "1Q", "true"], "1Q"), (["--wait"], "--wait")]:
        result = stint(*words)
        expect(result, 125, "", part)
        if result.stderr.count("\n") != 1:
            raise Failed(f"{result.stderr!r} is not one line")
    if service_pid() is not None:
        raise Failed("a window process was started for nothing")


def without_a_display_it_says_so(window):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    result = stint("true", env=environment)
    expect(result, 125, "", "no display")
    expect(result, 125, "", "stintctl run")


def what_has_no_directory_runs_nowhere(window):
    window()
    with tempfile.TemporaryDirectory() as directory:
        gone = os.path.join(directory, "gone")
        os.mkdir(gone)

        def leave():
            os.chdir(gone)
            os.rmdir(gone)

        expect(stint("--wait", "touch", f"{directory}/ran", preexec_fn=leave), 125, "", "--cwd")
        os.mkdir(gone)
        expect(stint("--wait", "--cwd", "/", "pwd", preexec_fn=leave), 0)
        if os.listdir(directory):
            raise Failed(f"it ran: {os.listdir(directory)}")
    if history()[0]["directory"] != "/":
        raise Failed(f"it ran in {history()[0]['directory']}")


def the_result_is_written(window):
    window()
    with tempfile.TemporaryDirectory() as directory:
        expect(stint("--wait", "--json", "result.json", "--shell", "echo hi; exit 3", cwd=directory), 3)
        with open(os.path.join(directory, "result.json")) as file:
            result = json.load(file)
        if result["exitCode"] != 3 or result["stdout"] != "hi\r\n":
            raise Failed(str(result))
    result = stint("--wait", "--json", "-", "--pipes", "echo", "hi")
    if json.loads(result.stdout)["stdout"] != "hi\n":
        raise Failed(result.stdout)


def blank_shell_lines_succeed(window):
    window()
    expect(stint("--wait", "--shell", "   "), 0)


def help_and_version_need_no_window(window):
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    expect(stint("--version", env=environment), 0)
    expect(stint("--help", env=environment), 0)
    if history_exists():
        raise Failed("it made a history")


def history_exists():
    return os.path.exists(os.path.join(os.environ["XDG_STATE_HOME"], "stint", "history.db")) and bool(history())


if __name__ == "__main__":
    tell(a_second_call_adds_its_job, foreground_is_refused_a_second_time, without_a_window_it_is_started,
         the_bus_starts_it, without_a_bus_it_is_this_terminals,
         wait_exits_as_the_job_did, wait_goes_on_with_what_follows, what_starts_later_is_answered_at_once,
         wait_ends_with_terminate, interrupting_wait_ends_that_job_only,
         a_killed_client_ends_its_job, the_window_process_dies_under_wait, mistakes_are_one_line,
         without_a_display_it_says_so, what_has_no_directory_runs_nowhere, the_result_is_written, blank_shell_lines_succeed,
         help_and_version_need_no_window)
