"""The way from one hub on SQLite to three workers on NATS, as docs/cluster-tutorial.md has it.

Usage: migrating.py SLUICE NATS-SERVER [NAME]

A hub with histories, counters, and deliveries that wait is ended, and `sluice migrate --group` gives its runs to workers; it is
killed again and again before it may finish. Nothing may be lost: no revision, no checkpoint, no delivery. NAME chooses the checks
whose name contains it. SLUICE is a build with the trait NATS. Ends with `N passed, N failed`.
"""
import json
import random
import signal
import subprocess
import sys
import threading
import time

from hub import Hub, run_checks, until
from nats_client import Client, Worker
from nats_server import Nats
from seeds import chosen_seed
from server import Server

SLUICE, SERVER = sys.argv[1], sys.argv[2]
WANTED = sys.argv[3] if len(sys.argv) > 3 else ""
SEED = chosen_seed()
LEASE = 2
COUNTERS = ["orders", "visits", "prices", "alarms"]


class Receiver:
    """A receiver that honors idempotency keys, and refuses everything while it is closed."""

    def __init__(self):
        self.lock, self.isOpen = threading.Lock(), True
        self.keys, self.got, self.repeated = {}, {}, 0
        self.port = Server(self.take).port

    def take(self, path, fields, body):
        with self.lock:
            if not self.isOpen:
                return 503, None
            key, value = fields.get("Idempotency-Key"), json.loads(body)
            if key in self.keys:
                self.repeated += 1
                if self.keys[key] != value:
                    raise AssertionError(f"{key} came with {self.keys[key]} and with {value}")
            else:
                self.keys[key] = value
                self.got.setdefault(path[1:], []).append((key, value))
            return 200, None


def end(hub):
    """Ends a hub in order, as Ctrl-C does."""
    hub.process.send_signal(signal.SIGINT)
    hub.process.wait(120)
    hub.process.stdout.close()
    hub.process.stderr.close()
    Hub.running.remove(hub)


def migrate(store, address, group="shop"):
    return subprocess.run([SLUICE, "migrate", "--store", store, "--nats", address, "--group", group], capture_output=True, text=True)


def refused(answer, text):
    if answer.returncode == 0 or text not in answer.stderr:
        raise AssertionError(f"the migration is not refused with '{text}': {answer.returncode} {answer.stdout} {answer.stderr}")


def counter(name, port, factor):
    return json.dumps({
        "source": {"interval": {"seconds": 0.05}},
        "operators": [{"id": "count", "scan": {"expression": "acc + 1", "initialValue": 0}},
                      {"id": "factor", "map": {"expression": f"{{'n': x, 'factor': {factor}}}"}}],
        "sinks": [{"id": "hook", "post": {"url": f"http://127.0.0.1:{port}/{name}", "body": "x"}}],
    })


def histories(hub):
    return {name: hub.json("GET", f"/streams/{name}/revisions") for name in COUNTERS}


