"""A hub with sources and sinks of every kind that is killed again and again, with edits and outages.

Usage: kinds.py SLUICE KILLS [NATS-SERVER]

Streams read a followed log, a file, pages, one answer, numbered events, a webhook with a request for each item, a schedule,
and the outputs, the errors, and the states of other streams. Each of them posts its outputs, writes them to a file, and
publishes them to a subject of NATS. Another stream reads these subjects, and delivers what it reads in the same three ways.
The hub is killed (kill -9) at random moments. In between the streams are edited; and the receiver, what the sources read, and
NATS are away for a while. In the end each stream has every item of its source once and in order. The receiver has each output
under one key, once by key and in order, or in order of the keys of a stream with `concurrency`. The files have each output at
least once and in order, and the subjects exactly once and in order.
Without NATS-SERVER there is no `publish` and no `subject`. Ends with `N passed, N failed`.
"""
import datetime
import json
import random
import sys
import tempfile
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path

from feeds import PAGES, Feeds, Log, Senders, tenfold
from hub import Hub, run_checks, until
from kinds_documents import KEYS, documents
from nats_server import Nats
from receiver import Receiver
from seeds import chosen_seed
from server import Server

SLUICE, KILLS = sys.argv[1], int(sys.argv[2])
NATS = sys.argv[3] if len(sys.argv) > 3 else None
LINES = 500
seed = chosen_seed()
chance = random.Random(seed)


