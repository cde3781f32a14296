# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows 25 to 27 in the window: whatever is written, it answers, stays small, and neither its title nor the
# clipboard is the program's; and the transcript is true, compressed too.

import os
import random
import re
import subprocess
import sys
import time

from apps import App
from floods import *
from harness import *
from watch import *

# It counts the jobs that have not ended.
TITLE = 'Stint( — [0-9]+ jobs?)?'
CLIPBOARD = 'what the user has copied'


class Shown:
    """An app whose terminal has been filled once, with what must stay as it is."""

    def __init__(self, sandbox):
        # The address sanitizer holds on to what was freed.
        options = filter(None, (sandbox.environment.get('ASAN_OPTIONS'), 'quarantine_size_mb=1'))
        sandbox.environment['ASAN_OPTIONS'] = ':'.join(options)
        self.sandbox = sandbox
        self.app = App(sandbox)
        self.pid = self.app.process.pid
        self.window = wait_until(lambda: find_window(sandbox), 'the window')
        set_clipboard(sandbox, CLIPBOARD)
        self.finish(self.app.start('seq 100000', '--tty'))

    def directory(self, id):
        return self.sandbox.state / 'stint' / 'jobs' / str(id)

    def finish(self, id):
        """Waits until a job has ended, all of it has been drawn, and its transcript is compressed."""
        wait_until(lambda: self.row(id)['state'] == 'finished', f'job {id} to end')
        wait_until(lambda: (self.directory(id) / 'output.zst').exists() and not (self.directory(id) / 'output').exists(),
                   f'job {id} to be compressed')
        wait_idle(self.pid)
        return self.row(id)

    def row(self, id):
        return history_rows(self.sandbox).get(id, {'state': None})

    def watch(self):
        return Watch(self.sandbox, self.pid)

    def check(self, what, watch):
        print(f'# {what}: {watch.describe()}', flush=True)
        watch.check_answered()
        check_none(watch.memory_problems(), what)
        check_none(self.face_problems(), what)

    def face_problems(self):
        """What of the window, or of the user's, is the program's."""
        clipboard, title = get_clipboard(self.sandbox), call('xdotool', self.sandbox, 'getwindowname', self.window)
        return [f'{text[:50]!r} instead of {expected!r}' for text, expected in ((clipboard, CLIPBOARD), (title, TITLE + '\n'))
                if not re.fullmatch(expected, text)]

    def end(self):
        self.app.signal(15)
        check_equal(self.app.wait(), {0}, 'exit status')
        log = self.sandbox.path('app.log').read_text()
        check('CRITICAL' not in log and 'Sanitizer' not in log and 'runtime error' not in log, log)


def call(program, sandbox, *arguments):
    """Returns: what it writes."""
    return subprocess.run([program, *arguments], env=sandbox.environment, stdout=subprocess.PIPE, timeout=PATIENCE).stdout.decode()


def find_window(sandbox):
    return call('xdotool', sandbox, 'search', '--onlyvisible', '--name', f'^{TITLE}$').strip()


def get_clipboard(sandbox):
    return call('xclip', sandbox, '-out', '-selection', 'clipboard')


