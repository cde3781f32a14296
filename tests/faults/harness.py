# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the fault matrix and the command line's tests share: TAP, a hermetic sandbox for each subtest, jobs
# that run under the real stintctl, and the invariants that hold after every one of them:
#
#   I1  no process of the job is left         left_processes()
#   I2  no zombie child of anything of ours   zombies_of()
#   I5  the result is complete and saved      result_problems(), row_problems(), history_problems()
#
# The checks return what is wrong as a list of strings; each is seen to return something in a control.
# This process is a child subreaper, so that nothing a job leaves behind can hide: it becomes our child.

import collections
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback

SANITIZED = os.environ.get('STINT_TEST_SANITIZED') == '1'

# How much longer things may take than on an idle machine before a test gives up.
PATIENCE = 120 if SANITIZED else 60

PR_SET_CHILD_SUBREAPER = 36
libc = ctypes.CDLL(None, use_errno=True)


class Failure(Exception):
    pass


class TooLate(Failure):
    """Something took longer than it may. On a machine that is busy with other things this says little: the subtest is
    run again, and fails if it is too late every time. What does not work at all is."""


def check(condition, message='a condition does not hold'):
    if not condition:
        raise Failure(message() if callable(message) else message)


def check_equal(actual, expected, what=''):
    if actual != expected:
        raise Failure(f'{what}: {actual!r} instead of {expected!r}')


def check_none(problems, what=''):
    if problems:
        raise Failure(f'{what}: ' + '; '.join(problems))


def check_time(seconds, at_most, what):
    if seconds > at_most:
        raise TooLate(f'{what}: {seconds:.3f} s, more than {at_most:.3f} s')


def check_some(problems, what=''):
    """For controls: the check must have found something."""
    if not problems:
        raise Failure(f'the control was not seen to fail: {what}')


def wait_until(condition, what='a condition', timeout=None, interval=0.01):
    """Looks again until it holds. Returns what the condition returned."""
    deadline = time.monotonic() + (timeout or PATIENCE)
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Failure(f'waited in vain for {what() if callable(what) else what}')
        time.sleep(interval)


def wait_until_grown(measure, size, what):
    """Waits until measure() is size or more, for as long as it grows: a job gives way to all else on a busy machine."""
    last, since = measure(), time.monotonic()
    while last < size:
        if time.monotonic() - since > PATIENCE:
            raise Failure(f'waited in vain for {what}: {last} of {size}')
        time.sleep(0.05)
        now = measure()
        if now > last:
            last, since = now, time.monotonic()


# Processes

Process = collections.namedtuple('Process', 'pid parent state group session start name')


def read_process(pid):
    try:
        text = pathlib.Path(f'/proc/{pid}/stat').read_text(errors='replace')
    except OSError:
        return None
    name, rest = text[text.index('(') + 1:text.rindex(')')], text[text.rindex(')') + 2:].split()
    return Process(int(pid), int(rest[1]), rest[0], int(rest[2]), int(rest[3]), int(rest[19]), name)


def all_processes():
    found = (read_process(name) for name in os.listdir('/proc') if name.isdigit())
    return {process.pid: process for process in found if process is not None}


def is_alive(pid):
    process = read_process(pid)
    return process is not None and process.state not in 'ZX'


def descendants_of(root, processes=None):
    processes = processes if processes is not None else all_processes()
    children = collections.defaultdict(list)
    for process in processes.values():
        children[process.parent].append(process)
    found, queue = [], [root]
    while queue:
        for process in children[queue.pop()]:
            found.append(process)
            queue.append(process.pid)
    return found


def executable_of(pid):
    try:
        return os.readlink(f'/proc/{pid}/exe')
    except OSError:
        return ''


def has_in_environment(pid, text):
    try:
        return text.encode() in pathlib.Path(f'/proc/{pid}/environ').read_bytes().split(b'\0')
    except OSError:
        return False


def describe(processes):
    return [f'{process.name} ({process.pid}, {process.state})' for process in processes]


