"""A hub that is killed again and again while it posts what a stream puts out to a receiver that fails for a while.

Usage: deliveries.py SLUICE KILLS

Starts `sluice serve` on a store of its own, with streams that deliver in order, in order of keys, and in batches, and a
receiver that records the idempotency keys, answers some requests with errors, and is away for a while. The hub is killed
(kill -9) at random moments, and the streams are edited in between. In the end each output has arrived, with a key, the
same request for the same key, once by key, and in order. Ends with `N passed, N failed`.
"""
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from hub import Hub, output, run_checks, until
from receiver import Receiver
from seeds import chosen_seed

SLUICE, KILLS = sys.argv[1], int(sys.argv[2])
seed = chosen_seed()
chance = random.Random(seed)


def documents(port, edit):
    """The documents of the streams; an edit changes their text, and not what is delivered."""
    def sink(path, **rest):
        return {"id": "hook", "note": f"edit {edit}", "post": {"url": f"http://127.0.0.1:{port}/{path}", **rest}}

    def stream(seconds, sink):
        return {"source": {"interval": {"seconds": seconds}}, "sinks": [sink]}

    return {
        "ordered": stream(0.02, sink("ordered", headers={"X-Edit": str(edit)})),
        "keyed": stream(0.01, sink("keyed", concurrency=8, key="x % 5", when="x % 3 != 1")),
        "batched": stream(0.01, sink("batched", batch={"count": 20, "seconds": 0.3}, body="{'items': x}")),
    }


def kills():
    receiver = Receiver()
    store = str(folder / "hub.sqlite")
    options = ["--allow", f"127.0.0.1:{receiver.port}"]
    hub = Hub(SLUICE, store, *options)
    for name, document in documents(receiver.port, 0).items():
        hub.json("PUT", f"/streams/{name}", json.dumps(document), {"If-None-Match": "*"})
        hub.json("POST", f"/streams/{name}/start")
    revisions = dict.fromkeys(documents(0, 0), 1)
    for kill in range(KILLS):
        time.sleep(chance.uniform(0.1, 0.8))
        if kill % 4 == 2:
            name = chance.choice(list(revisions))
            document = documents(receiver.port, kill)[name]
            hub.json("PUT", f"/streams/{name}", json.dumps(document), {"If-Match": f'"{revisions[name]}"'})
            revisions[name] += 1
        # The receiver is away for a while.
        receiver.failing = 200 if kill % 5 == 1 else 20
        time.sleep(chance.uniform(0, 0.3))
        hub.kill()
        hub = Hub(SLUICE, store, *options)
    receiver.failing = 0
    for name in revisions:
        hub.json("POST", f"/streams/{name}/pause")
    counts = {name: len(output(hub, name)) for name in revisions}

    def is_done():
        for name in revisions:
            sink = hub.json("GET", f"/streams/{name}/sinks")[0]
            if sink["state"] == "waiting":
                hub.ask("POST", f"/streams/{name}/sinks/hook/retry")
            if sink["waiting"] or sink["state"] == "blocked":
                return False
        return True

    until("everything is delivered", is_done)
    for fault in receiver.faults:
        raise AssertionError(f"{fault} (seed {seed})")
    expected = list(range(counts["ordered"]))
    if receiver.values("/ordered") != expected:
        raise AssertionError(f"ordered (seed {seed}): {counts} {difference(receiver.values('/ordered'), expected)}")
    keyed = receiver.values("/keyed")
    expected = [n for n in range(counts["keyed"]) if n % 3 != 1]
    if sorted(keyed) != expected:
        raise AssertionError(f"keyed (seed {seed}): {counts} {difference(sorted(keyed), expected)}")
    for key in range(5):
        if [n for n in keyed if n % 5 == key] != [n for n in expected if n % 5 == key]:
            raise AssertionError(f"keyed (seed {seed}): the order of the key {key} is lost")
    batched = [n for body in receiver.values("/batched") for n in body["items"]]
    # The last batch waits for its time, which is paused for the stream and not for the sink.
    if batched != list(range(counts["batched"])):
        raise AssertionError(f"batched (seed {seed}): {difference(batched, list(range(counts['batched'])))}")
    hub.kill()
    total = sum(counts.values())
    return (f"{KILLS} kills (seed {seed}), {total} outputs, {receiver.attempts} attempts: none undelivered, none without "
            "a key, none twice, order kept")


def difference(got, expected):
    """Says where two lists differ."""
    for index, (a, b) in enumerate(zip(got, expected)):
        if a != b:
            return f"at {index}: {a}, expected {b}"
    return f"{len(got)} of {len(expected)}"


def letters():
    """Refused deliveries go to the dead letters, and are sent again under keys of their own."""
    receiver = Receiver()
    receiver.failing = 0
    refused = {"/no"}
    take = receiver.take
    receiver.take = lambda path, key, body: 404 if path in refused else take(path, key, body)
    hub = Hub(SLUICE, str(folder / "letters.sqlite"), "--allow", f"127.0.0.1:{receiver.port}")
    post = {"url": f"http://127.0.0.1:{receiver.port}/no", "onFailure": "skip", "body": "{'n': x}"}
    document = {"source": {"values": [1, 2, 3]}, "sinks": [{"id": "hook", "post": post}]}
    hub.json("PUT", "/streams/a", json.dumps(document), {"If-None-Match": "*"})
    hub.json("POST", "/streams/a/start")
    until("three letters", lambda: len(hub.json("GET", "/streams/a/dead-letters")) == 3)
    listed = hub.json("GET", "/streams/a/dead-letters")
    if [letter["items"] for letter in listed] != [[1], [2], [3]] or any("404" not in letter["error"] for letter in listed):
        raise AssertionError(f"the letters are {listed}")
    refused.clear()
    number = listed[1]["number"]
    status, _ = hub.ask("DELETE", f"/streams/a/dead-letters/{listed[0]['number']}")
    if status != 204:
        raise AssertionError(f"a letter is dropped with {status}")
    hub.json("POST", f"/streams/a/dead-letters/{number}/resend")
    until("the letter is sent", lambda: len(hub.json("GET", "/streams/a/dead-letters")) == 1)
    key, value = receiver.processed["/no"][0]
    if value != {"n": 2} or key != f'"{listed[1]["key"]}/2"':
        raise AssertionError(f"the letter arrives as {key} {value}")
    # A sink that is not allowed to reach its receiver is blocked, and says what to do.
    post = {"url": "http://127.0.0.1:9/"}
    document = {"source": {"values": [1]}, "sinks": [{"id": "hook", "post": post}]}
    hub.json("PUT", "/streams/b", json.dumps(document), {"If-None-Match": "*"})
    hub.json("POST", "/streams/b/start")
    until("the sink is blocked", lambda: hub.json("GET", "/streams/b/sinks")[0]["state"] == "blocked")
    sink = hub.json("GET", "/streams/b/sinks")[0]
    if "--allow 127.0.0.1:9" not in sink["error"]:
        raise AssertionError(f"the error is {sink['error']}")
    # An edit lets it continue.
    post["url"] = f"http://127.0.0.1:{receiver.port}/yes"
    hub.json("PUT", "/streams/b", json.dumps(document), {"If-Match": '"1"'})
    until("the edited sink delivers", lambda: receiver.values("/yes") == [1])
    hub.kill()
    return "dead letters are listed, dropped, and sent again; an edit continues a blocked sink"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([kills, letters]))
