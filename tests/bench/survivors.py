# SPDX-License-Identifier: GPL-3.0-or-later
#
# survivors.py DIRECTORY [PEER…]: see the script of this name.
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time

PATIENCE = 20
scratch = pathlib.Path(sys.argv[1])
TOKEN = f"STINT_BENCH_TOKEN={os.getpid()}"

# Who is in the job, by the argument of its sleep.
MEMBERS = {
    "1000": "the command",
    "1001": "a child in its group",
    "1002": "a setsid grandchild",
    "1003": "a double-forked daemon",
    "1004": "one that ignores SIGTERM and SIGHUP",
}
job = scratch / "job"
job.write_text(f"""#!/bin/sh
sleep 1001 &
sh -c 'setsid sleep 1002 &'
(setsid sh -c 'exec sleep 1003 <&- >&- 2>&-' &)
(trap '' TERM HUP INT; exec sleep 1004) &
touch {scratch}/ready
exec sleep 1000
""")
job.chmod(0o755)


def members():
    """The job's processes that are there, by pid."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if words[0] == b"sleep" and TOKEN.encode() in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = words[1].decode()
        except OSError:
            pass
    return found


def end_all():
    while found := members():
        for pid in found:
            try:
                ended = os.pidfd_open(pid)
                signal.pidfd_send_signal(ended, signal.SIGKILL)
                select.select([ended], [], [])
                os.close(ended)
            except ProcessLookupError:
                pass


def wait(condition, patience=PATIENCE):
    deadline = time.monotonic() + patience
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return value


class Peer:
    """One way to run the job: @command, ended by @stop, called with the process."""

    def __init__(self, name, command, stop, *, supervisor=None, terminal=False, after=None, environment=None):
        self.name, self.command, self.stop = name, command, stop
        self.supervisor, self.terminal, self.after = supervisor, terminal, after
        self.environment = environment or {}

    def start(self):
        name, value = TOKEN.split("=")
        home = scratch / "home"
        home.mkdir(exist_ok=True)
        self.variables = os.environ | {name: value, "HOME": str(home), "XDG_STATE_HOME": str(scratch / "state"),
                                       "TERM": "xterm"} | self.environment
        streams = {stream: subprocess.DEVNULL for stream in ("stdin", "stdout", "stderr")}
        if self.terminal:
            self.master, slave = pty.openpty()
            streams = {stream: slave for stream in streams}
        (scratch / "ready").unlink(missing_ok=True)
        self.process = subprocess.Popen(self.command, env=self.variables, start_new_session=True, cwd=scratch, **streams)
        if self.terminal:
            os.close(slave)
            threading.Thread(target=self.drain, daemon=True).start()
        if not wait((scratch / "ready").exists) or not wait(lambda: len(members()) == len(MEMBERS)):
            raise RuntimeError(f"the job of {self.name} does not start")

    def drain(self):
        try:
            while os.read(self.master, 65536):
                pass
        except OSError:
            pass

    def run(self, *words):
        subprocess.run(words, env=self.variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                       cwd=scratch, timeout=PATIENCE)

    def supervisor_pid(self):
        return self.supervisor(self) if self.supervisor else self.process.pid

    def is_there(self):
        self.process.poll()
        try:
            return pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
        except OSError:
            return False

    def measure(self, how):
        """Returns: who survived, and the seconds until the supervisor had ended and all of the job that did."""
        self.start()
        self.pid = self.supervisor_pid()
        begun = time.monotonic()
        if how == "SIGKILL":
            os.kill(self.pid, signal.SIGKILL)
        else:
            self.stop(self)
        hung = not wait(lambda: not self.is_there())
        # What was asked to end gets some seconds more.
        wait(lambda: not members(), max(0, 6 - (time.monotonic() - begun)))
        seconds = time.monotonic() - begun
        left = members()
        if self.after:
            self.after(self)
        end_all()
        if hung:
            os.kill(self.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        if self.terminal:
            os.close(self.master)
        return left, seconds, hung


def ask(number, times=1):
    def stop(peer):
        for i in range(times):
            os.kill(peer.pid, number)
            time.sleep(0.2 if i + 1 < times else 0)
    return stop


def find(pattern):
    def supervisor(peer):
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and TOKEN.encode() in (entry / "environ").read_bytes().split(b"\0") and \
                        re.search(pattern, (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()):
                    return int(entry.name)
            except OSError:
                pass
        raise RuntimeError(f"there is no {pattern}")
    return supervisor


socket = {"TS_SOCKET": str(scratch / "tsp")}
configuration = scratch / "supervisord.conf"
configuration.write_text(f"""[supervisord]
nodaemon=true
logfile={scratch}/supervisord.log
pidfile={scratch}/supervisord.pid
[unix_http_server]
file={scratch}/supervisor.sock
[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
[supervisorctl]
serverurl=unix://{scratch}/supervisor.sock
[program:job]
command={job}
autorestart=false
startsecs=0
stopwaitsecs=2
stopasgroup=true
killasgroup=true
""")

PEERS = [
    Peer("Stint (stintctl run)", [os.environ["STINTCTL"], "run", "--grace", "2s", "--", str(job)], ask(signal.SIGTERM),
         after=lambda peer: peer.run(os.environ["STINT_RECOVER"])),
    Peer("timeout -k (coreutils)", ["timeout", "-k", "2", "1000", str(job)], ask(signal.SIGTERM)),
    # It passes no signal on: its own way is that the time runs out.
    Peer("timelimit", ["timelimit", "-t", "3", "-T", "2", str(job)], lambda peer: None),
    Peer("tini -s -g", ["tini", "-s", "-g", "--", str(job)], ask(signal.SIGTERM)),
    Peer("GNU parallel", ["parallel", "--will-cite", "--termseq", "TERM,2000,KILL,100", ":::", str(job)],
         ask(signal.SIGTERM, 2)),
    Peer("task-spooler", ["tsp", "-f", str(job)], lambda peer: (peer.run("tsp", "-k"), peer.run("tsp", "-K")),
         supervisor=find(r"tsp"), environment=socket, after=lambda peer: peer.run("tsp", "-K")),
    Peer("supervisord", ["supervisord", "-c", str(configuration)],
         lambda peer: peer.run("supervisorctl", "-c", str(configuration), "shutdown")),
    Peer("mprocs", ["mprocs", str(job)], lambda peer: os.write(peer.master, b"q"), terminal=True),
    Peer("pm2", ["pm2", "start", str(job), "--no-autorestart", "--interpreter", "sh"],
         lambda peer: (peer.run("pm2", "delete", "all"), peer.run("pm2", "kill")), supervisor=find(r"God Daemon|Daemon\.js"),
         environment={"PM2_HOME": str(scratch / "pm2")}),
    Peer("concurrently", ["concurrently", str(job)], ask(signal.SIGTERM)),
]

print("The job: " + ", ".join(MEMBERS.values()) + ".\n")
print("| under                  | its own way: left | after  | SIGKILL of it: left | after  |")
print("| ---------------------- | ----------------- | ------ | ------------------- | ------ |")
who = {}
for peer in PEERS:
    if sys.argv[2:] and not any(word in peer.name for word in sys.argv[2:]):
        continue
    cells = []
    for how in ("own", "SIGKILL"):
        try:
            left, seconds, hung = peer.measure(how)
            cells += [f"{len(left)} of {len(MEMBERS)}", f"{seconds:.1f} s" + (", hung" if hung else "")]
            who[peer.name, how] = sorted(MEMBERS[word] for word in left.values())
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            cells += [str(error)[:40], ""]
            end_all()
    print(f"| {peer.name:22} | {cells[0]:17} | {cells[1]:6} | {cells[2]:19} | {cells[3]:6} |", flush=True)
print()
for (name, how), left in who.items():
    if left:
        print(f"- {name}, {'its own way' if how == 'own' else 'SIGKILL'}: {', '.join(left)}")
stint = [left for (name, _), left in who.items() if name.startswith("Stint")]
sys.exit(any(stint) or len(stint) != 2)