class World:
    """The hub, what its streams read, and what they deliver to."""

    def __init__(self):
        self.receiver = Receiver()
        Feeds.isAway = False
        self.feeds = ThreadingHTTPServer(("127.0.0.1", 0), Feeds)
        self.feeds.handle_error = lambda *arguments: None
        threading.Thread(target=self.feeds.serve_forever, daemon=True).start()
        self.enricher = Server(tenfold)
        self.files = folder / "files"
        self.files.mkdir()
        self.log = Log(str(self.files / "app.log"), pause=0.02)
        (self.files / "plain.txt").write_text("".join(f"{n}\n" for n in range(LINES)))
        self.options = ["--allow", "127.0.0.1", "--files", str(self.files)]
        self.nats = Nats(NATS) if NATS else None
        if self.nats:
            self.nats.create("OUT", "out.>")
            self.nats.create("BACK", "back")
            self.options += ["--nats", self.nats.address]
        self.hub = self.start()
        self.isPaused = False
        self.events = {id: [] for id in self.documents(0)}

    def start(self):
        return Hub(SLUICE, str(folder / "hub.sqlite"), *self.options)

    def documents(self, edit):
        """The documents by id; an edit changes their texts, and not what is put out and delivered."""
        return documents(edit, self.feeds.server_port, self.enricher.port, self.receiver.port, bool(self.nats))

    # MARK: Changes

    def begin(self):
        # What reads other streams begins first: of states, those before it begins are not read.
        for id, document in reversed(self.documents(0).items()):
            self.hub.json("PUT", f"/streams/{id}", json.dumps(document), {"If-None-Match": "*"})
        for id in self.documents(0):
            if id != "states":
                self.hub.json("POST", f"/streams/{id}/start")
        until("it runs", lambda: self.hub.json("GET", "/streams/faulty/run")["state"] == "running")
        self.hub.json("POST", "/streams/states/start")

    def edit(self, number):
        edited = self.documents(number)
        id = chance.choice(list(edited))

        def is_stored():
            head = next(head for head in self.hub.json("GET", "/streams") if head["id"] == id)
            status, text = self.hub.ask("PUT", f"/streams/{id}", json.dumps(edited[id]),
                                        {"If-Match": f'"{head["revision"]}"'})
            # NATS has just been started again, or the answer of the time before is lost.
            if status not in (200, 412, 503):
                raise AssertionError(f"an edit of {id} is answered with {status} (seed {seed}): {text}")
            return status == 200

        until(f"an edit of {id} (seed {seed})", is_stored)

    def toggle(self):
        """Pauses what others read errors and states of, or resumes it, after its present state was read."""
        present = "paused" if self.isPaused else "running"
        until(f"the state {present} is read (seed {seed})",
              lambda: [state["state"] for state in self.values("states")][-1:] == [present])
        self.hub.json("POST", f"/streams/faulty/{'resume' if self.isPaused else 'pause'}")
        self.isPaused = not self.isPaused

    def collect(self, id):
        """Returns all outputs of a stream, of which the hub keeps the last 10,000; none may be missing."""
        events = self.events[id]
        while True:
            after = events[-1]["cursor"] if events else "start"
            page = self.hub.json("GET", f"/streams/{id}/output?after={after}&limit=1000")
            events += page
            if [event["sequence"] for event in page] != list(range(len(events) - len(page) + 1, len(events) + 1)):
                raise AssertionError(f"outputs of {id} are missing after {after} (seed {seed})")
            if len(page) < 1000:
                return events

    def values(self, id):
        return [event["value"] for event in self.collect(id) if "value" in event]

    def delivered(self):
        """Returns the number of deliveries of each sink."""
        return {(id, sink["id"]): sink["delivered"]
                for id in self.documents(0) for sink in self.hub.json("GET", f"/streams/{id}/sinks")}

    def kill(self, number):
        for id in self.events:
            self.collect(id)
        outage = [None, "receiver", "feeds", "nats", "edit", None, "refused"][number % 7]
        if outage in (None, "edit"):
            before = self.delivered()
            until(f"each kind of sink delivers before kill {number} (seed {seed})", lambda: all(
                any(count > before[sink] for sink, count in self.delivered().items() if sink[1] == kind)
                for kind in {kind for _, kind in before}))
        self.receiver.failing = 200 if outage == "receiver" else 20
        Feeds.isAway = outage == "feeds"
        if outage == "refused":
            self.receiver.server.kill()
        if outage == "nats" and self.nats:
            self.nats.kill()
        if outage == "edit":
            self.edit(number)
        time.sleep(chance.uniform(0, 0.4))
        # Some outages end before the kill, some after it.
        isLong = chance.random() < 0.5
        if isLong:
            self.hub.kill()
        if outage == "refused":
            self.receiver.server.start()
        if outage == "nats" and self.nats:
            self.nats.start()
        if not isLong:
            time.sleep(chance.uniform(0, 0.2))
            self.hub.kill()
        self.hub = self.start()
        Feeds.isAway = False

    # MARK: The end

    def finish(self, senders):
        """Ends the sources, waits for what is left, and returns the values of each stream, and the items that it needs."""
        self.receiver.failing = 0
        self.log.end()
        answered = senders.end()

        until(f"all {self.log.count} lines (seed {seed})", lambda: len(self.values("log")) >= self.log.count)
        until(f"the answer (seed {seed})", lambda: {"answer": 1} in self.values("one"))
        until(f"all {len(answered)} items (seed {seed})", lambda: answered <= {value[0] for value in self.values("orders")})
        if not self.isPaused:
            self.toggle()
        for id in ("log", "pages", "numbers", "seconds", "orders"):
            self.hub.json("POST", f"/streams/{id}/pause")
        until(f"what is read of others (seed {seed})", lambda: len(self.values("reader")) == len(self.values("orders")) and (
            len(self.values("errors")) == sum("reported" in event for event in self.collect("faulty"))
            and self.values("states")[-1]["state"] == "paused"))
        until(f"all deliveries (seed {seed})", self.has_delivered)
        ids = [id for id in self.documents(0) if id not in ("back", "end")]
        if self.nats:
            total = sum(len(self.values(id)) for id in ids)
            until(f"all {total} messages (seed {seed})", lambda: len(self.values("back")) >= total and self.has_delivered())
            until(f"all {total} messages at the end (seed {seed})", lambda: len(self.values("end")) >= len(self.values("back")))
            ids += ["back", "end"]
        return {id: self.values(id) for id in ids}, answered

    def has_delivered(self):
        sinks = [(id, sink) for id in self.documents(0) for sink in self.hub.json("GET", f"/streams/{id}/sinks")]
        for id, sink in sinks:
            if sink["state"] == "blocked":
                raise AssertionError(f"a sink of {id} is blocked (seed {seed}): {sink}")
            if sink["state"] == "waiting":
                self.hub.ask("POST", f"/streams/{id}/sinks/{sink['id']}/retry")
        return not any(sink["waiting"] for _, sink in sinks)


