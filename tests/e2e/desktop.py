# SPDX-License-Identifier: GPL-3.0-or-later
"""A desktop for the stories: its notifications and its session, on the session bus.

Run as a program it owns the names, writes what it is asked for as an object a line, and does what it
reads: `invoke ID ACTION` of a notification, and `end` of the session.
"""

import json
import os
import subprocess
import sys
import threading

NOTIFICATIONS = """<node><interface name='org.freedesktop.Notifications'>
<method name='GetCapabilities'><arg type='as' direction='out'/></method>
<method name='GetServerInformation'><arg type='s' direction='out'/><arg type='s' direction='out'/>
<arg type='s' direction='out'/><arg type='s' direction='out'/></method>
<method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>
<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>
<arg type='a{sv}' direction='in'/><arg type='i' direction='in'/><arg type='u' direction='out'/></method>
<method name='CloseNotification'><arg type='u' direction='in'/></method>
<signal name='ActionInvoked'><arg type='u'/><arg type='s'/></signal>
</interface></node>"""

SESSION = """<node><interface name='org.gnome.SessionManager'>
<method name='RegisterClient'><arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='o' direction='out'/></method>
<method name='UnregisterClient'><arg type='o' direction='in'/></method>
<method name='Inhibit'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>
<arg type='u' direction='in'/><arg type='u' direction='out'/></method>
<method name='Uninhibit'><arg type='u' direction='in'/></method>
</interface></node>"""

CLIENT = """<node><interface name='org.gnome.SessionManager.ClientPrivate'>
<method name='EndSessionResponse'><arg type='b' direction='in'/><arg type='s' direction='in'/></method>
<signal name='QueryEndSession'><arg type='u'/></signal>
<signal name='EndSession'><arg type='u'/></signal>
</interface></node>"""

CLIENT_PATH = "/org/gnome/SessionManager/Client1"


class Desktop:
    """The same, for a story: starts the program and looks at what it wrote."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)
        self.events = []
        assert self.process.stdout.readline() == '{"event": "ready"}\n'
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.events.append(json.loads(line))

    def find(self, event, part=""):
        """The last event of this name with this text somewhere in it, or None."""
        return next((found for found in reversed(list(self.events))
                     if found["event"] == event and part in json.dumps(found, ensure_ascii=False)), None)

    def tell(self, line):
        self.process.stdin.write(line + "\n")

    def close(self):
        self.process.terminate()
        self.process.wait()


def main():
    from gi.repository import Gio, GLib

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    loop = GLib.MainLoop()
    numbers = iter(range(1, 1000000))
    owned = []

    def tell(event, **values):
        print(json.dumps({"event": event, **values}, ensure_ascii=False), flush=True)

    def on_call(_bus, _sender, _path, _interface, method, parameters, invocation):
        values = parameters.unpack()
        answer = None
        if method == "Notify":
            number = values[1] or next(numbers)
            tell("notify", id=number, title=values[3], body=values[4], actions=values[5])
            answer = GLib.Variant("(u)", (number,))
        elif method == "CloseNotification":
            tell("close", id=values[0])
        elif method == "GetCapabilities":
            answer = GLib.Variant("(as)", (["actions", "body", "persistence"],))
        elif method == "GetServerInformation":
            answer = GLib.Variant("(ssss)", ("test", "", "1", "1.2"))
        elif method == "RegisterClient":
            answer = GLib.Variant("(o)", (CLIENT_PATH,))
        elif method == "Inhibit":
            number = next(numbers)
            tell("inhibit", id=number, reason=values[2], flags=values[3])
            answer = GLib.Variant("(u)", (number,))
        elif method == "Uninhibit":
            tell("uninhibit", id=values[0])
        elif method == "EndSessionResponse":
            tell("response", ok=values[0])
        invocation.return_value(answer)

    def on_input(_channel, condition):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        words = line.split(None, 2)
        if words[0] == "invoke":
            bus.emit_signal(None, "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked",
                            GLib.Variant("(us)", (int(words[1]), words[2].strip())))
        elif words[0] == "query":
            bus.emit_signal(None, CLIENT_PATH, "org.gnome.SessionManager.ClientPrivate", "QueryEndSession",
                            GLib.Variant("(u)", (0,)))
        elif words[0] == "end":
            bus.emit_signal(None, CLIENT_PATH, "org.gnome.SessionManager.ClientPrivate", "EndSession",
                            GLib.Variant("(u)", (0,)))
        return True

    def on_name(_bus, name):
        owned.append(name)
        if len(owned) == 2:
            tell("ready")

    for xml, path in ((NOTIFICATIONS, "/org/freedesktop/Notifications"), (SESSION, "/org/gnome/SessionManager"),
                      (CLIENT, CLIENT_PATH)):
        bus.register_object(path, Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], on_call, None, None)
    for name in ("org.freedesktop.Notifications", "org.gnome.SessionManager"):
        Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, on_name, None)
    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP,
                      on_input)
    loop.run()


if __name__ == "__main__":
    main()
