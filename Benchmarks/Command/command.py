"""What the command costs: its size, a million lines, and the memory of the hub for each thing that waits.

Usage: command.py SLUICE [--quick] [--check] [--margin PERCENT] [--set-bounds] [PART…]

SLUICE is a release build. PART: size, lines, idle, stored, waiting, following, delays, connections, subscribers; all without one.
Memory is what the process holds of its own (the anonymous part of its resident memory), as the difference between two states
of one hub; of the idle hub it is the whole resident memory, with the pages of the program. What no issue has an aim for is compared
with a round number. `bin/bench command` calls it.
"""
import argparse
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/Hub"))
from hub import Hub  # noqa: E402
from bounds import Bounds, add_options  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("sluice")
add_options(parser)
options = parser.parse_intermixed_args()

COUNT = 500 if options.quick else 2000
LINES = 100_000 if options.quick else 1_000_000
bounds = Bounds(options)
folder = tempfile.TemporaryDirectory(prefix="sluice-command-")
stores = 0


def memory(process, field="RssAnon"):
    """Returns a size of a process, in bytes: by default the memory of its own."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"no {field}")


def settled(process, field="RssAnon"):
    """Returns a size of a process once it has not changed for a second."""
    last, since = memory(process, field), time.monotonic()
    while time.monotonic() - since < 1:
        time.sleep(0.1)
        now = memory(process, field)
        if abs(now - last) > 16_384:
            last, since = now, time.monotonic()
    return last


def hub(*flags):
    global stores
    stores += 1
    return Hub(options.sluice, f"{folder.name}/hub-{stores}.sqlite", *flags)


def put(server, count, document):
    for number in range(count):
        server.json("PUT", f"/streams/stream-{number}", json.dumps(document(number)), {"If-None-Match": "*"})


def waiting(number):
    """A stream that waits for an hour."""
    return {"name": f"Stream {number}", "source": {"timer": {"seconds": 3600}}, "operators": [{"map": {"expression": "x + 1"}}]}


def processor_time(arguments, text):
    """Returns the processor time of a command whose input is a text, in seconds, and the lines that it prints."""
    path = f"{folder.name}/lines.json"
    Path(path).write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(f"{folder.name}/lines.out", "wb") as out:
        subprocess.run([options.sluice, "run", path, *arguments], stdout=out, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(f"{folder.name}/lines.out", "rb") as out:
        lines = sum(1 for _ in out)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, lines


def size():
    stripped = f"{folder.name}/stripped"
    subprocess.run(["strip", "-o", stripped, options.sluice], check=True)
    bounds.note("command/size, stripped", os.path.getsize(stripped) / 1e6, "MB", 45)


def lines():
    for name, arguments in (("run", []), ("run --virtual", ["--virtual"])):
        document = json.dumps({"source": {"range": {"from": 0, "count": LINES}}})
        times = []
        for _ in range(3):
            spent, count = processor_time(arguments, document)
            if count != LINES + 1:
                raise AssertionError(f"{count} lines of {LINES + 1}")
            times.append(spent * 1_000_000 / LINES)
        bounds.note(f"command/a million lines, {name}", min(times), "s", 0.3)


def idle():
    server = hub()
    server.ask("GET", "/health")
    whole = settled(server.process, "VmRSS")
    own = memory(server.process)
    bounds.note("command/idle hub", whole / 1e6, "MB", 25)
    bounds.note("command/idle hub, its own memory", own / 1e6, "MB", 11)
    server.kill()


def stored():
    global stores
    server = hub("--paused")
    empty = settled(server.process)
    put(server, COUNT, waiting)
    server.kill()
    # The same store, opened again: only what is kept for stored streams counts, and not what writing them has left.
    server = Hub(options.sluice, f"{folder.name}/hub-{stores}.sqlite", "--paused")
    server.ask("GET", "/health")
    bounds.note("command/a stored stream", (settled(server.process) - empty) / COUNT / 1e3, "KB", 6)
    server.kill()


def waiting_runs():
    server = hub()
    put(server, COUNT, waiting)
    before = settled(server.process)
    for number in range(COUNT):
        server.json("POST", f"/streams/stream-{number}/start")
    bounds.note("command/a waiting run", (settled(server.process) - before) / COUNT / 1e3, "KB", 6)
    server.kill()


def following():
    sizes = []
    for count in (10, COUNT):
        server = hub("--paused")
        put(server, count, waiting)
        store = f"{folder.name}/follower-{count}.sqlite"
        follower = subprocess.Popen([options.sluice, "follow", server.base, "--store", store], stdout=subprocess.PIPE, text=True)
        for _ in range(count):  # It says of each stream that it has taken it.
            follower.stdout.readline()
        sizes.append(settled(follower))
        follower.kill()
        follower.wait()
        follower.stdout.close()
        server.kill()
    bounds.note("command/a waiting run in a follower", (sizes[1] - sizes[0]) / (COUNT - 10) / 1e3, "KB", 8)


def delays():
    count = 20 * COUNT
    document = {"source": {"range": {"from": 0, "count": count}}, "operators": [{"delay": {"seconds": 3600}}]}
    server = hub("--value-size", "16", "--state-size", "256")
    server.json("PUT", "/streams/delayed", json.dumps(document), {"If-None-Match": "*"})
    before = settled(server.process)
    server.json("POST", "/streams/delayed/start")
    after = settled(server.process)
    state = server.json("GET", "/streams/delayed/run")
    if state.get("state") == "failed":
        raise AssertionError(state)
    bounds.note("command/a pending delay", (after - before) / count, "B", 500)
    server.kill()


def connected(name, path, aim):
    server = hub()
    server.json("PUT", "/streams/waiting", json.dumps(waiting(0)), {"If-None-Match": "*"})
    server.json("POST", "/streams/waiting/start")
    host, port = server.base.removeprefix("http://").split(":")

    def connect():
        one = socket.create_connection((host, int(port)))
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        one.recv(4096)
        return one

    first = [connect() for _ in range(10)]
    before = settled(server.process)
    count = min(COUNT, 400)
    others = [connect() for _ in range(count)]
    bounds.note(f"command/{name}", (settled(server.process) - before) / count / 1e3, "KB", aim)
    for one in first + others:
        one.close()
    server.kill()


def connections():
    connected("an idle connection", "/health", 16)


def subscribers():
    connected("a subscriber", "/streams/waiting/events", 24)


PARTS = {"size": size, "lines": lines, "idle": idle, "stored": stored, "waiting": waiting_runs, "following": following,
         "delays": delays, "connections": connections, "subscribers": subscribers}


if __name__ == "__main__":
    status = bounds.run(PARTS)
    folder.cleanup()
    sys.exit(status)
