"""Hubs that share their streams on NATS JetStream.

Usage: cluster.py SLUICE NATS-SERVER [NAME]

Starts real servers on loopback: edits reach the runs of the other hub, no update is lost, runs continue while NATS is away,
a hub of one file joins with `sluice migrate`, and items go from hub to hub through kills of both and of the server: by a subject, through a
work queue, and by `subscribe`. NAME chooses the checks whose name contains it. SLUICE is a build with the trait NATS. Ends with `N passed, N failed`.
"""
import json
import random
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

from hub import Hub, output, run_checks, until
from nats_server import Nats as Server

SLUICE, SERVER = sys.argv[1], sys.argv[2]


def Nats():
    return Server(SERVER)


def hub(nats, name, *options):
    return Hub(SLUICE, f"{nats.folder}/{name}.sqlite", "--nats", nats.address, *options)


def counter(step):
    return json.dumps({"source": {"interval": {"seconds": 0.01}},
                       "operators": [{"id": "sum", "scan": {"expression": f"acc + {step}", "initialValue": 0}}]})


def put(at, name, text, revision=None):
    """Stores a document, and returns its revision; `None` where another one is stored."""
    field = {"If-None-Match": "*"} if revision is None else {"If-Match": f'"{revision}"'}
    status, answer = at.ask("PUT", f"/streams/{name}", text, field)
    if status == 412:
        return None
    if status >= 300:
        raise AssertionError(f"PUT is answered with {status}: {answer}")
    return 1 if revision is None else revision + 1


def has(at, name, revision):
    return any(head["id"] == name and head["revision"] == revision for head in at.json("GET", "/streams"))


def running_pair():
    """Returns a server, and two hubs over it, of which the second runs the stream `sums`."""
    nats = Nats()
    one, two = hub(nats, "one"), hub(nats, "two")
    put(one, "sums", counter(1))
    until("the stream is there", lambda: has(two, "sums", 1))
    two.json("POST", "/streams/sums/start")
    until("it runs", lambda: output(two, "sums"))
    return nats, one, two


def edits_reach_the_other_hub():
    nats, one, two = running_pair()
    times = []
    for revision in range(1, 31):
        put(one, "sums", counter(revision + 1), revision)
        begin = time.monotonic()
        while two.json("GET", "/streams/sums/run")["revision"] <= revision:
            time.sleep(0.001)
        times.append(time.monotonic() - begin)
    values = [event["value"] for event in output(two, "sums")]
    steps = [b - a for a, b in zip(values, values[1:])]
    if steps != sorted(steps) or steps[0] != 1:
        raise AssertionError(f"the state was not kept: {steps}")
    times.sort()
    text = f"an edit runs on the other hub after {1000 * statistics.median(times):.0f} ms, {1000 * times[-1]:.0f} ms at most"
    if statistics.median(times) > 0.2:
        raise AssertionError(text)
    nats.kill()
    return text


def no_update_is_lost():
    nats = Nats()
    hubs = [hub(nats, "one"), hub(nats, "two")]
    writers, edits, conflicts = 8, 100, [0] * 8
    put(hubs[0], "a", json.dumps({"description": "", "stream": []}))
    until("it is there", lambda: has(hubs[1], "a", 1))

    def write(number):
        at = hubs[number % 2]
        for edit in range(edits):
            while True:
                with urllib.request.urlopen(at.base + "/streams/a") as answer:
                    revision, document = int(answer.headers["ETag"].strip('"')), json.loads(answer.read())
                document["description"] += f"{number}.{edit} "
                if put(at, "a", json.dumps(document), revision):
                    break
                conflicts[number] += 1

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    last = 1 + writers * edits
    for at in hubs:
        until("every edit is there", lambda: has(at, "a", last))
        marks = at.json("GET", "/streams/a")["description"].split()
        if sorted(marks) != sorted(f"{n}.{e}" for n in range(writers) for e in range(edits)):
            raise AssertionError(f"{len(marks)} of {writers * edits} edits are there")
    nats.kill()
    return f"{writers} writers × {edits} edits over two hubs: {sum(conflicts)} conflicts, 0 lost"


