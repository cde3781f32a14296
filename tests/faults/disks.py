# SPDX-License-Identifier: GPL-3.0-or-later
#
# A disk that is soon full.

import os
import subprocess


class SmallDisk:
    """A file system of 1 MB. Where mounting is not permitted there is none."""

    def __init__(self, path):
        self.path = path
        self.mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=1m,mode=755', 'stint-test', str(path)],
                                      stderr=subprocess.DEVNULL, check=False).returncode == 0

    def __enter__(self):
        return self if self.mounted else None

    def __exit__(self, *_):
        if self.mounted:
            subprocess.run(['umount', '-l', str(self.path)], check=True)

    def is_full(self):
        return os.statvfs(self.path).f_bfree == 0

    def make_read_only(self):
        subprocess.run(['mount', '-o', 'remount,ro', str(self.path)], check=True)
