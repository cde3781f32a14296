# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stories of the window share: a display, a bus, the window process, and a user's hands.

A story is a function that drives the real window by AT-SPI, by role and name, and by keys. It waits for
what it expects to see, with a bound, and never for a time. Each program runs in a display and on a
session bus of its own.
"""

import collections
import contextlib
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback

import atspi

# Reached by a failure only, however slow the machine is.
BOUND = float(os.environ.get("STINT_E2E_BOUND", "60"))

# How long an attempt may take before it is made again: each time longer, so that a slow machine gets there too.
PATIENCE = (2, 4, 8, 16, 32)

COMPLAINTS = ("WARNING", "CRITICAL", "AddressSanitizer", "runtime error")

# GTK 4.8 tells AT-SPI of widgets that are already gone.
NOT_OURS = ("g_variant_is_object_path", "g_variant_new_object_path", "unable to send notifications")

# What is on the clipboard when nothing of interest is.
NOTHING = "nothing"


class Failed(Exception):
    pass


def require_private_session():
    """Runs this program again on a display and a bus of its own."""
    if os.environ.get("STINT_E2E_INNER"):
        return
    for tool in ("Xvfb", "dbus-run-session", "xclip", "xdotool"):
        if shutil.which(tool) is None:
            print(f"1..0 # SKIP {tool} is missing")
            sys.exit(0)
    read_end, write_end = os.pipe()
    display = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write_end)
    number = os.read(read_end, 16).decode().strip()
    directory = tempfile.mkdtemp(prefix="stint-e2e-")
    for name in ("runtime", "state", "config", "data", "cache", "home"):
        os.mkdir(os.path.join(directory, name), 0o700)
    # AdwLeaflet 1.2 leaks a page's picture when it slides.
    os.mkdir(os.path.join(directory, "config", "gtk-4.0"))
    with open(os.path.join(directory, "config", "gtk-4.0", "settings.ini"), "w") as file:
        file.write("[Settings]\ngtk-enable-animations=false\n")
    environment = dict(os.environ)
    for name in ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "STINT_WORKSPACE", "XAUTHORITY"):
        environment.pop(name, None)
    environment.update({
        "STINT_E2E_INNER": directory,
        "DISPLAY": ":" + number,
        "GDK_BACKEND": "x11",
        "GSK_RENDERER": "cairo",
        "GTK_A11Y": "atspi",
        "GSETTINGS_BACKEND": "keyfile",
        "HOME": os.path.join(directory, "home"),
        "XDG_RUNTIME_DIR": os.path.join(directory, "runtime"),
        "XDG_STATE_HOME": os.path.join(directory, "state"),
        "XDG_CONFIG_HOME": os.path.join(directory, "config"),
        "XDG_DATA_HOME": os.path.join(directory, "data"),
        "XDG_CACHE_HOME": os.path.join(directory, "cache"),
        "G_DEBUG": "gc-friendly",  # not fatal: see NOT_OURS
    })
    status = 1
    try:
        # What the bus starts writes to standard output; the report has a way of its own.
        report = os.dup(1)
        environment["STINT_E2E_REPORT"] = str(report)
        status = subprocess.call(["dbus-run-session", "--", sys.executable, *sys.argv], env=environment,
                                 stdout=sys.stderr, pass_fds=[report])
    finally:
        display.terminate()
        display.wait()
        shutil.rmtree(directory, ignore_errors=True)
    sys.exit(status)


def look_for(condition, patience):
    """The first true value of condition() within this time, in which it is asked at least once; else None."""
    deadline = time.monotonic() + patience
    while True:
        try:
            value = condition()
        except atspi.Gone:
            value = None
        if value or time.monotonic() > deadline:
            return value or None
        time.sleep(0.05)


def wait_for(what, condition):
    """The first true value of condition(); fails with @what after a bound."""
    value = look_for(condition, BOUND)
    if not value:
        raise Failed(f"not seen within {BOUND:g} s: {what}")
    return value


def try_until(what, attempt, condition):
    """Makes the attempt again and again, each time with more patience, until condition() is true; returns its value."""
    for patience in PATIENCE:
        attempt()
        value = look_for(condition, patience)
        if value:
            return value
    raise Failed(f"not seen after {len(PATIENCE)} attempts: {what}")


def is_of_another_run(pid):
    """Whether a process belongs to stories that run beside these."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            found = re.search(rb"(?:^|\0)STINT_E2E_INNER=([^\0]*)", file.read())
    except OSError:
        return False
    return found is not None and found[1] != os.environ["STINT_E2E_INNER"].encode()


