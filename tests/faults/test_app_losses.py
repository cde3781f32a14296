# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 28 and 31 in the window: a place where nothing can be kept, and a history that cannot be used. The job goes on,
# the window answers, nothing that was there is overwritten, and the user is told in the window itself.

import contextlib
import errno
import os
import resource
import shutil
import signal
import sqlite3
import sys

from apps import App
from disks import SmallDisk
from harness import *
from histories import *
from sight import Sight
from watch import MEGABYTE, Watch

WRITTEN = 4000000
FLOOD = f'head -c {WRITTEN} /dev/zero | tr "\\0" x; exit 3'
LINE = 'echo ready; exit 3'
NOT_KEPT = 'This job is not kept in the history: '


class Seen:
    """An app, what of it is seen, and that it answers (I6)."""

    def __init__(self, sandbox, **options):
        self.sandbox = sandbox
        self.app = App(sandbox, accessible=True, **options)
        self.sight = Sight(self.app)

    def run(self, line, loss=None):
        """Runs a job to its end, which is shown. Returns: its id."""
        with Watch(self.sandbox, self.app.process.pid) as watch:
            id = self.app.start(line)
            if loss is not None:
                loss(id)
            self.sight.wait('Exited with code 3 after', 'label')
        watch.check_answered()
        return id

    def see_problem(self, text):
        """Waits for a toast, and that its details say so."""
        self.sight.wait('The history has a problem', 'label')
        wait_until(lambda: (button := self.sight.find('Details', 'button')) and button.act(), 'the button')
        self.sight.wait(text)

    def end(self, status=0):
        self.app.signal(signal.SIGTERM)
        statuses, log = self.app.wait(), self.app.last_words()
        check(statuses == {status}, f'exit status {statuses}, and it says: {log}')
        check('CRITICAL' not in log and 'Sanitizer' not in log and 'runtime error' not in log, log)
        self.app.end_bus()


# Row 28

def loss_problems(seen, id, lost, code):
    """Whether row, job bar and pane say that @lost bytes (None: any) are not there, and why."""
    row = history_rows(seen.sandbox).get(id)
    problems = row_problems(row)
    if not problems and (row['lost_bytes'] == 0 or lost is not None and row['lost_bytes'] != lost):
        problems.append(f'{row["lost_bytes"]} bytes are lost in the row')
    if not problems and row['store_error'] != code:
        problems.append(f'the error of the row is {row["store_error"]}')
    names = seen.sight.names()
    if not any('Exited with code 3' in name and 'of output could not be stored' in name for name in names):
        problems.append('the state does not say so')
    if not any(name.endswith('of output could not be stored: ' + os.strerror(code)) for name in names):
        problems.append('the window does not say why')
    return problems


@subtest('row 28, the window: a full disk')
def disk_full(sandbox):
    sandbox.environment['STINT_KEEPER'] = str(without('room'))
    seen = Seen(sandbox)
    id = seen.run(FLOOD)
    check_none(loss_problems(seen, id, WRITTEN - MEGABYTE, errno.ENOSPC))
    seen.end()


def remove_meanwhile(seen, target):
    """Returns: the id of a job that has lost its place."""
    directory = seen.sandbox.state / 'stint' / 'jobs'

    def lose(id):
        seen.app.wait_ready()
        if target == 'directory':
            shutil.rmtree(directory / str(id))
        else:
            (directory / str(id) / target).unlink()
        seen.sandbox.path('go').touch()
    return seen.run('echo ready; while [ ! -e "$D/go" ]; do sleep 0.05; done; echo on; exit 3', lose)


for target in ('output', 'directory'):
    @subtest(f'row 28, the window: the {target} is removed under a running job')
    def removed(sandbox, target=target):
        seen = Seen(sandbox)
        check_none(loss_problems(seen, remove_meanwhile(seen, target), 9, errno.ENOENT))
        seen.end()


@control('row 28, the window: a keeper that does not look at the end whether the transcript is there')
def removal_not_noticed(sandbox):
    sandbox.environment['STINT_KEEPER'] = str(without('finish'))
    seen = Seen(sandbox)
    check_some(loss_problems(seen, remove_meanwhile(seen, 'directory'), 9, errno.ENOENT), 'the loss was told')
    seen.end()


