# SPDX-License-Identifier: GPL-3.0-or-later
#
# Histories to be spoilt, and what became of them.

import contextlib
import sqlite3

from harness import *


def with_history(sandbox):
    """A history with one job in it. Returns: the content of its file."""
    sandbox.finish('true').check_saved()
    with contextlib.closing(sqlite3.connect(history_file(sandbox))) as connection:
        connection.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    return history_file(sandbox).read_bytes()


def aside(sandbox, kind):
    """The databases that were moved aside as this, without what belongs to them."""
    return [path for path in (sandbox.state / 'stint').glob(f'history.db.{kind}-*')
            if not path.name.endswith(('-wal', '-shm'))]