def left_processes(sandbox, keepers=True):
    """I1: what is alive of all that the sandbox started, by descent or by the token in its environment."""
    processes = all_processes()
    found = {p.pid: p for p in descendants_of(os.getpid(), processes)}
    for process in processes.values():
        if has_in_environment(process.pid, sandbox.token_variable):
            found[process.pid] = process
    found = [p for p in found.values()
             if p.state not in 'ZX' and p.pid not in sandbox.own_pids() and p.pid != os.getpid()]
    if not keepers:
        found = [p for p in found if not is_keeper(p.pid, sandbox)]
    return describe(found)


def is_keeper(pid, sandbox):
    executable = executable_of(pid)
    process = read_process(pid)
    # Of a process that is just exiting only the name is left.
    return executable.startswith(str(sandbox.directory)) or os.path.basename(executable) in KEEPER_NAMES or \
        process is None or process.name in KEEPER_NAMES or process.name.startswith('keeper-without')


KEEPER_NAMES = ('stint-keeper', 'stintctl', 'stint')


def zombies_of(parents):
    """I2: processes that have ended and that one of @parents, which lives, has not reaped."""
    return describe([p for p in all_processes().values() if p.state == 'Z' and p.parent in parents])


def keepers_of(pid):
    """The warden and the worker of a stintctl that runs one job: (None, None) before they are there."""
    warden = next((p for p in all_processes().values() if p.parent == pid), None)
    if warden is None:
        return None, None
    worker = next((p for p in all_processes().values()
                   if p.parent == warden.pid and executable_of(p.pid) == executable_of(warden.pid)), None)
    return warden.pid, worker.pid if worker is not None else None


def freeze(warden, worker):
    """Stops both halves of a keeper: the warden first, which does not let the worker stand still."""
    for pid in (warden, worker):
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: read_process(pid).state == 'T', 'the keeper to stand still')


def thaw(warden, worker):
    for pid in (worker, warden):
        if is_alive(pid):
            os.kill(pid, signal.SIGCONT)


# Results

NUMBER, TEXT, BOOL, LIST = int, str, bool, list
RESULT_FIELDS = {
    'id': (NUMBER,), 'name': (TEXT, None), 'kind': (TEXT,), 'argv': (LIST,), 'cwd': (TEXT,),
    'startedAt': (TEXT, None), 'durationMs': (NUMBER,), 'reason': (TEXT,), 'exitCode': (NUMBER, None),
    'signal': (TEXT, None), 'escalated': (BOOL,), 'leftovers': (NUMBER,), 'survivors': (LIST,),
    'stdout': (TEXT,), 'stderr': (TEXT, None), 'stdoutBytes': (NUMBER,), 'stderrBytes': (NUMBER,),
    'truncated': (BOOL,), 'cpuMs': (NUMBER,), 'maxRssBytes': (NUMBER,), 'transcript': (TEXT, None),
    'error': (TEXT, None),
}
REASONS = ('exited', 'signaled', 'timeout', 'idle-timeout', 'terminated', 'killed', 'cancelled', 'failed',
           'interrupted')


def result_problems(result):
    """I5, the first half: the result object is whole and does not contradict itself."""
    if not isinstance(result, dict):
        return [f'the result is {type(result).__name__}, not an object']
    problems = [f'{name} is missing' for name in RESULT_FIELDS if name not in result]
    problems += [f'{name} is not in the contract' for name in result if name not in RESULT_FIELDS]
    if problems:
        return problems
    for name, types in RESULT_FIELDS.items():
        value = result[name]
        if not any(value is None if kind is None else type(value) is kind for kind in types):
            problems.append(f'{name} is {value!r}')
    if problems:
        return problems
    if result['exitCode'] is not None and result['signal'] is not None:
        problems.append('there are an exit code and a signal')
    if result['reason'] not in REASONS:
        problems.append(f'the reason is {result["reason"]}')
    if result['reason'] in ('exited', 'timeout', 'idle-timeout', 'terminated', 'killed') and \
            result['exitCode'] is None and result['signal'] is None:
        problems.append('there is neither an exit code nor a signal')
    if result['reason'] == 'exited' and result['exitCode'] is None:
        problems.append('exited without a code')
    if result['reason'] == 'signaled' and result['signal'] is None:
        problems.append('signaled without a signal')
    if result['reason'] == 'failed' and (result['error'] is None or result['exitCode'] is not None):
        problems.append('failed without a reason, or with an exit code')
    if result['startedAt'] is not None and \
            not re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z', result['startedAt']):
        problems.append(f'startedAt is {result["startedAt"]}')
    if result['transcript'] is not None and not os.path.isfile(result['transcript']):
        problems.append('the transcript is not there')
    problems += [f'a survivor is {entry!r}' for entry in result['survivors']
                 if set(entry) != {'pid', 'name'}]
    problems += [f'{name} is negative' for name in ('durationMs', 'leftovers', 'stdoutBytes', 'stderrBytes',
                                                    'cpuMs', 'maxRssBytes') if result[name] < 0]
    return problems


