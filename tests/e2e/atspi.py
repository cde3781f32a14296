# SPDX-License-Identifier: GPL-3.0-or-later
"""A little of AT-SPI, asked for directly over D-Bus.

libatspi keeps a cache of the tree that GTK 4.8 does not keep true, and crashes when it is cleared under
its feet. Nothing is kept here: each look is a fresh one.
"""

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

ACCESSIBLE = "org.a11y.atspi.Accessible"
BUSY, CHECKED, SENSITIVE, VISIBLE, FOCUSED, SELECTED, INVALID_ENTRY = 3, 4, 24, 30, 12, 23, 36
WINDOW_COORDINATES = 1
CALL_MSEC = 5000


class Gone(Exception):
    """What is looked at is no longer there."""


def connect(session=None):
    """The bus of the accessible, as a session bus knows it: this process's own, if no other is given."""
    session = session or Gio.bus_get_sync(Gio.BusType.SESSION, None)
    address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                Gio.DBusCallFlags.NONE, CALL_MSEC, None).unpack()[0]
    return Gio.DBusConnection.new_for_address_sync(
        address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
        None, None)


class Node:
    """An accessible object: a widget, a window, an application."""

    def __init__(self, bus, owner, path):
        self.bus = bus
        self.owner = owner
        self.path = path

    def call(self, interface, method, parameters=None):
        try:
            reply = self.bus.call_sync(self.owner, self.path, interface, method, parameters, None,
                                       Gio.DBusCallFlags.NO_AUTO_START, CALL_MSEC, None)
        except GLib.Error as error:
            raise Gone(str(error)) from None
        return reply.unpack()

    def get(self, name):
        return self.call("org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (ACCESSIBLE, name)))[0]

    @property
    def name(self):
        return self.get("Name")

    @property
    def description(self):
        return self.get("Description")

    @property
    def role(self):
        return self.call(ACCESSIBLE, "GetRoleName")[0]

    def children(self):
        return [Node(self.bus, owner, path) for owner, path in self.call(ACCESSIBLE, "GetChildren")[0]
                if path != "/org/a11y/atspi/null"]

    def walk(self):
        yield self
        try:
            children = self.children()
        except Gone:
            return
        for child in children:
            yield from child.walk()

    def has_state(self, state):
        words = self.call(ACCESSIBLE, "GetState")[0]
        return bool(words[state // 32] >> (state % 32) & 1)

    def is_shown(self):
        if not self.has_state(VISIBLE):
            return False
        _, _, width, height = self.extents()
        return width > 0 and height > 0

    def extents(self):
        """Left, top, width and height in the window."""
        return self.call("org.a11y.atspi.Component", "GetExtents", GLib.Variant("(u)", (WINDOW_COORDINATES,)))[0]

    def act(self):
        return self.call("org.a11y.atspi.Action", "DoAction", GLib.Variant("(i)", (0,)))[0]

    def write(self, text):
        return self.call("org.a11y.atspi.EditableText", "SetTextContents", GLib.Variant("(s)", (text,)))[0]

    def read(self):
        length = self.call("org.freedesktop.DBus.Properties", "Get",
                           GLib.Variant("(ss)", ("org.a11y.atspi.Text", "CharacterCount")))[0]
        return self.call("org.a11y.atspi.Text", "GetText", GLib.Variant("(ii)", (0, length)))[0]


def find_toplevels(bus, application):
    """The windows of all applications of this name."""
    found = []
    for child in Node(bus, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root").children():
        try:
            if child.name == application:
                found += child.children()
        except Gone:
            continue
    return found
