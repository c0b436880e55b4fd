"""Members of a group that run streams with sinks, and are killed, stopped, and cut off from the hub.

Usage: members.py SLUICE ACCIDENTS

Starts a hub and three members of a group, each behind a proxy of its own. A stream with sinks runs on the member that holds
its lease. Again and again that member is killed (kill -9), stopped past its lease (SIGSTOP, then SIGCONT), cut off from the
hub, or ended; now and then the hub is killed. Another member continues the same run, within ten seconds; one that was stopped
delivers no more than what it had in flight. In the end the receiver, which honors idempotency keys, has each output once and in
order, and the waiting members have shown the outputs. A member without the right to run the stream says what to do. Ends with
`N passed, N failed`.
"""
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

from hub import Hub, output, run_checks, until
from seeds import chosen_seed
from server import Server

SLUICE, ACCIDENTS = sys.argv[1], int(sys.argv[2])
seed = chosen_seed()
chance = random.Random(seed)
# The deliveries of each path that may be in flight at the same time.
FLIGHTS = {"/ordered": 1, "/keyed": 8}


class Receiver:
    """A receiver that honors idempotency keys."""

    def __init__(self):
        self.lock = threading.Lock()
        self.bodies, self.repeated, self.faults = {}, 0, []
        self.processed = defaultdict(list)
        self.watched, self.late = None, Counter()   # a process that was stopped, and what it delivers after that
        self.port = Server(self.answer).port

    def answer(self, path, headers, body):
        watched = self.watched
        if watched and watched.has_connection_from(headers.sender):
            self.late[path] += 1
        return self.take(path, headers.get("Idempotency-Key"), body.decode()), None

    def take(self, path, key, body):
        with self.lock:
            if key is None:
                self.faults.append(f"a delivery to {path} has no key")
                return 400
            if random.randrange(100) < 5:
                return 503
            if key in self.bodies:
                self.repeated += 1
                if self.bodies[key] != (path, body):
                    self.faults.append(f"{key}: {self.bodies[key]} and {(path, body)}")
            else:
                self.bodies[key] = (path, body)
                self.processed[path].append((key, json.loads(body)))
            return 204


class Proxy:
    """A TCP proxy to the hub, which drops all connections while it is cut."""

    def __init__(self, port):
        self.port_of_hub, self.is_cut, self.sockets, self.lock = port, False, set(), threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            try:
                if self.is_cut:
                    raise OSError
                far = socket.create_connection(("127.0.0.1", self.port_of_hub))
            except OSError:
                near.close()
                continue
            with self.lock:
                self.sockets |= {near, far}
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self.copy, args=(a, b), daemon=True).start()

    def copy(self, source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        self.drop({source, target})

    def drop(self, sockets):
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        with self.lock:
            self.sockets -= sockets

    def cut(self):
        self.is_cut = True
        self.drop(set(self.sockets))

    def heal(self):
        self.is_cut = False


class Member:
    """`sluice follow` in a process of its own, whose lines go to a file."""
    lives = 0

    def __init__(self, name, hub, receiver):
        self.name, self.receiver, self.lines = name, receiver, []
        self.proxy = Proxy(int(hub.base.rsplit(":", 1)[1]))
        self.store = str(folder / f"{name}.sqlite")
        self.start()

    def start(self):
        Member.lives += 1
        self.path, self.errors = folder / f"lines-{Member.lives}", folder / f"errors-{Member.lives}"
        with open(self.path, "w") as lines, open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                [SLUICE, "follow", f"http://127.0.0.1:{self.proxy.port}", "--group", "g", "--name", self.name,
                 "--store", self.store, "--allow", f"127.0.0.1:{self.receiver.port}"], stdout=lines, stderr=errors)

    def read(self):
        text = self.path.read_text()
        return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]

    def end(self, how):
        self.process.send_signal(how)
        self.process.wait()
        self.lines += self.read()

    def runs(self, stream):
        """Says whether the member runs a stream, by its last line about that."""
        state = False
        for line in self.read():
            if line["stream"] == stream and ("taken" in line or "waiting" in line):
                state = bool(line.get("taken"))
        return state

    def has_connection_from(self, port):
        """Says whether a connection from a port is one of this process."""
        rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
        inodes = {f"socket:[{row[9]}]" for row in rows if int(row[1].split(":")[1], 16) == port}
        for file in Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                if os.readlink(file) in inodes:
                    return True
            except OSError:
                pass  # It was closed meanwhile.
        return False

    def says_waiting(self, stream):
        return not self.runs(stream) and any(line["stream"] == stream and "waiting" in line for line in self.read())


def document(port):
    def sink(path, **rest):
        return {"id": path, "post": {"url": f"http://127.0.0.1:{port}/{path}", **rest}}

    # The state of the run goes from member to member: each value is the sum of all numbers so far.
    return {"source": {"interval": {"seconds": 0.05}},
            "operators": [{"id": "sum", "scan": {"expression": "acc + x", "initialValue": 0}}],
            "sinks": [sink("ordered"), sink("keyed", concurrency=FLIGHTS["/keyed"], key="x % 5")]}


