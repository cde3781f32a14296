# SPDX-License-Identifier: GPL-3.0-or-later
#
# I6, from outside: whether a window process answers all the time, and how much memory it holds.

import pathlib
import threading
import time

import gi

gi.require_version('Gio', '2.0')
from gi.repository import Gio, GLib  # noqa: E402

from harness import *

MEGABYTE = 1 << 20
NAME = 'io.github.stint.Stint'
INTERVAL = 0.01

# The sanitizers make what is Stint's own so much slower, and larger.
MAX_BLOCKED = 0.1 * (3 if SANITIZED else 1)
MAX_GROWTH = 32 * MEGABYTE * (4 if SANITIZED else 1)


def held_memory(pid):
    """Anonymous memory: files that are mapped do not count."""
    for line in pathlib.Path(f'/proc/{pid}/status').read_text().splitlines():
        if line.startswith('RssAnon:'):
            return int(line.split()[1]) * 1024
    raise Failure(f'{pid} has no memory')


def held_up(pid):
    """For how many seconds its main thread was ready to run, and somebody else ran."""
    try:
        return int(pathlib.Path(f'/proc/{pid}/task/{pid}/schedstat').read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def used_time(pid):
    return sum(map(int, pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()[11:13]))


def wait_idle(pid):
    """Waits until it has done all it had to do: it uses no processor time for a while."""
    last, since = -1, time.monotonic()

    def is_idle():
        nonlocal last, since
        now = used_time(pid)
        if now > last + 1:
            last, since = now, time.monotonic()
        return time.monotonic() - since > 0.3
    wait_until(is_idle, 'the window to be at rest', interval=0.03)


class Watch(threading.Thread):
    """Asks for a property, which only the main loop can answer, again and again."""

    def __init__(self, sandbox, pid):
        super().__init__(daemon=True)
        self.pid = pid
        self.noise = Noise()
        self.ended = threading.Event()
        self.worst = 0.0
        self.answers = 0
        self.before = self.peak = held_memory(pid)
        self.bus = Gio.DBusConnection.new_for_address_sync(
            sandbox.environment['DBUS_SESSION_BUS_ADDRESS'],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        # Ping and Introspect would be answered by GDBus's own thread.
        self.parameters = GLib.Variant('(ss)', ('org.gtk.Application', 'Busy'))

    def ask(self):
        self.bus.call_sync(NAME, '/' + NAME.replace('.', '/'), 'org.freedesktop.DBus.Properties', 'Get', self.parameters,
                           None, Gio.DBusCallFlags.NO_AUTO_START, PATIENCE * 1000, None)

    def run(self):
        while not self.ended.is_set():
            before, delay = time.monotonic(), held_up(self.pid)
            try:
                self.ask()
            except GLib.Error:
                return
            took = time.monotonic() - before
            self.worst = max(self.worst, took - (held_up(self.pid) - delay))
            self.answers += 1
            if self.answers % 5 == 0:
                self.peak = max(self.peak, held_memory(self.pid))
            time.sleep(max(0.0, INTERVAL - took))

    def __enter__(self):
        self.noise.__enter__()
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join(PATIENCE)
        self.noise.__exit__()
        self.peak = max(self.peak, held_memory(self.pid))
        self.bus.close_sync(None)

    def check_answered(self):
        """I6. On a busy machine it is late."""
        check(self.answers > 5, f'{self.answers} answers')
        check_time(self.worst, self.noise.allow(MAX_BLOCKED), 'the main loop was blocked')

    def memory_problems(self):
        grown = self.peak - self.before
        return [f'the window has grown by {grown} bytes'] if grown > MAX_GROWTH else []

    def describe(self):
        return (f'{self.answers} answers, the worst after {self.worst * 1000:.0f} ms, the machine late by '
                f'{self.noise.worst * 1000:.0f} ms, {(self.peak - self.before) / MEGABYTE:.1f} MiB more')
