"""A follower that is killed again and again.

Usage: following.py SLUICE KILLS

Runs a hub, and a follower that is killed (kill -9) at a random moment, KILLS times, while its streams are edited: also
while it is away. Its lines have every output of every stream, without gap, and those that are repeated are equal. The hub
knows one member at all times. Ends with `N passed, N failed`.
"""
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hub import STREAMS, Hub, run_checks, until
from seeds import chosen_seed

SLUICE, KILLS = sys.argv[1], int(sys.argv[2])
seed = chosen_seed()
chance = random.Random(seed)

BASE = {"id": "base", "source": {"interval": {"seconds": 0.02}}}
# A stream that continues from its state only, and one that is compiled from two documents.
DOCUMENTS = {
    **{name: (dict(document, id=name), value) for name, (document, value) in STREAMS.items()},
    "referring": ({"id": "referring", "source": {"ref": "base"}, "operators": [
        {"id": "sum", "scan": {"expression": "acc + x", "initialValue": 0}}]}, lambda n: n * (n + 1) // 2),
}


class Follower:
    """`sluice follow` in a process of its own, whose lines go to a file."""
    count = 0

    def __init__(self, hub, store):
        Follower.count += 1
        self.path = folder / f"lines-{Follower.count}"
        self.errors = folder / f"errors-{Follower.count}"
        with open(self.path, "w") as lines, open(self.errors, "w") as errors:
            self.process = subprocess.Popen([SLUICE, "follow", hub.base, "--group", "g", "--store", store],
                                            stdout=lines, stderr=errors)

    @property
    def lines(self):
        text = self.path.read_text()
        return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]

    def kill(self):
        self.process.kill()
        self.process.wait()


def edit(hub, name, document):
    revision = next(head["revision"] for head in hub.json("GET", "/streams") if head["id"] == name)
    hub.json("PUT", f"/streams/{name}", json.dumps(document), {"If-Match": f'"{revision}"'})


def change(hub, number):
    """Edits a stream so that its values stay what they are."""
    name = chance.choice(["base", "referring", "sums", "late"])
    document = BASE if name == "base" else DOCUMENTS[name][0]
    edit(hub, name, dict(document, **{"x-number": number}))


def put(hub, path):
    status, text = hub.ask("PUT", path)
    if status >= 300:
        raise AssertionError(f"PUT {path} is answered with {status}: {text}")


def members(hub):
    return hub.json("GET", "/groups/g")["members"]


def kills():
    hub = Hub(SLUICE, str(folder / "hub.sqlite"))
    put(hub, "/groups/g")
    hub.json("PUT", "/streams/base", json.dumps(BASE), {"If-None-Match": "*"})
    for name, (document, _) in DOCUMENTS.items():
        hub.json("PUT", f"/streams/{name}", json.dumps(document), {"If-None-Match": "*"})
        put(hub, f"/groups/g/streams/{name}")
    store, followers, ids = str(folder / "member.sqlite"), [], set()
    for number in range(KILLS + 1):
        if number and chance.random() < 0.5:
            change(hub, number)
        follower = Follower(hub, store)
        followers.append(follower)
        heard = lambda: {line["stream"] for line in follower.lines if "value" in line}
        until(f"values of all streams in life {number + 1} (seed {seed}): {follower.errors.read_text()}",
              lambda: heard() == set(DOCUMENTS))
        if chance.random() < 0.5:
            change(hub, -number)
        time.sleep(chance.choice([0, chance.uniform(0, 0.1), chance.uniform(0, 1.5)]))
        if number < KILLS:
            follower.kill()
        ids |= {member["id"] for member in members(hub)}
        if len(members(hub)) > 1 or len(ids) > 1:
            raise AssertionError(f"the hub knows {members(hub)} (seed {seed})")
    until("a report of the last revisions", lambda: all(
        stream["revision"] == next(head["revision"] for head in hub.json("GET", "/streams") if head["id"] == stream["id"])
        and stream["state"] == "running" for stream in members(hub)[0]["streams"]))
    followers[-1].process.send_signal(signal.SIGINT)
    status = followers[-1].process.wait()
    if status != 130:
        raise AssertionError(f"the follower ends with {status}")
    if members(hub):
        raise AssertionError(f"the hub still has {members(hub)}")
    total = sum(check(name, [line for follower in followers for line in follower.lines if line["stream"] == name])
                for name in DOCUMENTS)
    starts = [line for follower in followers[1:] for line in follower.lines if line.get("taken") == "started"]
    if starts:
        raise AssertionError(f"runs began again: {starts[:3]} (seed {seed})")
    hub.kill()
    return f"{KILLS} kills, {total} outputs of {len(DOCUMENTS)} streams without gap"


def check(name, lines):
    """Checks that each output was printed, and each time the same."""
    value = DOCUMENTS[name][1]
    outputs = {}
    for line in lines:
        if "value" not in line:
            continue
        if line["run"] != 1 or line["value"] != value(line["sequence"] - 1):
            raise AssertionError(f"{name}: {line}, expected {value(line['sequence'] - 1)} (seed {seed})")
        outputs[line["sequence"]] = line["value"]
    missing = [number for number in range(1, max(outputs) + 1) if number not in outputs]
    if missing:
        raise AssertionError(f"{name}: the outputs {missing[:5]} are missing (seed {seed})")
    return len(outputs)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([kills]))