def accidents():
    receiver = Receiver()
    options = ["--allow", f"127.0.0.1:{receiver.port}"]
    store = str(folder / "hub.sqlite")
    hub = Hub(SLUICE, store, *options)
    hub.ask("PUT", "/groups/g")
    hub.json("PUT", "/streams/s", json.dumps(document(receiver.port)), {"If-None-Match": "*"})
    hub.ask("PUT", "/groups/g/streams/s")
    members = [Member(name, hub, receiver) for name in "abc"]

    def holder():
        holders = [member for member in members if member.process.poll() is None and member.runs("s")]
        return holders[0] if len(holders) == 1 else None

    def described():
        return "".join(f"\n{member.name}: {member.read()[-3:]} {member.errors.read_text()[-500:]}" for member in members)

    # The seconds until another member has the stream; a member that ends gives it away at once.
    times, hubs = {"kill": [], "stop": [], "cut": [], "end": []}, 0
    for number in range(ACCIDENTS):
        until(f"one member runs the stream before accident {number} (seed {seed}): {described()}",
              lambda: holder() is not None)
        before = len(receiver.bodies)
        until(f"it delivers (seed {seed})", lambda: len(receiver.bodies) > before + chance.randrange(1, 20))
        if number % 5 == 4:
            hub.kill()
            hub = Hub(SLUICE, store, *options)
            hubs += 1
            for member in members:
                member.proxy.port_of_hub = int(hub.base.rsplit(":", 1)[1])
            continue
        victim, kind = holder(), list(times)[number % len(times)]
        if victim is None:
            continue
        others = [member for member in members if member is not victim]
        if kind == "kill":
            victim.end(signal.SIGKILL)
        elif kind == "end":
            victim.end(signal.SIGINT)
        elif kind == "stop":
            victim.process.send_signal(signal.SIGSTOP)
        else:
            victim.proxy.cut()
        began = time.monotonic()
        until(f"another member runs the stream after {kind} (seed {seed}): {described()}",
              lambda: any(member.runs("s") for member in others))
        times[kind].append(time.monotonic() - began)
        if kind in ("kill", "end"):
            victim.start()
        elif kind == "stop":
            before, receiver.watched = receiver.late.copy(), victim
            victim.process.send_signal(signal.SIGCONT)
            until(f"the member that was stopped says that it waits (seed {seed}): {described()}",
                  lambda: victim.says_waiting("s"))
            receiver.watched, late = None, receiver.late - before
            if any(late[path] > flights for path, flights in FLIGHTS.items()):
                raise AssertionError(f"a member that was stopped has delivered {late} (seed {seed}): {described()}")
        else:
            until(f"the member that was cut off says that it waits (seed {seed}): {described()}",
                  lambda: victim.says_waiting("s"))
            victim.proxy.heal()
    # What a member has shown and could not store is put out again by the next holder.
    before = len(receiver.bodies)
    until(f"the last holder delivers (seed {seed}): {described()}", lambda: len(receiver.bodies) > before + 50)
    for member in members:
        member.end(signal.SIGINT)
    # The hub takes the stream back, and delivers the rest.
    until("the lease is free", lambda: hub.ask("POST", "/streams/s/resume")[0] == 200)
    hub.json("POST", "/streams/s/pause")
    until("everything is delivered", lambda: all(
        sink["waiting"] == 0 for sink in hub.json("GET", "/streams/s/sinks")))
    outputs = output(hub, "s")
    expected = [n * (n + 1) // 2 for n in range(len(outputs))]
    if [(event["run"], event["sequence"], event["value"]) for event in outputs] != [
            (1, n + 1, value) for n, value in enumerate(expected)]:
        raise AssertionError(f"the outputs are not those of one run (seed {seed})")
    for fault in receiver.faults:
        raise AssertionError(f"{fault} (seed {seed})")
    runs = {key.split("/")[1] for key in receiver.bodies}
    if len(runs) != 1:
        raise AssertionError(f"the keys name the runs {runs} (seed {seed})")
    ordered = [value for _, value in receiver.processed["/ordered"]]
    if ordered != expected:
        at = next((i for i, (a, b) in enumerate(zip(ordered, expected)) if a != b), min(len(ordered), len(expected)))
        raise AssertionError(f"ordered (seed {seed}): {len(ordered)} of {len(expected)}, different at {at}: {ordered[at:at + 3]}")
    keyed = [value for _, value in receiver.processed["/keyed"]]
    for key in range(5):
        if [n for n in keyed if n % 5 == key] != [n for n in expected if n % 5 == key]:
            raise AssertionError(f"keyed (seed {seed}): the order of the key {key} is lost, or an output")
    for member in members:
        for line in member.lines:
            if "value" in line and [line["value"]] != expected[line["sequence"] - 1:line["sequence"]]:
                raise AssertionError(f"{member.name} shows {line} of {len(expected)} outputs (seed {seed}): {described()}")
    shown = {line["sequence"] for member in members for line in member.lines if "value" in line}
    missing = set(range(1, len(expected) - 200)) - shown
    if missing:
        raise AssertionError(f"no member has shown {sorted(missing)[:3]} (seed {seed})")
    text = judge(times)
    hub.kill()
    return (f"{ACCIDENTS} accidents, {hubs} of them kills of the hub (seed {seed}), {len(outputs)} outputs, "
            f"{receiver.repeated} repeated keys: none lost, none twice by key, order kept, one run; late deliveries of "
            f"stopped members: {sum(receiver.late.values())}; {text}")


def judge(times):
    """Checks the times after which another member has the stream. A machine that is busy may delay some of them."""
    lost = [seconds for kind, all in times.items() for seconds in all if kind != "end"]
    text = f"the next holder came after {statistics.median(lost):.1f} s, {max(lost):.1f} s at most"
    if statistics.median(lost) > 10 or max(lost) > 20:
        raise AssertionError(f"{text} (seed {seed})")
    # A lease that is not given back lasts 6 s, so that a member that ends has given it back.
    if times["end"]:
        text += f"; {min(times['end']):.1f} s after a member has ended"
        if min(times["end"]) > 4:
            raise AssertionError(f"{text} (seed {seed})")
    return text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([accidents]))
