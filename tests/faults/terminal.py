# SPDX-License-Identifier: GPL-3.0-or-later
#
# A terminal that a program runs at, seen from the side of who types: the master of a pty.

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import threading

from harness import *


class TerminalReader(threading.Thread):
    """Takes what a terminal shows, until it is told to stop: a read that waits would hold the terminal open."""

    def __init__(self, fd):
        super().__init__(daemon=True)
        self.fd = fd
        self.data = bytearray()
        self.wake_read, self.wake_write = os.pipe()
        self.start()

    def run(self):
        while True:
            ready = select.select([self.fd, self.wake_read], [], [])[0]
            if self.wake_read in ready:
                return
            try:
                self.data += os.read(self.fd, 65536)
            except OSError:
                return

    def stop(self):
        os.write(self.wake_write, b'x')
        self.join()


class Terminal:
    """Runs @arguments as the leader of a session on a new terminal."""

    def __init__(self, sandbox, arguments, *, environment=None, size=(24, 80), separate=(), **options):
        self.master, self.slave = pty.openpty()
        self.resize(*size)
        streams = {name: self.slave for name in ('stdin', 'stdout', 'stderr')}
        streams.update(separate)
        self.process = sandbox.helper(arguments, env=sandbox.environment | (environment or {}), start_new_session=True,
                                      preexec_fn=lambda: fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0),
                                      cwd=sandbox.directory, **streams, **options)
        self.reader = TerminalReader(self.master)
        self.seen = 0

    @property
    def pid(self):
        return self.process.pid

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def type(self, text):
        data = text.encode()
        while data:
            data = data[os.write(self.master, data):]

    def output(self):
        return bytes(self.reader.data[self.seen:]).decode(errors='replace').replace('\r\n', '\n')

    def clear(self):
        """What has been written so far is not looked at any more."""
        self.seen = len(self.reader.data)

    def wait(self, text, count=1, timeout=None):
        wait_until(lambda: self.output().count(text) >= count,
                   lambda: f'{text!r} {count} times, and there is {self.output()[-300:]!r}', timeout=timeout)

    def attributes(self):
        return termios.tcgetattr(self.slave)

    def is_raw(self):
        return not self.attributes()[3] & (termios.ICANON | termios.ECHO | termios.ISIG)

    def wait_raw(self, raw):
        wait_until(lambda: self.is_raw() == raw, f'raw mode to be {raw}')

    def foreground_name(self):
        process = read_process(os.tcgetpgrp(self.master))
        return process.name if process is not None else None

    def finish(self):
        """Returns: the exit status."""
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure(f'it does not end: {self.output()[-300:]!r}') from None

    def hang_up(self):
        """As when a terminal's window is closed."""
        self.reader.stop()
        os.close(self.slave)
        os.close(self.master)
