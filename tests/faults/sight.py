# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the user of a window process sees, by AT-SPI: the names of all that its windows show.

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'e2e'))

import atspi  # noqa: E402
from atspi import Gio  # noqa: E402
from harness import *  # noqa: E402


class Sight:
    """The windows of an App that is accessible."""

    def __init__(self, app):
        self.sandbox = app.sandbox
        # GTK 4.8 does not stand being asked for a window that is just being shown.
        wait_until(self.has_window, 'the window', interval=0.05)
        flags = Gio.DBusConnectionFlags
        session = Gio.DBusConnection.new_for_address_sync(
            self.sandbox.environment['DBUS_SESSION_BUS_ADDRESS'],
            flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
        # The end of that bus is not ours.
        session.set_exit_on_close(False)
        self.bus = atspi.connect(session)
        self.bus.set_exit_on_close(False)

    def has_window(self):
        found = subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', '^Stint( — .*)?$'],
                               env=self.sandbox.environment, stdout=subprocess.PIPE, check=False, timeout=PATIENCE)
        return found.stdout.strip()

    def nodes(self):
        try:
            windows = atspi.find_toplevels(self.bus, 'stint')
        except atspi.Gone:
            return  # the registry is only just coming
        for window in windows:
            yield from window.walk()

    def find(self, text, role=None):
        """The first that shows this text in its name and is of this role."""
        for node in self.nodes():
            try:
                if text in node.name and role in (None, node.role) and node.is_shown():
                    return node
            except atspi.Gone:
                continue
        return None

    def names(self):
        found = []
        for node in self.nodes():
            try:
                if node.name and node.is_shown():
                    found.append(node.name)
            except atspi.Gone:
                continue
        return found

    def wait(self, text, role=None):
        return wait_until(lambda: self.find(text, role), lambda: f'{text!r} to be shown; there is {self.names()}', interval=0.05)