def history_file(sandbox):
    return sandbox.state / 'stint' / 'history.db'


def history_rows(sandbox):
    if not history_file(sandbox).exists():
        return {}
    connection = sqlite3.connect(history_file(sandbox), timeout=30)
    try:
        connection.row_factory = sqlite3.Row
        # Until its first writer has made the table there are no rows.
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'jobs'").fetchall():
            return {}
        return {row['id']: dict(row) for row in connection.execute('SELECT * FROM jobs')}
    finally:
        connection.close()


def row_problems(row, result=None):
    """I5, the second half: the row says how the job ended, and the same as the result object."""
    if row is None:
        return ['there is no row']
    problems = []
    if row['state'] != 'finished':
        return [f'the row says {row["state"]}']
    if row['reason'] not in REASONS:
        problems.append(f'the reason of the row is {row["reason"]}')
    for name in ('kind', 'command', 'spec', 'created_at', 'escalated', 'leftovers', 'cpu_time', 'max_rss',
                 'stdout_bytes', 'stderr_bytes', 'lost_bytes', 'hole_bytes', 'duration'):
        if row[name] is None:
            problems.append(f'{name} of the row is NULL')
    if row['reason'] in ('exited', 'signaled') and row['exit_code'] is None and row['signal'] is None:
        problems.append('the row has neither an exit code nor a signal')
    if row['reason'] not in ('failed', 'cancelled', 'terminated') and row['started_at'] is None:
        problems.append('the row does not say when it started')
    if result is not None:
        name = f'SIG{signal_abbreviation(row["signal"])}' if row['signal'] else None
        pairs = [('reason', row['reason'], result['reason']), ('exit code', row['exit_code'], result['exitCode']),
                 ('signal', name, result['signal']), ('escalated', bool(row['escalated']), result['escalated']),
                 ('leftovers', row['leftovers'], result['leftovers']),
                 ('stdout bytes', row['stdout_bytes'], result['stdoutBytes']),
                 ('stderr bytes', row['stderr_bytes'], result['stderrBytes'])]
        problems += [f'{what}: the row says {a!r}, the result {b!r}' for what, a, b in pairs if a != b]
    return problems


def signal_abbreviation(number):
    return signal.Signals(number).name[3:] if number else None


def history_problems(sandbox):
    """Every row is complete, every job directory has a row, nothing is left in the temporary directory."""
    rows = history_rows(sandbox)
    problems = [f'job {id}: {problem}' for id, row in rows.items() for problem in row_problems(row)]
    jobs = sandbox.state / 'stint' / 'jobs'
    if jobs.is_dir():
        problems += [f'the directory of job {entry.name} has no row' for entry in jobs.iterdir()
                     if not entry.name.isdigit() or int(entry.name) not in rows]
        problems += [f'{path.relative_to(jobs)} is a stray' for path in jobs.glob('*/*')
                     if path.name not in ('output', 'output.zst', 'index', 'index.zst', 'outcome', 'lock')]
    problems += [f'{path.name} is left in the temporary directory' for path in sandbox.temporary.iterdir()]
    return problems


def recover(sandbox):
    """What the app does with the history when it starts. Returns: how many rows were recovered."""
    done = subprocess.run([os.environ['STINT_RECOVER']], env=sandbox.environment, stdout=subprocess.PIPE,
                          timeout=PATIENCE, check=True)
    return int(done.stdout)


