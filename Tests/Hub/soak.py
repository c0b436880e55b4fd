"""A hub among hostile documents, thousands of streams, many subscribers, and a killer, all at once.

Usage: soak.py SLUICE SECONDS [--streams N] [--running N] [--hostile N] [--subscribers N] [--limit SECONDS] [--seed S]

Stores N streams, starts some of them, starts generated hostile documents, and subscribes. Then, for SECONDS, requests are sent
one after the other, hostile streams are edited, paused, and started, and for the first half of the time the hub is killed now
and then. Every request is answered within the limit (1 s); every run that was running is running after each kill, in the same
run, and its outputs have no gap and no duplicate; and at the end the memory does not grow: in the last fifth of the time it is
at most a tenth and 32 MB more than in the fifth before. For a release build. Ends with `N passed, N failed`.
"""
import argparse
import asyncio
import http.client
import json
import multiprocessing
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from seeds import chosen_seed
from soak_documents import hostile

arguments = argparse.ArgumentParser()
arguments.add_argument("sluice")
arguments.add_argument("seconds", type=float)
arguments.add_argument("--streams", type=int, default=10_000)
arguments.add_argument("--running", type=int, default=1000)
arguments.add_argument("--hostile", type=int, default=1000)
arguments.add_argument("--subscribers", type=int, default=1000)
arguments.add_argument("--limit", type=float, default=1)
arguments.add_argument("--seed", type=int, default=chosen_seed())
options = arguments.parse_args()
chance = random.Random(options.seed)

# Streams whose outputs are checked: counters that tick ten times a second.
COUNTERS = [f"counter-{number}" for number in range(20)]


def say(text):
    print(text, flush=True)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Hub:
    """A hub that is started again and again on one port."""

    def __init__(self, store):
        self.store, self.port, self.troubles = store, free_port(), []
        # By the name of a request: how long the slowest took, and how long after the start of the hub it was sent.
        self.slowest, self.count, self.is_up = {}, 0, threading.Event()
        self.start()

    def start(self):
        begin = time.monotonic()
        self.process = subprocess.Popen([options.sluice, "serve", "--port", str(self.port), "--store", self.store],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if "http://" not in self.process.stdout.readline():
            raise AssertionError("the hub does not start")
        self.started = time.monotonic()
        self.is_up.set()
        return self.started - begin

    def kill(self):
        self.is_up.clear()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, method, path, body=None, headers=None, name=None, timeout=120):
        """Sends a request, and notes how long it takes, unless the hub is killed meanwhile."""
        process, begin = self.process, time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            headers = dict(headers or {}, **({"Content-Type": "application/json"} if body is not None else {}))
            connection.request(method, path, None if body is None else json.dumps(body).encode(), headers)
            answer = connection.getresponse()
            status, text = answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            if process is self.process and self.is_up.is_set() and process.poll() is None:
                self.troubles.append(f"{method} {path} is not answered: {type(error).__name__} {error}")
            elif process.poll() not in (None, -9):
                self.troubles.append(f"the hub has exited with {process.poll()}")
            return 0, ""
        finally:
            connection.close()
        if name:
            self.count += 1
            self.slowest[name] = max(self.slowest.get(name, (0, 0)), (time.monotonic() - begin, begin - self.started))
        return status, text

    def json(self, method, path, *rest):
        status, text = self.ask(method, path, *rest)
        if not 200 <= status < 300:
            raise AssertionError(f"{method} {path} is answered with {status}: {text[:300]}")
        return json.loads(text)

    @property
    def memory(self):
        """The resident memory, in bytes."""
        try:
            lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))
        except (OSError, StopIteration):
            return None