@contextlib.contextmanager
def read_only(directory):
    """Nothing can be made in it: by its mode, or for root, by how it is mounted."""
    if os.geteuid() == 0:
        with SmallDisk(directory) as disk:
            check(disk is not None, 'nothing can be mounted')
            disk.make_read_only()
            yield
    else:
        directory.chmod(0o555)
        yield
        directory.chmod(0o755)


@subtest('row 28, the window: a state directory that cannot be written to')
def read_only_state(sandbox):
    with read_only(sandbox.state):
        seen = Seen(sandbox)
        seen.run(LINE)
        seen.sight.wait(NOT_KEPT)
        # What could not be saved is told at the end too.
        seen.end(status=1)
        check_none(list(map(str, sandbox.state.iterdir())), 'made')


# Row 31

def check_begun_anew(sandbox, kind, before):
    """The app starts, tells, moves the history aside as it is, and keeps what runs in a new one."""
    seen = Seen(sandbox)
    seen.see_problem('It was moved to')
    id = seen.run(LINE)
    check_none(row_problems(history_rows(sandbox)[id]), 'row')
    moved, = aside(sandbox, kind)
    check(moved.read_bytes() == before, 'what was moved aside is not what was there')
    seen.end()
    # Of the job in it the directory is left.
    sandbox.checks_history = False


@subtest('row 31, the window: the history is damaged')
def damaged_history(sandbox):
    with_history(sandbox)
    damaged = b'not a database at all\n' * 1000
    history_file(sandbox).write_bytes(damaged)
    check_begun_anew(sandbox, 'damaged', damaged)


@subtest('row 31, the window: the history is from a newer version')
def newer_history(sandbox):
    with_history(sandbox)
    with contextlib.closing(sqlite3.connect(history_file(sandbox))) as connection:
        connection.execute('PRAGMA user_version = 1000')
        connection.execute('PRAGMA wal_checkpoint(TRUNCATE)')
    check_begun_anew(sandbox, 'newer', history_file(sandbox).read_bytes())


@subtest('row 31, the window: the history is locked')
def locked_history(sandbox):
    with_history(sandbox)
    with contextlib.closing(sqlite3.connect(history_file(sandbox), isolation_level=None)) as connection:
        connection.execute('BEGIN EXCLUSIVE')
        seen = Seen(sandbox)
        seen.run(LINE)
        seen.sight.wait(NOT_KEPT)
        check(seen.sight.find('another program keeps it locked'), 'it is not told why')
        connection.execute('ROLLBACK')
    check_equal(len(history_rows(sandbox)), 1, 'rows')
    check(not aside(sandbox, 'damaged'), 'it was moved aside')
    # From then on all is kept.
    id = seen.app.start(LINE)
    wait_until(lambda: history_rows(sandbox).get(id, {}).get('state') == 'finished', 'the next job in the history')
    # One of them was not saved.
    seen.end(status=1)


@subtest('row 31, the window: the disk is full')
def full_disk(sandbox):
    before = with_history(sandbox)
    # No file may be longer than this, so that what a row takes does not fit in, and what starts a job does.
    seen = Seen(sandbox, preexec_fn=lambda: (
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))))
    seen.run(LINE)
    seen.sight.wait(NOT_KEPT)
    seen.end(status=1)
    check_equal(history_file(sandbox).read_bytes(), before, 'the database')


@control('rows 28 and 31, the window: a sound history has nothing to say')
def sound_history(sandbox):
    with_history(sandbox)
    seen = Seen(sandbox)
    id = seen.run(LINE)
    check_some(loss_problems(seen, id, None, errno.ENOSPC), 'a loss was told')
    for text in (NOT_KEPT, 'The history has a problem'):
        check(seen.sight.find(text) is None, f'{text} is shown')
    check(not aside(sandbox, 'damaged') + aside(sandbox, 'newer'), 'it was moved aside')
    seen.end()


if __name__ == '__main__':
    sys.exit(main())