# The sandbox of a subtest

PASSED_ON = ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS', 'TSAN_OPTIONS', 'G_DEBUG', 'GDK_DEBUG',
             'GDK_DISABLE', 'GIO_USE_VFS', 'GSETTINGS_BACKEND', 'LC_ALL', 'GCOV_PREFIX', 'GCOV_PREFIX_STRIP')


class Sandbox:
    """Directories, an environment and a token of a subtest's own. Whatever it starts is ended with it."""

    def __init__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix='stint-test-'))
        self.directory.chmod(0o755)
        self.token_variable = f'STINT_TEST_TOKEN={os.urandom(12).hex()}'
        self.state = self.make('state')
        self.temporary = self.make('tmp')
        self.home = self.make('home')
        self.checks_history = True
        self.runs = []
        self.stintctl = os.environ['STINT_STINTCTL']
        self.keeper = os.environ['STINT_KEEPER']
        self.environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self.environment |= {
            'PATH': '/usr/local/bin:/usr/bin:/bin',
            'HOME': str(self.home),
            'TMPDIR': str(self.temporary),
            'XDG_STATE_HOME': str(self.state),
            'XDG_DATA_HOME': str(self.make('data')),
            'XDG_CONFIG_HOME': str(self.make('config')),
            'XDG_CACHE_HOME': str(self.make('cache')),
            'XDG_RUNTIME_DIR': str(self.make('run', 0o700)),
            'STINT_KEEPER': self.keeper,
            'D': str(self.directory),
        }
        if 'TSAN_OPTIONS' in os.environ:
            # The locks of GLib's own allocator are not seen.
            self.environment['G_SLICE'] = 'always-malloc'
        name, value = self.token_variable.split('=')
        self.environment[name] = value
        self.helpers = []

    def make(self, name, mode=0o755):
        path = self.directory / name
        path.mkdir()
        path.chmod(mode)
        return path

    def path(self, name):
        return self.directory / name

    def own_pids(self):
        """Children that the test itself looks after."""
        return {process.pid for process in self.helpers if process.poll() is None}

    def helper(self, arguments, **options):
        options.setdefault('env', self.environment)
        options.setdefault('stdin', subprocess.DEVNULL)
        options.setdefault('stdout', subprocess.DEVNULL)
        process = subprocess.Popen(arguments, **options)
        self.helpers.append(process)
        return process

    def run(self, *arguments, **options):
        return Run(self, arguments, **options)

    def finish(self, *arguments, **options):
        return self.run(*arguments, **options).finish()

    def known_pids(self):
        return {run.process.pid for run in self.runs} | {helper.pid for helper in self.helpers}

    def reap_adopted(self):
        """What became our child because its parent has ended."""
        for process in all_processes().values():
            if process.parent == os.getpid() and process.state == 'Z' and process.pid not in self.known_pids():
                try:
                    os.waitpid(process.pid, os.WNOHANG)
                except ChildProcessError:
                    pass

    def end_everything(self):
        """Ends what is left of what this sandbox started, for the next subtest's sake."""
        def none_left():
            for process in all_processes().values():
                if process.state not in 'ZX' and has_in_environment(process.pid, self.token_variable):
                    kill_quietly(process.pid)
            for process in descendants_of(os.getpid()):
                if process.state not in 'ZX':
                    kill_quietly(process.pid)
            for run in self.runs:
                run.process.poll()
            for helper in self.helpers:
                helper.poll()
            self.reap_adopted()
            return not [p for p in descendants_of(os.getpid()) if p.state not in 'ZX']
        wait_until(none_left, 'the end of everything')
        for run in self.runs:
            run.close()

    def problems(self):
        """What does not hold at the end of a subtest."""
        try:
            wait_until(lambda: not left_processes(self), 'no process', timeout=PATIENCE / 4)
        except Failure:
            return ['left: ' + ', '.join(left_processes(self))]
        self.reap_adopted()
        return history_problems(self) if self.checks_history else []

    def remove(self):
        subprocess.run(['chmod', '-R', 'u+rwx', str(self.directory)], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.directory, ignore_errors=True)