def expect(text, got, wanted):
    """Compares two lists, and says where they differ."""
    if got != wanted:
        index = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
        raise AssertionError(f"{text} (seed {seed}): {len(got)} values, {len(wanted)} expected; at {index}: "
                             f"{got[max(0, index - 1):index + 3]}, expected {wanted[max(0, index - 1):index + 3]}")


def check_sources(world, values, answered, toggles):
    """Checks that each stream has the items of its source, each once and in order."""
    expect("log", values["log"], [n + 1 for n in range(world.log.count)])
    expect("plain", values["plain"], list(range(LINES)))
    expect("pages", values["pages"], [[n, n % PAGES + 1] for n in range(len(values["pages"]))])
    expect("numbers", values["numbers"], [n + 1 for n in range(len(values["numbers"]))])
    expect("one", values["one"], [{"answer": 1}])
    times = [datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() for text in values["seconds"]]
    expect("seconds", times, [times[0] + n for n in range(len(times))])
    numbers = [value[0] for value in values["orders"]]
    expect("orders", sorted(numbers), sorted(answered | set(numbers)))
    expect("answers of requests", [value[1] for value in values["orders"]], [10 * number for number in numbers])
    expect("outputs of another stream", values["reader"], values["orders"])
    events = world.collect("faulty")
    expect("errors of another stream", [(error["kind"], error["sequence"]) for error in values["errors"]],
           [("reported", event["sequence"]) for event in events if "reported" in event])
    expect("the stream with errors", [event.get("value") for event in events],
           [[None, 10, 5][n % 3] for n in range(len(events))])
    expect("states of another stream", [state["state"] for state in values["states"]],
           [["running", "paused"][n % 2] for n in range(toggles + 1)])


def check_sinks(world, values):
    """Checks that each sink has delivered all outputs of its stream; returns the number of lines that are there again."""
    again = 0
    for fault in world.receiver.faults:
        raise AssertionError(f"{fault} (seed {seed})")
    for id, wanted in values.items():
        if id == "end":
            continue
        posted = [value for body in world.receiver.values(f"/{id}") for value in body]
        if id in KEYS:
            # In order for each key: a stable sort by key makes the lists equal.
            expect(f"posts of {id}", sorted(posted, key=KEYS[id]), sorted(wanted, key=KEYS[id]))
        else:
            expect(f"posts of {id}", posted, wanted)
        # After a kill, lines whose delivery was not stored yet are written again, in order.
        texts = [value if isinstance(value, str) else json.dumps(value, sort_keys=True) for value in wanted]
        last = -1
        for line in (world.files / f"{id}.out").read_text().splitlines():
            text = line if id == "seconds" else json.dumps(json.loads(line), sort_keys=True)
            if last + 1 < len(texts) and text == texts[last + 1]:
                last += 1
            elif text in texts[max(0, last - 50):last + 1]:
                again += 1
            else:
                raise AssertionError(f"the file of {id} has {line} after the line {last + 1} (seed {seed})")
        expect(f"lines of {id}", texts[:last + 1], texts)
    if world.nats:
        came = values["back"]
        for id in (id for id in values if id not in ("back", "end")):
            expect(f"messages of {id}", [message["value"] for message in came if message["subject"] == f"out.{id}"], values[id])
        expect("messages of back", [message["value"] for message in values["end"]], came)
        ids = [message["id"] for message in came + values["end"]]
        expect("ids of messages", sorted(set(ids)), sorted(ids))
    return again


def kinds():
    world = World()
    world.begin()
    senders = Senders(lambda: f"{world.hub.base}/streams/orders/webhook/in", 2, pause=0.03)
    toggles = 0
    for number in range(KILLS):
        if number % 3 == 2:
            world.toggle()
            toggles += 1
        world.kill(number)
    toggles += not world.isPaused
    values, answered = world.finish(senders)
    check_sources(world, values, answered, toggles)
    again = check_sinks(world, values)
    world.hub.kill()
    if world.nats:
        world.nats.kill()
    total = sum(map(len, values.values()))
    return (f"{KILLS} kills (seed {seed}) of {len(values)} streams, sinks of {3 if world.nats else 2} kinds, {total} outputs, "
            f"{world.receiver.attempts} posts: nothing lost, nothing twice, order kept; {again} lines written again")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([kinds]))
