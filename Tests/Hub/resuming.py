"""A hub that starts on a large store.

Usage: resuming.py SLUICE STREAMS RUNNING

Stores many streams, starts some of them (intervals of 60 s), kills the hub, and starts it again: it answers `/health` within
2 s, has every run running within 30 s, and takes at most 1.5 times the memory of a hub that is started with `--paused`. For
a release build. Ends with `N passed, N failed`.
"""
import json
import sys
import tempfile
import time
from pathlib import Path

from hub import Hub, run_checks, until

SLUICE, STREAMS, RUNNING = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def document(number):
    operators = [{"id": "even", "filter": {"expression": "x % 2 == 0"}},
                 {"id": "twice", "map": {"expression": f"x * 2 + {number}"}},
                 {"id": "sum", "scan": {"expression": "acc + x"}}]
    return {"id": f"stream-{number}", "name": f"Stream {number}", "source": {"interval": {"seconds": 60}},
            "operators": operators}


def memory(hub):
    """Returns the resident memory of a hub in bytes, after it has settled."""
    least = None
    for _ in range(10):
        lines = Path(f"/proc/{hub.process.pid}/status").read_text().splitlines()
        size = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))
        least = size if least is None else min(least, size)
        time.sleep(0.2)
    return least


def states(hub):
    return [head["state"] for head in hub.json("GET", "/streams")]


def start(*options):
    """Starts a hub; returns it, and the time to its first answer of `/health`."""
    begin = time.monotonic()
    hub = Hub(SLUICE, store, *options)
    if hub.ask("GET", "/health")[0] != 200:
        raise AssertionError("the hub is not healthy")
    return hub, time.monotonic() - begin


def resuming():
    hub = Hub(SLUICE, store)
    for first in range(0, STREAMS, 500):
        hub.json("POST", "/import", json.dumps([document(n) for n in range(first, min(STREAMS, first + 500))]))
    for number in range(RUNNING):
        hub.json("POST", f"/streams/stream-{number}/start")
    time.sleep(1)
    hub.kill()
    paused, _ = start("--paused")
    # The documents are compiled once in the background, to find their errors.
    until("the documents are checked", lambda: settled(paused))
    least = memory(paused)
    if states(paused).count("paused") != RUNNING:
        raise AssertionError("a hub that is started with --paused resumes runs")
    paused.kill()
    begin = time.monotonic()
    hub, health = start()
    until("every run is resumed", lambda: opened(hub) == RUNNING)
    running = time.monotonic() - begin
    until("the documents are checked", lambda: settled(hub))
    size = memory(hub)
    hub.kill()
    text = (f"{STREAMS} streams, {RUNNING} runs: /health after {health:.2f} s, all running after {running:.1f} s, "
            f"{size / 1e6:.0f} MB, {size / least:.2f} times that of --paused ({least / 1e6:.0f} MB)")
    if health > 2 or running > 30 or size > 1.5 * least:
        raise AssertionError(text)
    return text


def opened(hub):
    """Returns the number of runs that the hub has resumed."""
    lines = hub.ask("GET", "/metrics")[1].splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("sluice_runs_open "))


def settled(hub):
    """Returns whether the hub takes hardly any processor time."""
    def spent():
        fields = Path(f"/proc/{hub.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])
    before = spent()
    time.sleep(1)
    return spent() - before < 10


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        store = str(Path(temporary) / "resuming.sqlite")
        sys.exit(run_checks([resuming]))