def kill_quietly(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def signal_all(pids, number):
    """Signals processes of ours, which may end meanwhile: never a stranger that has got the number of one."""
    held = {}
    for pid in pids:
        try:
            held[pid] = os.pidfd_open(pid)
        except ProcessLookupError:
            pass
    # What is in our tree now that it is held is what it was.
    ours = {process.pid for process in descendants_of(os.getpid())}
    for pid, descriptor in held.items():
        try:
            if pid in ours:
                signal.pidfd_send_signal(descriptor, number)
        except ProcessLookupError:
            pass
        os.close(descriptor)


class Reader(threading.Thread):
    """Takes what comes out of a descriptor, so that the writer is never held up."""

    LIMIT = 64 << 20

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream = stream
        self.data = bytearray()
        self.start()

    def run(self):
        while True:
            try:
                chunk = os.read(self.stream.fileno(), 65536)
            except (OSError, ValueError):
                return
            if not chunk:
                return
            if len(self.data) < self.LIMIT:
                self.data += chunk


class Run:
    """One stintctl run. Its result object goes to a file, unless json=False."""

    def __init__(self, sandbox, arguments, *, json=True, keeper=None, environment=None, stdin=subprocess.DEVNULL,
                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, verb=('run',), **options):
        self.sandbox = sandbox
        self.json_file = sandbox.path(f'result-{len(sandbox.runs)}.json') if json else None
        words = [sandbox.stintctl, *verb]
        if json:
            words += ['--json', str(self.json_file)]
        variables = dict(sandbox.environment)
        if keeper is not None:
            variables['STINT_KEEPER'] = str(keeper)
        variables.update(environment or {})
        self.process = subprocess.Popen(words + [os.fspath(a) if not isinstance(a, bytes) else a for a in arguments],
                                        stdin=stdin, stdout=stdout, stderr=stderr, env=variables,
                                        **{'cwd': sandbox.directory, **options})
        self.stdout = Reader(self.process.stdout) if stdout == subprocess.PIPE else None
        self.stderr = Reader(self.process.stderr) if stderr == subprocess.PIPE else None
        sandbox.runs.append(self)

    @property
    def pid(self):
        return self.process.pid

    @property
    def out(self):
        return bytes(self.stdout.data)

    @property
    def err(self):
        return bytes(self.stderr.data).decode(errors='replace')

    def wait_output(self, text):
        wait_until(lambda: text in self.stdout.data or self.process.poll() is not None,
                   lambda: f'{text!r} on standard output, and there is {self.out[-200:]!r}')
        check(text in self.out or self.drained() and text in self.out,
              lambda: f'stintctl ended without writing {text!r}: {self.process.returncode}, {self.err}')

    def drained(self):
        for reader in (self.stdout, self.stderr):
            if reader is not None:
                reader.join(PATIENCE)
        return True

    def wait(self):
        """Returns: the exit status, negative for a signal."""
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure(f'stintctl {" ".join(map(str, self.process.args[1:6]))}… does not end; its '
                          f'descendants: {describe(descendants_of(self.pid))}') from None
        return status

    def finish(self):
        self.wait()
        # By then nothing of the job may be there; its keeper may still be on its way out.
        self.left = left_processes_of_run(self)
        self.drained()
        return self

    @property
    def status(self):
        return self.process.returncode

    @property
    def result(self):
        text = self.json_file.read_text(encoding='utf-8')
        check(text, lambda: f'there is no result object; exit status {self.status}, {self.err}')
        return json.loads(text)

    def check_saved(self):
        """I1 at the moment of the end, I5, and that the exit status goes with the result."""
        check_none(self.left, 'left when stintctl ended')
        result = self.result
        check_none(result_problems(result), 'result')
        check_none(row_problems(history_rows(self.sandbox).get(result['id']), result), 'row')
        return result

    def close(self):
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass


def left_processes_of_run(run):
    """What is alive with the job's id in its environment, or as our child though nobody here started it."""
    sandbox = run.sandbox
    others = {p.pid for other in sandbox.runs if other is not run and other.process.poll() is None
              for p in [read_process(other.pid), *descendants_of(other.pid)] if p is not None}
    known = others | sandbox.own_pids()
    found = [p for p in descendants_of(os.getpid())
             if p.state not in 'ZX' and p.pid not in known and p.pid not in sandbox.known_pids()
             and not is_keeper(p.pid, sandbox)]
    # With several at once it cannot be told whose keeper an orphaned one is: then the end of the subtest tells.
    if others:
        found = []
    return describe(found)


# Another user

NOBODY = 65534


def as_ordinary_user():
    """Options of Run and helper(): as a user without privileges, whoever runs the tests."""
    return {'user': NOBODY, 'group': NOBODY, 'extra_groups': []} if os.geteuid() == 0 else {}


def make_usable_by_others(sandbox):
    """The build may lie where nobody else may look, and the sandbox is ours: both are made the other user's."""
    for name in ('stintctl', 'keeper'):
        copy = sandbox.path(os.path.basename(getattr(sandbox, name)))
        shutil.copy(getattr(sandbox, name), copy)
        copy.chmod(0o755)
        setattr(sandbox, name, str(copy))
    sandbox.environment['STINT_KEEPER'] = sandbox.keeper
    if os.geteuid() == 0:
        for path in [sandbox.directory, *sandbox.directory.iterdir()]:
            os.chown(path, NOBODY, NOBODY)


# Time

class Noise(threading.Thread):
    """How late this machine is just now: the longest that a short sleep took too long."""

    INTERVAL = 0.005

    def __init__(self):
        super().__init__(daemon=True)
        self.worst = 0.0
        self.ended = threading.Event()

    def run(self):
        while not self.ended.is_set():
            before = time.monotonic()
            time.sleep(self.INTERVAL)
            self.worst = max(self.worst, time.monotonic() - before - self.INTERVAL)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()

    def allow(self, seconds):
        """A bound that this machine's lateness is added to."""
        return seconds + 4 * self.worst


# TAP

SUBTESTS = []


def subtest(name):
    def register(function):
        SUBTESTS.append((name, function))
        return function
    return register


def control(name):
    """A subtest that passes if the check fails, the protection being off. Its sandbox is swept, not checked."""
    def register(function):
        function.is_control = True
        return subtest('control: ' + name)(function)
    return register


ATTEMPTS = 3


def run_once(function):
    """Returns: what was wrong. Raises TooLate."""
    sandbox = Sandbox()
    try:
        function(sandbox)
        if not getattr(function, 'is_control', False):
            check_none(sandbox.problems(), 'afterwards')
        return None
    except TooLate:
        raise
    except Failure as failure:
        return f'{failure}\n' + ''.join(traceback.format_tb(failure.__traceback__)[-3:])
    except Exception:
        return traceback.format_exc()
    finally:
        sandbox.end_everything()
        sandbox.remove()


def run_subtest(function):
    for attempt in range(ATTEMPTS):
        try:
            return run_once(function)
        except TooLate as failure:
            late = str(failure)
            print(f'# too late: {late}', flush=True)
    return late


def main():
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wanted = sys.argv[1:]
    chosen = [(name, f) for name, f in SUBTESTS if not wanted or any(word in name for word in wanted)]
    print(f'1..{len(chosen)}', flush=True)
    failed = 0
    for number, (name, function) in enumerate(chosen, 1):
        began = time.monotonic()
        problem = run_subtest(function)
        print(f'{"not ok" if problem else "ok"} {number} - {name}', flush=True)
        print(f'# {time.monotonic() - began:.2f} s', flush=True)
        if problem:
            failed += 1
            for line in problem.splitlines():
                print(f'# {line}', flush=True)
    return 1 if failed else 0


def without(protection):
    """A keeper without one of its protections."""
    path = pathlib.Path(os.environ['STINT_KEEPER_WITHOUT_DIR']) / f'keeper-without-{protection}'
    check(path.exists(), f'{path} is not there')
    return path