def is_running(marker):
    """The command line of a process that ends with this marker, or None. Stint's own do not count."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().rstrip(b"\0").decode(errors="replace").split("\0")
        except OSError:
            continue
        if ("stint" not in words[0] and (" " + " ".join(words)).endswith(" " + marker)
                and not is_of_another_run(pid)):
            return f"{pid}: {words}"
    return None


# The window counts its jobs in its title.
MAIN = "Stint( — [0-9]+ jobs?)?"


class Window:
    """The window process, and the hands and eyes of its user."""

    opened = []

    def __init__(self, *words, cwd=None, environment=None, size=None):
        if size is not None:
            self.set(window_width=size[0], window_height=size[1])
        argv = [os.environ["STINT_STINT"], "--foreground", *words]
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=self.log, cwd=cwd,
                                        env={**os.environ, **(environment or {})})
        Window.opened.append(self)
        self.toplevels = {}
        self.bus = atspi.connect()
        self.see_window(MAIN)

    @staticmethod
    def set(**settings):
        """What the settings are from the next window process on; the others are as they come."""
        directory = os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0", "settings")
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "keyfile"), "w") as file:
            file.write("[io/github/stint/Stint]\n")
            for name, value in settings.items():
                file.write(f"{name.replace('_', '-')}={value}\n")

    def see_window(self, title):
        """Waits for a window with this title, a regular expression, and from then on looks into it too.

        The X server is asked first: GTK 4.8 crashes if AT-SPI asks for a window in the moment in which it
        is shown and not yet registered.
        """
        def is_mapped():
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"],
                                   capture_output=True, text=True).stdout.split()
            return found or self.process.poll() is not None

        wait_for(f"window {title}", is_mapped)
        if self.process.poll() is not None:
            raise Failed(f"the window process has ended with {self.process.returncode}")
        self.toplevels[title] = wait_for(f"window {title} in AT-SPI", lambda: self._find_toplevel(title))

    def _find_toplevel(self, title):
        return next((node for node in atspi.find_toplevels(self.bus, "stint") if re.fullmatch(title, node.name)), None)

    # Eyes

    def walk(self):
        """All that the known windows hold."""
        for toplevel in list(self.toplevels.values()):
            yield from toplevel.walk()

    def find(self, role=None, name=None, part=None):
        """One after the other, as they are found."""
        for node in self.walk():
            try:
                if self._is_wanted(node, role, name, part):
                    yield node
            except atspi.Gone:
                continue

    def find_all(self, role=None, name=None, part=None):
        return list(self.find(role, name, part))

    def _is_wanted(self, node, role, name, part):
        if name is not None or part is not None:
            given = node.name
            # GTK 4.8 names a button with a mnemonic twice, "_Kill Kill", and leaves it in a check button's name.
            if name is not None and name not in (given, given.replace("_", "")) and not given.endswith(" " + name):
                return False
            if part is not None and part not in given:
                return False
        if role is not None and node.role != role:
            return False
        return node.is_shown()

    def see(self, role=None, name=None, part=None):
        what = f"{role or 'anything'} named {name or '…' + str(part) + '…'}"
        return wait_for(what, lambda: next(self.find(role, name, part), None))

    def see_gone(self, role=None, name=None, part=None):
        wait_for(f"{name or part} gone", lambda: next(self.find(role, name, part), None) is None)

    def see_match(self, role, pattern):
        """Waits for a name that this regular expression matches as a whole, and returns the match."""
        return wait_for(f"{role} like {pattern}", lambda: next(
            (match for match in (re.fullmatch(pattern, node.name) for node in self.find(role)) if match), None))

    def rows(self):
        """The names of the jobs that are listed."""
        names = []
        for node in self.find_all("list item"):
            try:
                if node.name not in ("Overview", "History"):
                    names.append(node.name)
            except atspi.Gone:
                continue
        return names

    # Hands

    def go_to(self, place):
        """To the overview or the history, by the sidebar."""
        try_until(f"{place} shown", lambda: self.click(self.see("list item", place)),
                  lambda: any(node.extents()[0] > 250 for node in self.find("label", place)))

    def press(self, name):
        def find():
            return next((node for node in self.find("button", name) if node.has_state(atspi.SENSITIVE)), None)

        if not wait_for(f"button {name}, sensitive", find).act():
            raise Failed(f"{name} cannot be pressed")

    def keys(self, *keys):
        subprocess.run(["xdotool", "key", "--clearmodifiers", "--delay", "20", *keys], check=True)

    def type(self, text):
        subprocess.run(["xdotool", "type", "--clearmodifiers", "--delay", "10", text], check=True)

    def focus_window(self, title=MAIN):
        """There is no window manager: a window is given the keys by hand."""
        def focus():
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"],
                                   capture_output=True, text=True).stdout.split()
            if not found:
                return False
            return subprocess.run(["xdotool", "windowfocus", "--sync", found[-1]], capture_output=True).returncode == 0
        wait_for("the keyboard focus", focus)

    def wait_until_typed_into(self):
        """Waits until the pane has the focus and its program the keys."""
        wait_for("the focus in the pane", lambda: any(node.name.startswith("Output of") and node.has_state(atspi.FOCUSED)
                                                      for node in self.walk()))

    def find_button(self, name):
        """The button with this very name: others end with it."""
        return next((node for node in self.find("button") if node.name == name), None)

    def place_of(self, node):
        """Where it is in the window, for the pointer: (left, top, width, height)."""
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{MAIN}$", "getwindowgeometry", "--shell"],
                               capture_output=True, text=True, check=True).stdout
        width = int(re.search(r"WIDTH=(\d+)", found)[1])
        # The window's frame does not count for AT-SPI.
        frame = (width - self.toplevels[MAIN].extents()[2]) // 2
        left, top, width, height = node.extents()
        return left + frame, top + frame, width, height

    def click(self, node):
        left, top, width, height = self.place_of(node)
        subprocess.run(["xdotool", "mousemove", str(left + width // 2), str(top + height // 2), "click", "1"], check=True)

    def choose(self, menu, item):
        """Opens a menu and chooses what is in it."""
        def find_item():
            return next((node for node in self.find(name=item) if node.role.startswith("menu item")), None)

        # A click that comes while the menu still closes only closes it.
        try_until(f"{item} in the menu",
                  lambda: self.click(wait_for(f"menu {menu}", lambda: self.find_button(menu))), find_item).act()
        wait_for("the menu closed", lambda: find_item() is None)

    def find_focused(self, name):
        return any(node.has_state(atspi.FOCUSED) for node in self.find(name=name))

    def _find_focus(self):
        """What has the focus, as far as AT-SPI knows, by its path."""
        return {node.path: node for node in self.walk() if node.has_state(atspi.FOCUSED)}

    def tab_to(self, name, key="Tab"):
        """Goes on with the keyboard until what is named so has the focus."""
        def find_other_focus():
            found = self._find_focus()
            return found if found.keys() != focused.keys() else None

        focused = wait_for("a focus", self._find_focus)
        for _ in range(40):
            if any(self._is_wanted(node, None, name, None) for node in focused.values()):
                return
            self.keys(key)
            # Else one key too many is still under way when the focus is seen.
            focused = look_for(find_other_focus, PATIENCE[0]) or focused
        raise Failed(f"{name} cannot be reached by {key}")

    def hold_toasts(self):
        """Puts the pointer where toasts appear: they stay as long as it is there."""
        left, top, width, height = self.place_of(self.toplevels[MAIN])
        subprocess.run(["xdotool", "mousemove", str(left + width // 2), str(top + height - 50)], check=True)

    def read_screen(self, patience=PATIENCE[0]):
        """The lines that the pane shows: its text is not visible to AT-SPI, so it is selected and copied."""
        pane = wait_for("the pane", lambda: next(self.find(part="Output of"), None))
        left, top, width, height = self.place_of(pane)
        set_clipboard(NOTHING)
        subprocess.run(["xdotool", "mousemove", str(left + 2), str(top + 2), "mousedown", "1",
                        "mousemove", str(left + width // 2), str(top + height // 2),
                        "mousemove", str(left + width - 6), str(top + height - 4), "mouseup", "1",
                        "key", "ctrl+shift+c"], check=True)
        if not look_for(lambda: get_clipboard() != NOTHING, patience):
            return []
        return get_clipboard().rstrip("\n").split("\n")

    def see_on_screen(self, what, condition):
        """Waits until the pane shows lines for which the condition is true, and returns them."""
        shown = []
        patience = iter(PATIENCE)

        def look():
            # Nothing is copied while nothing is shown.
            shown[:] = self.read_screen(patience=next(patience, PATIENCE[-1]) if not shown else PATIENCE[0])
            return shown and condition(shown)

        try:
            wait_for(f"{what} on the screen", look)
        except Failed as failure:
            raise Failed(f"{failure}; it shows {shown[:3]} … {shown[-3:]}") from None
        return shown

    def write(self, label, text):
        """Writes into the text entry that is labelled so."""
        self.see("text box", label).write(text)

    def find_text(self, text):
        """The entry that holds this text, in whichever window: two may have the same title."""
        for toplevel in atspi.find_toplevels(self.bus, "stint"):
            for node in toplevel.walk():
                try:
                    if node.role == "text box" and node.read() == text:
                        return node
                except atspi.Gone:
                    continue
        return None

    def start(self, *words):
        """A job that is added from a terminal; it has started when this returns."""
        result = stint(*words)
        if result.returncode != 0:
            raise Failed(result.stderr)

    def close_window(self, title):
        """Waits until a window is gone, and looks into it no more."""
        wait_for(f"window {title} gone", lambda: subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"], capture_output=True).returncode != 0)
        del self.toplevels[title]

    def wait_for_history(self, reason):
        wait_for(f"the newest job saved as {reason}", lambda: newest()["reason"] == reason)

    def describe(self):
        """For a failure's report: whether it runs, and what it shows."""
        print(f"# the window process: {'runs' if self.process.poll() is None else self.process.returncode}")
        try:
            for node in self.walk():
                if node.name and node.is_shown():
                    print(f"# shows {node.role} {node.name!r}")
        except atspi.Gone as error:
            print(f"# cannot be looked at: {error}")

    # Ends

    def wait_until_gone(self):
        try:
            status = self.process.wait(BOUND)
        except subprocess.TimeoutExpired:
            raise Failed(f"the window process is still there after {BOUND:g} s") from None
        self.log.seek(0)
        errors = self.log.read().decode(errors="replace")
        for line in errors.splitlines():
            if any(word in line for word in COMPLAINTS) and not any(word in line for word in NOT_OURS):
                raise Failed("the window process complained: " + errors)
        return status

    def end(self):
        """Asks the window process to end, if the story has not, and looks at how it did."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            status = self.wait_until_gone()
            if status != 0:
                self.log.seek(0)
                raise Failed(f"the window process ended with {status}: " + self.log.read().decode(errors="replace"))

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(8)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def set_clipboard(text):
    subprocess.run(["xclip", "-in", "-selection", "clipboard"], input=text.encode(), stdout=subprocess.DEVNULL, check=True)


def get_clipboard():
    """The text on the clipboard, "" if there is none."""
    return subprocess.run(["xclip", "-out", "-selection", "clipboard"], capture_output=True, timeout=BOUND).stdout.decode()


def stint(*words, **options):
    """`stint WORDS…` as a client; the result of subprocess.run()."""
    return subprocess.run([os.environ["STINT_STINT"], *words], capture_output=True, text=True, timeout=BOUND * 2,
                          **options)


def service_pid():
    """The process that owns the name on the bus, or None."""
    bus = atspi.Gio.bus_get_sync(atspi.Gio.BusType.SESSION, None)
    try:
        return bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                             "GetConnectionUnixProcessID", atspi.GLib.Variant("(s)", ("io.github.stint.Stint",)), None,
                             atspi.Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
    except atspi.GLib.Error:
        return None


def reload_bus():
    """Makes the bus read its service files again."""
    atspi.Gio.bus_get_sync(atspi.Gio.BusType.SESSION, None).call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig", None, None,
        atspi.Gio.DBusCallFlags.NONE, -1, None)


def kill_service():
    """Ends a window process that no story holds."""
    pid = service_pid()
    if pid is not None:
        os.kill(pid, signal.SIGTERM)
        wait_for("the window process gone", lambda: service_pid() is None)


def history():
    """The rows of the history, the newest first, as dictionaries."""
    path = os.path.join(os.environ["XDG_STATE_HOME"], "stint", "history.db")
    if not os.path.exists(path):
        return []
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=BOUND)) as database:
        database.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in database.execute("SELECT * FROM jobs ORDER BY id DESC")]
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            return []  # it is being made


def newest():
    """The newest row of the history; what it is asked for is None while there is none."""
    return next(iter(history()), collections.defaultdict(lambda: None))


def wait_for_output(text, job=1):
    """Waits until this job has written the text: it has got so far."""
    path = os.path.join(os.environ["XDG_STATE_HOME"], "stint", "jobs", str(job), "output")

    def look():
        with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
            return text.encode() in file.read()
        return False

    wait_for(f"“{text}” in the output of job {job}", look)


def tell(*stories):
    """Runs the stories and reports them as TAP."""
    require_private_session()
    report = int(os.environ.pop("STINT_E2E_REPORT"))
    os.dup2(report, 1)
    os.close(report)
    wanted = sys.argv[1:]
    chosen = [story for story in stories if not wanted or story.__name__ in wanted]
    print(f"1..{len(chosen)}", flush=True)
    failures = 0
    for number, story in enumerate(chosen, 1):
        begun = time.monotonic()
        try:
            story(Window)
            for window in Window.opened:
                window.end()
            print(f"ok {number} {story.__name__}", flush=True)
        except Exception:
            failures += 1
            for line in traceback.format_exc().splitlines():
                print("# " + line)
            for window in Window.opened:
                window.describe()
                window.log.seek(0)
                for line in window.log.read().decode(errors="replace").splitlines():
                    print("# stint: " + line)
            print(f"not ok {number} {story.__name__}", flush=True)
        finally:
            for window in Window.opened:
                window.kill()
            Window.opened.clear()
            kill_service()
            print(f"# {story.__name__} took {time.monotonic() - begun:.1f} s", flush=True)
            shutil.rmtree(os.path.join(os.environ["XDG_STATE_HOME"], "stint"), ignore_errors=True)
            shutil.rmtree(os.path.join(os.environ["XDG_CONFIG_HOME"], "glib-2.0"), ignore_errors=True)
    sys.exit(1 if failures else 0)