class Subscribers:
    """Reads events on many connections, and subscribes again after each kill: in a process of its own, whose work does not count
    as that of the hub."""

    def __init__(self, hub, paths):
        self.shown, self.read = multiprocessing.Value("i", 0), multiprocessing.Value("q", 0)
        self.process = multiprocessing.Process(target=self.run, args=(hub.port, paths), daemon=True)
        self.process.start()

    @property
    def open(self):
        return self.shown.value

    @property
    def bytes(self):
        return self.read.value

    def end(self):
        self.process.kill()
        self.process.join()

    def run(self, port, paths):
        asyncio.run(self.all(port, paths))

    async def all(self, port, paths):
        await asyncio.gather(*[self.one(port, path, index) for index, path in enumerate(paths)])

    async def one(self, port, path, index):
        await asyncio.sleep(index * 0.005)
        while True:
            is_open = False
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                while read := await asyncio.wait_for(reader.read(65536), 600):
                    if not is_open:
                        self.shown.value, is_open = self.shown.value + 1, True
                    self.read.value += len(read)
                writer.close()
            except (OSError, asyncio.TimeoutError):
                pass
            if is_open:
                self.shown.value -= 1
            # Clients do not come back all at the same time.
            await asyncio.sleep(random.uniform(0.5, 1.5))


def store_streams(hub):
    def document(number):
        return {"id": f"stream-{number}", "source": {"interval": {"seconds": 30}}, "operators": [
            {"id": "twice", "map": {"expression": f"x * 2 + {number}"}}, {"id": "sum", "scan": {"expression": "acc + x"}}]}

    for first in range(0, options.streams, 500):
        hub.json("POST", "/import", [document(n) for n in range(first, min(options.streams, first + 500))])
    for id in COUNTERS:
        hub.json("PUT", f"/streams/{id}", {"id": id, "source": {"interval": {"seconds": 0.1}}, "operators": [
            {"id": "sum", "scan": {"expression": "acc + x"}}]}, {"If-None-Match": "*"})
    ids = [f"stream-{number}" for number in range(options.running)] + COUNTERS
    for id in ids:
        hub.json("POST", f"/streams/{id}/start")
    return ids


def put_hostile(hub, number, seed):
    """Stores a hostile document, or another in its place, and starts it."""
    path = f"/streams/hostile-{number}"
    status, text = hub.ask("GET", path, name="GET document")
    match = {"If-None-Match": "*"}
    if status == 200:
        heads = hub.ask("GET", f"{path}/revisions", name="GET revisions")[1]
        if not heads:
            return
        match = {"If-Match": f'"{json.loads(heads)[0]["revision"]}"'}
    status, text = hub.ask("PUT", path, hostile(seed, number), match, name="PUT")
    if status not in (0, 200, 201, 400, 412, 413, 422):
        hub.troubles.append(f"PUT {path} is answered with {status}: {text[:300]}")
    hub.ask("POST", f"{path}/start", name="POST start")


def disturb(hub, end):
    """Sends requests about hostile streams, until the end."""
    while time.monotonic() < end:
        hub.is_up.wait()
        number = chance.randrange(options.hostile)
        act = chance.choice(["pause", "resume", "stop", "start", "reset", "put", "delete", "speed"])
        if act == "put":
            put_hostile(hub, number, chance.randrange(1 << 30))
        elif act == "delete":
            heads = hub.ask("GET", f"/streams/hostile-{number}/revisions", name="GET revisions")[1]
            if heads.startswith("["):
                match = {"If-Match": f'"{json.loads(heads)[0]["revision"]}"'}
                hub.ask("DELETE", f"/streams/hostile-{number}", None, match, name="DELETE")
        else:
            body = {"speed": 2} if act == "speed" else None
            hub.ask("POST", f"/streams/hostile-{number}/{act}", body, name=f"POST {act}")
        time.sleep(0.05)


def probe(hub, end):
    """Sends the requests of everyday, until the end."""
    paths = ["/health", "/streams", "/metrics", "/streams/stream-1/run", "/streams/counter-1/output?limit=100", "/groups"]
    while time.monotonic() < end:
        hub.is_up.wait()
        for path in paths:
            status, text = hub.ask("GET", path, name=f"GET {path.split('?')[0]}")
            if status not in (0, 200):
                hub.troubles.append(f"GET {path} is answered with {status}: {text[:300]}")
        time.sleep(0.1)


def check_counters(hub):
    """Checks that the counters have no gap and no duplicate."""
    for id in COUNTERS:
        events, after = [], "start"
        while page := hub.json("GET", f"/streams/{id}/output?limit=1000&after={after}"):
            events, after = events + page, page[-1]["cursor"]
        for before, event in zip([None, *events], events):
            n = event["sequence"] - 1
            if event["run"] != 1 or event["value"] != n * (n + 1) // 2 or before and before["sequence"] != n:
                raise AssertionError(f"{id}: the output {event} comes after {before}")
        if not events:
            raise AssertionError(f"{id} has no output")


