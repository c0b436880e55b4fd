"""A hub that is killed right after edits of what its running streams refer to.

Usage: references.py SLUICE KILLS

Runs streams that refer to each other, edits, renames, or deletes one of them, and kills the hub (kill -9) at a random
moment within a second after the answer. After each restart every stream runs on in its first run, without gap or
duplicate, on the texts of before or after the change. Ends with `N passed, N failed`.
"""
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from hub import Hub, output, run_checks, until
from seeds import chosen_seed

SLUICE, KILLS = sys.argv[1], int(sys.argv[2])
seed = chosen_seed()
chance = random.Random(seed)

RUNNING = ["through-id", "through-name", "through-both"]


def base(offset, name="Base"):
    """A source whose values are 0, 1, 2, …, with a mark of its revision that keeps the plan."""
    return {"id": "base", "name": name, "x-offset": offset, "source": {"interval": {"seconds": 0.02}},
            "operators": [{"id": "m", "map": {"expression": f"x + 0 * {offset}"}}]}


DOCUMENTS = [
    {"id": "through-id", "source": {"ref": "base"}, "operators": [{"id": "s", "scan": {"expression": "acc + x"}}]},
    {"id": "through-name", "source": {"ref": "Base"}, "operators": [{"id": "s", "scan": {"expression": "acc + x"}}]},
    {"id": "through-both", "source": {"ref": "through-id"}, "operators": [{"id": "m", "map": {"expression": "x * 2"}}]},
]


def value(stream, n):
    return n * (n + 1) // 2 * (2 if stream == "through-both" else 1)


def check(hub):
    for name in RUNNING:
        events = output(hub, name)
        for index, event in enumerate(events):
            if event["sequence"] != index + 1 or event["run"] != 1 or event.get("value") != value(name, index):
                raise AssertionError(f"{name}: the {index + 1}th output is {event}, expected {value(name, index)}"
                                     f" (seed {seed})")


def revision(hub, id):
    return next((head["revision"] for head in hub.json("GET", "/streams") if head["id"] == id), None)


def change(hub, number):
    """Makes a random change, and returns its name."""
    at = revision(hub, "base")
    if at is None:
        hub.json("PUT", "/streams/base", json.dumps(base(number)), {"If-None-Match": "*"})
        return "create"
    match = {"If-Match": f'"{at}"'}
    kind = chance.choice(["edit", "edit", "edit", "rename", "delete", "edit a dependent"])
    if kind == "edit":
        hub.json("PUT", "/streams/base", json.dumps(base(number)), match) if name_of(hub) == "Base" else \
            hub.json("PUT", "/streams/base?dependents=keep", json.dumps(base(number)), match)
    elif kind == "rename":
        status, text = hub.ask("PUT", "/streams/base?dependents=keep", json.dumps(base(number, "Root")), match)
        if status != 200:
            raise AssertionError(f"a rename is answered with {status}: {text}")
    elif kind == "delete":
        status, text = hub.ask("DELETE", "/streams/base", headers=match)
        if status != 409 or not json.loads(text)["dependents"]:
            raise AssertionError(f"a deletion that breaks others is answered with {status}: {text}")
        status, text = hub.ask("DELETE", "/streams/base?dependents=keep", headers=match)
        if status != 204:
            raise AssertionError(f"a deletion is answered with {status}: {text}")
    else:
        document = dict(DOCUMENTS[0], **{"x-number": number})
        hub.json("PUT", "/streams/through-id?dependents=keep", json.dumps(document),
                 {"If-Match": f'"{revision(hub, "through-id")}"'})
    return kind


def name_of(hub):
    return next(head.get("name") for head in hub.json("GET", "/streams") if head["id"] == "base")


def edits():
    store = str(folder / "references.sqlite")
    hub = Hub(SLUICE, store)
    for document in [base(0)] + DOCUMENTS:
        hub.json("PUT", f"/streams/{document['id']}", json.dumps(document), {"If-None-Match": "*"})
    for name in RUNNING:
        hub.json("POST", f"/streams/{name}/start")
    for name in RUNNING:
        until(f"the first output of {name}", lambda: output(hub, name))
    changes = []
    for number in range(1, KILLS + 1):
        changes.append(change(hub, number))
        time.sleep(chance.choice([0, chance.uniform(0, 0.05), chance.uniform(0, 1)]))
        hub.kill()
        hub = Hub(SLUICE, store)
        for name in RUNNING:
            least = len(output(hub, name)) + 1
            until(f"an output of {name} after a kill after {changes[-1]} (seed {seed}): "
                  f"{hub.json('GET', f'/streams/{name}/run')}", lambda: len(output(hub, name)) >= least)
    check(hub)
    counts = {kind: changes.count(kind) for kind in sorted(set(changes))}
    total = len(output(hub, RUNNING[0]))
    hub.kill()
    return f"{KILLS} kills after {counts}, {total} outputs of one stream without gap or duplicate"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([edits]))