def runs_continue_while_nats_is_away():
    nats, one, two = running_pair()
    nats.kill()
    count = len(output(two, "sums"))
    until("it runs on", lambda: len(output(two, "sums")) > count + 100)
    if one.ask("PUT", "/streams/sums", counter(2), {"If-Match": '"1"'})[0] != 503:
        raise AssertionError("a write is not refused with 503 while NATS is away")
    if one.json("GET", "/health") != {"status": "ok", "shared": "away"}:
        raise AssertionError("the health does not say that NATS is away")
    if not has(one, "sums", 1) or one.ask("GET", "/streams/sums/revisions")[0] != 200:
        raise AssertionError("reads are not answered while NATS is away")
    begin = time.monotonic()
    nats.start()
    until("a write is accepted", lambda: one.ask("PUT", "/streams/sums", counter(5), {"If-Match": '"1"'})[0] != 503)
    until("the other hub has it", lambda: two.json("GET", "/streams/sums/run")["revision"] == 2)
    seconds = time.monotonic() - begin
    events = output(two, "sums")
    if [event["sequence"] for event in events] != list(range(1, len(events) + 1)):
        raise AssertionError("outputs are missing, or twice")
    one.kill()
    if "away" not in one.errors:
        raise AssertionError(f"the hub does not report it: {one.errors}")
    nats.kill()
    return f"runs continue while NATS is away; an edit runs {seconds:.1f} s after it was started again"


def a_hub_catches_up():
    nats = Nats()
    one, two = hub(nats, "one"), hub(nats, "two")
    for name in ("kept", "gone"):
        put(one, name, counter(1))
        until("it is there", lambda: has(two, name, 1))
        two.json("POST", f"/streams/{name}/start")
        until("it runs", lambda: output(two, name))
    two.kill()
    put(one, "kept", counter(1000), 1)
    one.ask("DELETE", "/streams/gone", None, {"If-Match": '"1"'})
    two = hub(nats, "two")
    until("the run has the edit", lambda: two.json("GET", "/streams/kept/run")["revision"] == 2)
    if two.ask("GET", "/streams/gone")[0] != 404:
        raise AssertionError("a stream that was removed is still there")
    until("it runs on", lambda: output(two, "kept")[-1]["value"] > 1000)
    events = output(two, "kept")
    if [event["sequence"] for event in events] != list(range(1, len(events) + 1)):
        raise AssertionError("outputs are missing, or twice")
    nats.kill()
    return "a hub that was killed takes over what has changed, and its run continues"


def a_file_joins():
    nats = Nats()
    store = f"{nats.folder}/alone.sqlite"
    alone = Hub(SLUICE, store)
    put(alone, "sums", counter(1))
    put(alone, "sums", counter(2), 1)
    alone.json("POST", "/streams/sums/start")
    until("it runs", lambda: len(output(alone, "sums")) > 10)
    history = alone.json("GET", "/streams/sums/revisions")
    alone.kill()
    refused = subprocess.run([SLUICE, "serve", "--port", "0", "--store", store, "--nats", nats.address],
                             capture_output=True, text=True, timeout=600)
    if refused.returncode == 0 or "sluice migrate" not in refused.stderr:
        raise AssertionError(f"a file that isn't shared is not refused: {refused.stderr}")
    given = [subprocess.run([SLUICE, "migrate", "--store", store, "--nats", nats.address], capture_output=True, text=True,
                            timeout=600) for _ in range(2)]
    if given[0].returncode != 0 or not given[1].stdout.startswith("0 documents"):
        raise AssertionError(f"{given}")
    alone, other = Hub(SLUICE, store, "--nats", nats.address), hub(nats, "other")
    for at in (alone, other):
        if at.json("GET", "/streams/sums/revisions") != history:
            raise AssertionError("the history is not the same")
    count = len(output(alone, "sums"))
    until("it runs on", lambda: len(output(alone, "sums")) > count + 10)
    events = output(alone, "sums")
    if [event["value"] for event in events] != [2 * n for n in range(1, len(events) + 1)]:
        raise AssertionError("outputs are missing, or twice")
    put(other, "sums", counter(3), 2)
    until("an edit reaches it", lambda: alone.json("GET", "/streams/sums/run")["revision"] == 3)
    nats.kill()
    return f"a file joins: {given[0].stdout.split(' from ')[0]}, no revision and no output is lost"