def check_runs(hub, ids):
    """Checks that every run is running."""
    heads = {head["id"]: head for head in hub.json("GET", "/streams")}
    lost = [id for id in ids if heads[id]["state"] != "running"]
    if lost:
        raise AssertionError(f"{len(lost)} runs are not running, such as {lost[0]}: {heads[lost[0]]}")


def check_same_runs(hub, ids):
    """Checks that every run is the one that was begun first."""
    others = [id for id in ids if hub.json("GET", f"/streams/{id}/run")["run"] != 1]
    if others:
        raise AssertionError(f"{len(others)} streams have begun another run, such as {others[0]}")


def soak(folder):
    hub, subscribers = Hub(str(Path(folder) / "soak.sqlite")), None
    try:
        begin = time.monotonic()
        ids = store_streams(hub)
        for number in range(options.hostile):
            put_hostile(hub, number, options.seed)
        paths = [f"/streams/stream-{n}/events" for n in range(int(options.subscribers * 0.9))]
        paths += [f"/streams/hostile-{n}/events" for n in range(int(options.subscribers * 0.05))]
        paths += ["/events?values="] * (options.subscribers - len(paths))
        subscribers = Subscribers(hub, paths)
        say(f"prepared in {time.monotonic() - begin:.0f} s (seed {options.seed}); slowest: {shown(hub.slowest)}")
        begin = time.monotonic()
        end = begin + options.seconds
        threads = [threading.Thread(target=work, args=(hub, end)) for work in (disturb, probe)]
        for thread in threads:
            thread.start()
        memory, kills, next_kill = [], 0, begin + options.seconds * chance.uniform(0.05, 0.15)
        most = 0
        while (now := time.monotonic()) < end:
            if now >= next_kill and now < begin + options.seconds / 2:
                hub.kill()
                time.sleep(chance.uniform(0, 1))
                ready = hub.start()
                kills += 1
                next_kill = now + max(5, options.seconds * chance.uniform(0.05, 0.15))
                if ready > 5:
                    hub.troubles.append(f"the hub is ready {ready:.1f} s after a kill")
                check_runs(hub, ids)
            if size := hub.memory:
                memory.append((now, size))
            most = max(most, subscribers.open)
            time.sleep(0.5)
        for thread in threads:
            thread.join()
        check_runs(hub, ids)
        check_same_runs(hub, ids)
        check_counters(hub)
        back = subscribers.open
        fifth = options.seconds / 5
        early = statistics.median(size for at, size in memory if end - 2 * fifth <= at < end - fifth)
        late = statistics.median(size for at, size in memory if at >= end - fifth)
        slow = {name: seconds for name, (seconds, _) in hub.slowest.items() if seconds > options.limit}
        text = (f"{hub.count} requests, the slowest: {shown(hub.slowest)}; {kills} kills; {most} subscribers read "
                f"{subscribers.bytes / 1e6:.0f} MB, and {back} are there at the end; memory {early / 1e6:.0f} MB, then {late / 1e6:.0f} MB")
        if hub.troubles:
            raise AssertionError(f"{len(hub.troubles)} troubles: {hub.troubles[:3]}; {text}")
        if slow or late > 1.1 * early + (32 << 20) or min(most, back) < options.subscribers * 0.95:
            raise AssertionError(text)
        return text
    finally:
        if subscribers:
            subscribers.end()
        hub.kill()


def shown(slowest):
    most = sorted(slowest.items(), key=lambda entry: -entry[1][0])[:6]
    return ", ".join(f"{name} {seconds:.2f} s ({max(0, at):.0f} s after a start)" for name, (seconds, at) in most)


with tempfile.TemporaryDirectory() as folder:
    try:
        say(f"ok {soak(folder)}\n1 passed, 0 failed")
    except AssertionError as error:
        say(f"FAILED {error}\n0 passed, 1 failed")
        sys.exit(1)