def set_clipboard(sandbox, text):
    owner = sandbox.helper(['xclip', '-in', '-quiet', '-selection', 'clipboard'], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    owner.stdin.write(text.encode())
    owner.stdin.close()
    wait_until(lambda: get_clipboard(sandbox) == text, 'the clipboard')


def transcript_problems(shown, id, writer):
    """The transcript of a job that has been compressed."""
    return difference(shown.directory(id) / 'output.zst', writer, 'zstd -qdc')


def flood(sandbox, shown, writer, size):
    for name in ('begin', 'end'):
        sandbox.path(name).unlink(missing_ok=True)
    id = shown.app.start(GATE + f'stty raw -echo <&1; echo; await begin; {writer}; await end', '--tty')
    output = shown.directory(id) / 'output'
    wait_until(lambda: output.exists() and output.stat().st_size == 1, 'the first byte')
    wait_idle(shown.pid)
    with shown.watch() as watch:
        sandbox.path('begin').touch()
        wait_until_grown(lambda: output.stat().st_size, size + 1, 'bytes')
        sandbox.path('end').touch()
        row = shown.finish(id)
    check_none(row_problems(row))
    check_equal((row['reason'], row['exit_code'], row['stdout_bytes'], row['name']), ('exited', 0, size + 1, None), 'row')
    check_none(transcript_problems(shown, id, f'{{ echo; {writer}; }}'), 'the compressed transcript')
    return watch


@subtest('rows 25 and 27: floods in a visible pane')
def floods(sandbox):
    shown = Shown(sandbox)
    for name, (writer, size) in FLOODS.items():
        if size is None:
            size = len(subprocess.run(['bash', '-c', writer], stdout=subprocess.PIPE, check=True).stdout)
        shown.check(name, flood(sandbox, shown, writer, size))
    shown.end()


@subtest('row 26: random bytes in a visible pane')
def random_bytes(sandbox):
    shown = Shown(sandbox)
    sandbox.path('bytes').write_bytes(random.Random(26).randbytes(3 * MEGABYTE))
    shown.check('random bytes', flood(sandbox, shown, f'cat {sandbox.path("bytes")}', 3 * MEGABYTE))
    shown.end()


# MiB of it that are kept.
LIMIT = 2


@subtest('row 25: yes for 10 s in a visible pane, in a minimised window, in a hidden pane')
def yes(sandbox):
    shown = Shown(sandbox)
    id = shown.app.start(GATE + 'stty raw -echo <&1; yes & await end; kill $!; wait', '--tty', '--output-limit', f'{LIMIT}M')
    for what, act in (('visible', lambda: None),
                      # Without a window manager: what one does is to unmap it, and so GTK takes it.
                      ('minimised', lambda: call('xdotool', sandbox, 'windowunmap', '--sync', shown.window)),
                      ('mapped again', lambda: call('xdotool', sandbox, 'windowmap', '--sync', shown.window)),
                      ('hidden', lambda: shown.app.start('exec sleep 1000', '--tty'))):
        began = time.monotonic()
        with shown.watch() as watch:
            act()
            wait_until(lambda: time.monotonic() - began > (1 if what == 'mapped again' else 3), 'its time')
        shown.check(f'yes, {what}', watch)
    sandbox.path('end').touch()
    row = shown.finish(id)
    check_none(row_problems(row))

    # Capped, and marked: what is left is what was written, and where something is missing it is said.
    kept = row['stdout_bytes'] - row['hole_bytes'] - row['lost_bytes']
    check(row['hole_bytes'] > 0 and kept <= LIMIT * MEGABYTE, f'{kept} bytes of {row["stdout_bytes"]} were kept')
    raw = exported(sandbox, id, 'raw')
    check_equal(len(raw), kept, 'bytes in the transcript')
    check_none(yes_problems(raw.replace(b'Terminated\n', b'')), 'the transcript')
    check_equal(len([line for line in exported(sandbox, id, 'text').split(b'\n')
                     if b'removed' in line]), 1, 'marks')
    shown.end()


def exported(sandbox, id, format_name):
    return subprocess.run([sandbox.stintctl, 'export', '--format', format_name, str(id)], env=sandbox.environment,
                          stdout=subprocess.PIPE, timeout=PATIENCE, check=True).stdout


def yes_problems(data):
    """Whether it is what `yes` writes; the hole may have cut one line on each side."""
    other = data.replace(b'y\n', b'').strip(b'y\n')
    return [f'{len(other)} other bytes: {other[:50]!r}'] if other else []


# Controls

@control('I6 and the memory: a window that gives its terminal all of it at once')
def at_once(sandbox):
    app = App(sandbox, [os.environ['STINT_FEED_AT_ONCE'], str(sandbox.path('flood'))])
    wait_idle(app.process.pid)
    # What is not even drawn takes its time, and its place.
    sandbox.path('new').write_bytes(bytes(2 * MAX_GROWTH))
    sandbox.path('new').rename(sandbox.path('flood'))
    with Watch(sandbox, app.process.pid) as watch:
        wait_until(lambda: watch.answers > 50, 'answers')
        wait_idle(app.process.pid)
    print(f'# {watch.describe()}', flush=True)
    try:
        watch.check_answered()
    except TooLate:
        pass
    else:
        # On a machine that is so late itself the check lets anything pass: then what was measured has to do.
        check(watch.noise.worst > MAX_BLOCKED and watch.worst > MAX_BLOCKED, 'the main loop was not seen to be blocked')
    check_some(watch.memory_problems(), 'it has not grown')


@control('row 27: a program that takes the clipboard and the title')
def taken(sandbox):
    shown = Shown(sandbox)
    check_none(shown.face_problems())
    set_clipboard(sandbox, 'something else')
    check_some(shown.face_problems(), 'the clipboard is the same')
    set_clipboard(sandbox, CLIPBOARD)
    call('xdotool', sandbox, 'set_window', '--name', 't' * 1000, shown.window)
    check_some(shown.face_problems(), 'the title is the same')


@control('rows 25 and 26: a transcript that has lost a byte, compressed or not')
def wrong_file(sandbox):
    writer, size = FLOODS['10 M empty lines']
    path = sandbox.path('output')
    with open(path, 'wb') as file:
        subprocess.run(['bash', '-c', f'{writer} | head -c {size - 1}'], stdout=file, check=True)
    check_some(difference(path, writer), 'the file is the same')
    subprocess.run(['zstd', '-q', path], check=True)
    check_some(difference(f'{path}.zst', writer, 'zstd -qdc'), 'the compressed file is the same')
    check_some(yes_problems(b'y\n' * 100 + b'x' + b'y\n' * 100), 'another byte is not seen')


if __name__ == '__main__':
    sys.exit(main())