def sent_through_kills(nats, hubs, kills, seed):
    """Kills hubs and the server while `out` of the first hub sends, and returns what it has sent when `in` of the second has all."""
    chance = random.Random(seed)
    for _ in range(kills):
        time.sleep(chance.uniform(0.05, 0.6))
        victim = chance.choice(["one", "two", "nats"])
        if victim == "nats":
            nats.kill()
            time.sleep(chance.uniform(0, 0.5))
            nats.start()
        else:
            hubs[victim].kill()
            hubs[victim] = hub(nats, victim)
    hubs["one"].json("POST", "/streams/out/pause")
    until("it pauses", lambda: hubs["one"].json("GET", "/streams/out/run")["state"] == "paused")
    time.sleep(1)
    sent = [event["value"] for event in output(hubs["one"], "out")]
    until("all have come", lambda: len(output(hubs["two"], "in")) >= len(sent))
    return sent


def items_go_from_hub_to_hub():
    nats = Nats()
    nats.create("ORDERS", "orders.*")
    hubs = {name: hub(nats, name) for name in ("one", "two")}
    put(hubs["one"], "out", json.dumps({
        "source": {"interval": {"seconds": 0.005}},
        "sinks": [{"id": "to", "publish": {"subject": "orders.a"}}]}))
    put(hubs["one"], "in", json.dumps({
        "source": {"subject": "orders.*"}}))
    until("they are there", lambda: has(hubs["two"], "in", 1))
    hubs["one"].json("POST", "/streams/out/start")
    hubs["two"].json("POST", "/streams/in/start")
    sent = sent_through_kills(nats, hubs, 24, 7)
    time.sleep(0.5)
    come = [event["value"] for event in output(hubs["two"], "in")]
    lost, twice = len(set(sent) - set(come)), len(come) - len(set(come))
    text = f"items from hub to hub: {len(sent)} items, 24 kills of hubs and NATS, {lost} lost, {twice} duplicated"
    if come != sent or sent != list(range(len(sent))):
        raise AssertionError(text)
    nats.kill()
    return text


def a_work_queue_is_emptied():
    """Items go from a hub to another through a work queue: what the reader has stored is removed, and nothing else is."""
    nats = Nats()
    nats.create("QUEUE", "queue", "workqueue")
    hubs = {name: hub(nats, name) for name in ("one", "two")}
    put(hubs["one"], "out", json.dumps({"source": {"interval": {"seconds": 0.005}}, "sinks": [{"id": "to", "publish": {"subject": "queue"}}]}))
    put(hubs["one"], "in", json.dumps({"source": {"subject": {"subject": "queue", "consumer": "in"}}}))
    until("they are there", lambda: has(hubs["two"], "in", 1))
    hubs["one"].json("POST", "/streams/out/start")
    hubs["two"].json("POST", "/streams/in/start")
    chance, kills = random.Random(11), 16
    for _ in range(kills):
        time.sleep(chance.uniform(0.05, 0.6))
        hubs["two"].kill()
        hubs["two"] = hub(nats, "two")
    hubs["one"].json("POST", "/streams/out/pause")
    until("it pauses", lambda: hubs["one"].json("GET", "/streams/out/run")["state"] == "paused")
    time.sleep(1)
    sent = [event["value"] for event in output(hubs["one"], "out")]
    until("all have come", lambda: len(output(hubs["two"], "in")) >= len(sent))
    until("the queue is empty", lambda: nats.messages("QUEUE") == 0)
    come = [event["value"] for event in output(hubs["two"], "in")]
    lost, twice = len(set(sent) - set(come)), len(come) - len(set(come))
    text = f"a work queue: {len(sent)} items, {kills} kills of the reader, {lost} lost, {twice} duplicated, 0 left in the queue"
    if come != sent:
        raise AssertionError(text)
    nats.kill()
    return text


