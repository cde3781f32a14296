# SPDX-License-Identifier: GPL-3.0-or-later
#
# The window process as a host of jobs: `stint --foreground` on a display and a bus of its own.

import os
import re
import signal
import subprocess

from harness import *
from hosts import GRACE

NAME = 'io.github.stint.Stint'


def beginning_of(path):
    try:
        with open(path, 'rb') as file:
            return file.read(1 << 20)
    except FileNotFoundError:
        return b''


class App:
    """A host of jobs: one window process."""

    name = 'the app'

    def __init__(self, sandbox, program=None, *, accessible=False, **options):
        """The @options are those of its process. One that is @accessible can be looked at: see sight.py."""
        self.sandbox = sandbox
        self.program = program or [os.environ['STINT_STINT'], '--foreground']
        self.options = options
        self.jobs = []
        display, _ = self.first_line(['Xvfb', '-displayfd', '1', '-screen', '0', '1024x768x24', '-nolisten', 'tcp', '-noreset'])
        sandbox.environment |= {'DISPLAY': f':{display}', 'GDK_BACKEND': 'x11', 'GSK_RENDERER': 'cairo',
                                'GTK_A11Y': 'atspi' if accessible else 'none',
                                'GSETTINGS_SCHEMA_DIR': os.environ['GSETTINGS_SCHEMA_DIR'],
                                'GSETTINGS_BACKEND': 'memory', 'XDG_DATA_DIRS': '/usr/local/share:/usr/share'}
        sandbox.environment['DBUS_SESSION_BUS_ADDRESS'], self.bus = self.first_line(
            ['dbus-daemon', '--session', '--nofork', '--nopidfile', '--print-address=1'])
        self.begin()

    def first_line(self, arguments):
        helper = self.sandbox.helper(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = helper.stdout.readline().decode().strip()
        helper.stdout.close()
        check(line, f'{arguments[0]} does not start')
        return line, helper

    def begin(self):
        with open(self.sandbox.path('app.log'), 'ab') as log:
            self.process = self.sandbox.helper(self.program, stdout=log, stderr=log, **self.options)
        # A client that does not find the window process starts one of its own.
        wait_until(lambda: self.has_name() or self.process.poll() is not None, 'the window process', interval=0.05)
        check(self.process.poll() is None, lambda: 'the app ended: ' + self.sandbox.path('app.log').read_text())

    def has_name(self):
        reply = subprocess.run(['dbus-send', '--session', '--print-reply', '--dest=org.freedesktop.DBus', '/',
                                'org.freedesktop.DBus.NameHasOwner', f'string:{NAME}'], env=self.sandbox.environment,
                               stdout=subprocess.PIPE, check=True, timeout=PATIENCE)
        return b'true' in reply.stdout

    def start(self, line, *options):
        options = options or ('--grace', f'{GRACE}s')
        # By default a job gives way to all else: on a busy machine it might not get to its last word within a grace.
        client = self.sandbox.helper([os.environ['STINT_STINT'], '--kind', 'shell', '--nice', '0', *options, '--shell', line],
                                     stdout=subprocess.PIPE, cwd=self.sandbox.directory)
        text = client.communicate(timeout=PATIENCE)[0].decode()
        check(re.fullmatch(r'\d+\n', text),
              lambda: f'the client says {text!r}, and the app: ' + self.sandbox.path('app.log').read_text())
        self.jobs.append(int(text))
        return self.jobs[-1]

    def wait_ready(self):
        for id in self.jobs:
            output = self.sandbox.state / 'stint' / 'jobs' / str(id) / 'output'
            # What has been compressed by now was ready.
            wait_until(lambda: output.with_suffix('.zst').exists() or
                       b'ready' in beginning_of(output), f'job {id} to be ready')

    def pids(self):
        return [self.process.pid]

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self):
        try:
            return {self.process.wait(PATIENCE)}
        except subprocess.TimeoutExpired:
            raise Failure(f'the app does not end: {describe(descendants_of(self.process.pid))}') from None

    def end_bus(self):
        """With the session bus end those that it has started, of AT-SPI."""
        self.bus.terminate()

    def last_words(self):
        return self.sandbox.path('app.log').read_text()[-2000:]

    def exit_statuses(self, number):
        # Asked to end, it ended: as when its window is closed.
        return {0}

    def recover(self):
        """The next start, of the app itself."""
        before = [row for row in history_rows(self.sandbox).values() if row['state'] == 'running']
        self.begin()
        wait_until(lambda: all(row['state'] == 'finished' for row in history_rows(self.sandbox).values()), 'the rows')
        self.signal(signal.SIGTERM)
        self.wait()
        return len(before)
