# SPDX-License-Identifier: GPL-3.0-or-later
#
# compare.py GOAL WHAT COMMAND… -- PEER…
#
# The wall times of a command and its peer, turn by turn so that the machine's mood meets both; prints
# the ratio of their medians as a line of the table.
import statistics
import subprocess
import sys
import time

RUNS = 200


def wall_time(command):
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - begun


goal, what, rest = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
split = rest.index("--")
command, peer = rest[:split], rest[split + 1 :]
times, peer_times = [], []
for _ in range(RUNS):
    times.append(wall_time(command))
    peer_times.append(wall_time(peer))

own, other = statistics.median(times) * 1000, statistics.median(peer_times) * 1000
ratio = own / other
verdict = "met" if ratio <= goal else "MISSED"
print(f"| {what:62} | {ratio:8.2f} x  | {goal:6.2f} | {verdict} |")
detail = f"  {own:.2f} ms / {other:.2f} ms"
print(f"| {detail:62} |             |        |     |", flush=True)