def from_one_hub_to_three_workers():
    nats = Nats(SERVER)
    store, receiver = f"{nats.folder}/hub.sqlite", Receiver()
    allowed = ["--allow", f"127.0.0.1:{receiver.port}"]
    hub = Hub(SLUICE, store, *allowed)
    hub.ask("PUT", "/groups/shop")
    for name in COUNTERS:
        hub.json("PUT", f"/streams/{name}", counter(name, receiver.port, 1), {"If-None-Match": "*"})
        hub.ask("PUT", f"/groups/shop/streams/{name}")
        hub.json("POST", f"/streams/{name}/start")
    for revision, factor in ((1, 2), (2, 3)):
        until("each has delivered", lambda: all(len(receiver.got.get(name, [])) >= 5 * revision for name in COUNTERS))
        for name in COUNTERS:
            hub.json("PUT", f"/streams/{name}", counter(name, receiver.port, factor), {"If-Match": f'"{revision}"'})
    until("each has delivered what the last edit makes", lambda: all(receiver.got[name][-1][1]["factor"] == 3 for name in COUNTERS))
    receiver.isOpen = False
    # Deliveries wait, one of them with a request that was attempted.
    held = {name: len(receiver.got[name]) for name in COUNTERS}
    waiting = lambda name: hub.json("GET", f"/streams/{name}/sinks")[0]["waiting"]
    until("deliveries wait", lambda: all(waiting(name) > 5 for name in COUNTERS))
    before = histories(hub)
    refused(migrate(store, nats.address), "locked by another process")
    end(hub)

    chance = random.Random(SEED)
    kills = 0
    for number in range(16):
        process = subprocess.Popen([SLUICE, "migrate", "--store", store, "--nats", nats.address, "--group", "shop"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            # Later and later, so that each part of its work is interrupted.
            process.wait(chance.uniform(0.01, 0.05) + number * 0.02)
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        process.communicate()
    for runs in (None, 0):      # the second one finds nothing to do
        answer = migrate(store, nats.address)
        if answer.returncode != 0:
            raise AssertionError(f"the migration fails: {answer.stdout} {answer.stderr}")
        if runs == 0 and "0 runs to the workers of the group shop" not in answer.stdout:
            raise AssertionError(f"a migration that is repeated moves something: {answer.stdout}")

    workers = [Worker(SLUICE, nats.address, f"w{number}", "shop", LEASE, *allowed) for number in range(3)]
    until("the workers share the streams", lambda: sum(one.partitions for one in workers) == len(COUNTERS)
          and all(one.partitions for one in workers))
    refused(migrate(store, nats.address), "is at work: end all workers of the group first")
    hub = Hub(SLUICE, store, "--nats", nats.address, *allowed)
    if histories(hub) != before:
        raise AssertionError(f"the histories are {histories(hub)}, and were {before}")
    for name in COUNTERS:
        status, answer = hub.ask("POST", f"/streams/{name}/start")
        if status != 409 or "the workers of the group 'shop' run the stream" not in str(answer):
            raise AssertionError(f"the hub does not say that workers run {name}: {status} {answer}")
    receiver.isOpen = True
    until("the deliveries go on", lambda: all(len(receiver.got[name]) > held[name] + 60 for name in COUNTERS))
    for worker in workers:
        worker.leave()
    lost = twice = others = 0
    with receiver.lock:
        total = sum(len(got) for got in receiver.got.values())
        for name, got in receiver.got.items():
            numbers = [value["n"] for _, value in got]
            lost += len(set(range(1, max(numbers) + 1)) - set(numbers))
            twice += len(numbers) - len(set(numbers))
            if numbers != sorted(numbers):
                raise AssertionError(f"{name} comes out of order: {numbers}")
            # STREAM/RUN/SINK/SEQUENCE: the run of the hub is that of the workers.
            others += len({key.strip('"').split("/")[1] for key, _ in got}) - 1
    text = (f"4 streams of a hub go to 3 workers, through {kills} kills of the migration: {total} deliveries, {lost} lost, {twice} "
            f"duplicated, {receiver.repeated} again under the same key, {others} under the key of another run; "
            f"{sum(len(lines) for lines in before.values())} revisions, all there")
    if lost or twice or others:
        raise AssertionError(text)
    hub.kill()
    nats.kill()
    return text


def a_divided_stream_goes_along():
    """A hub has run a stream as a whole, with groups by key; workers divide it, and each count continues."""
    nats = Nats(SERVER)
    store, client = f"{nats.folder}/hub.sqlite", Client(nats.address)
    client.create("IN", "in")
    client.create("OUT", "out.>")
    client.create("WHOLE", "out")
    document = json.dumps({
        "partition": {"by": "x.user", "count": 4},
        "source": {"subject": "in"},
        "operators": [{"id": "counts", "groupBy": {"key": "x.user", "operators": [
            {"scan": {"expression": "{'number': acc.number + 1, 'item': x}", "initialValue": {"number": 0, "item": None}}}]}}],
        "sinks": [{"id": "to", "publish": {"subject": "out", "value": "x[1]"}}],
    })
    hub = Hub(SLUICE, store, "--nats", nats.address)
    hub.ask("PUT", "/groups/shop")
    hub.json("PUT", "/streams/s", document, {"If-None-Match": "*"})
    hub.ask("PUT", "/groups/shop/streams/s")
    hub.json("POST", "/streams/s/start")
    chance, sent, numbers = random.Random(SEED), 0, [0] * 17

    def publish(count):
        nonlocal sent
        batch = []
        for _ in range(count):
            user = chance.randrange(17)
            numbers[user] += 1
            sent += 1
            batch.append((f"i{sent}", json.dumps({"id": sent, "user": f"u{user}", "n": numbers[user]}).encode()))
        client.publish("in", batch)
    publish(300)
    until("the hub has put out items", lambda: client.count("WHOLE") > 100)
    end(hub)
    publish(100)
    answer = migrate(store, nats.address)
    if answer.returncode != 0 or "1 run to the workers" not in answer.stdout:
        raise AssertionError(f"the migration fails: {answer.stdout} {answer.stderr}")
    workers = [Worker(SLUICE, nats.address, f"w{number}", "shop", LEASE) for number in range(3)]
    until("the workers have divided it", lambda: sum(one.partitions for one in workers) == 4)
    publish(300)
    until("all items are there", lambda: client.count("WHOLE") + client.count("OUT") >= sent)
    time.sleep(1)
    out = [json.loads(data) for name in ("WHOLE", "OUT") for _, _, data in client.read(name)]
    ids = [value["item"]["id"] for value in out]
    lost, twice = sent - len(set(ids)), len(ids) - len(set(ids))
    wrong = sum(value["number"] != value["item"]["n"] for value in out)
    text = (f"a stream with groups goes from a hub to 4 partitions: {sent} items, {lost} lost, {twice} duplicated, {wrong} with another "
            f"count; {client.count('WHOLE')} of the whole, {client.count('OUT')} of partitions")
    if lost or twice or wrong or client.count("OUT") == 0:
        for worker in workers:
            print(worker.name, *worker.lines[-12:], sep="\n  ")
        raise AssertionError(text)
    for worker in workers:
        worker.leave()
    nats.kill()
    return text


def main():
    checks = [check for check in (from_one_hub_to_three_workers, a_divided_stream_goes_along) if WANTED in check.__name__]
    status = run_checks(checks)
    for one in list(Worker.running) + list(Nats.running):
        one.kill()
    return status


sys.exit(main())