def a_subscription_reaches_the_other_hub():
    """A stream of one hub reads a stream of the other with `subscribe`, also behind the same names on both, through kills of all."""
    nats = Nats()
    hubs = {name: hub(nats, name) for name in ("one", "two")}
    put(hubs["one"], "out", json.dumps({"source": {"interval": {"seconds": 0.005}}}))
    put(hubs["one"], "in", json.dumps({"source": {"subscribe": {"stream": "out", "from": "start"}}}))
    put(hubs["one"], "errors", json.dumps({"source": {"subscribe": {"stream": "out", "of": "errors"}}}))
    until("they are there", lambda: has(hubs["two"], "errors", 1))
    hubs["one"].json("POST", "/streams/out/start")
    until("it runs for a while", lambda: len(output(hubs["one"], "out")) > 200)
    # The first reader wants what comes from now on, and the one that comes later wants everything.
    hubs["two"].json("POST", "/streams/errors/start")
    until("there is a place for shared outputs", lambda: "sluice-outputs" in (nats.ask("STREAM.NAMES", {})["streams"] or []))
    until("the stream is shared", lambda: nats.messages("sluice-outputs") > 0)
    hubs["two"].json("POST", "/streams/in/start")
    until("the first items come", lambda: len(output(hubs["two"], "in")) > 100)
    sent = sent_through_kills(nats, hubs, 24, 13)
    # The stream moves: it ends on one hub, and begins on the other, whose own outputs follow.
    hubs["one"].json("POST", "/streams/out/stop")
    hubs["two"].json("POST", "/streams/out/start")
    until("those of the other hub come", lambda: len(output(hubs["two"], "in")) > len(sent) + 100)
    hubs["two"].json("POST", "/streams/out/stop")
    time.sleep(1)
    own = [event["value"] for event in output(hubs["two"], "out")]
    until("all of them come", lambda: len(output(hubs["two"], "in")) >= len(sent) + len(own))
    come = [event["value"] for event in output(hubs["two"], "in")]
    if come != sent + own or sent != list(range(len(sent))):
        raise AssertionError(f"{len(come)} items of {len(sent)} and {len(own)} have come: {come[:5]} … {come[-5:]}")
    # An error comes too.
    put(hubs["one"], "out", json.dumps({"source": {"interval": {"seconds": 0.005}}, "operators": [{"map": {"expression": "1 / (x - 5)"}}]}), 1)
    hubs["one"].json("POST", "/streams/out/start")
    until("the error comes", lambda: output(hubs["two"], "errors"))
    error = output(hubs["two"], "errors")[0]["value"]
    if error["kind"] != "failed" or "zero" not in error["error"]:
        raise AssertionError(f"the error is {error}")
    nats.kill()
    return (f"a subscription across hubs: {len(sent)} items, 24 kills of hubs and NATS, 0 lost, 0 duplicated; then "
            f"{len(own)} of the hub itself, and an error")


CHECKS = [edits_reach_the_other_hub, no_update_is_lost, runs_continue_while_nats_is_away, a_hub_catches_up, a_file_joins,
          items_go_from_hub_to_hub, a_work_queue_is_emptied, a_subscription_reaches_the_other_hub]
WANTED = sys.argv[3] if len(sys.argv) > 3 else ""
sys.exit(run_checks([check for check in CHECKS if WANTED in check.__name__]))
