"""The automations of Examples/automations on a hub that is killed, against real servers that fail.

Usage: automations.py SLUICE KILLS ITEMS

`threshold.json` reads a sensor and posts an alert each time that it gets hot, to a receiver that fails for a while; the hub
and the sensor are killed in between. `enrich.json` takes ITEMS orders, asks for the customer of each at a server that fails
5 % of the calls, and posts both. `errors.json` follows a log that is rotated while it is written, and posts the services with
many errors. In the end everything has arrived, once by idempotency key, and in order where the stream has
one. The documents are those of the folder, but for the addresses and the time between two readings. Ends with
`N passed, N failed`.
"""
import json
import random
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from hub import Hub, output, run_checks, until
from seeds import chosen_seed
from server import Server

SLUICE, KILLS, ITEMS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
EXAMPLES = Path(__file__).parents[2] / "Examples" / "automations"
SENDERS = 8
seed = chosen_seed()
chance = random.Random(seed)


class Receiver(Server):
    """Records what is posted, each idempotency key once."""

    def __init__(self):
        self.lock, self.keys, self.values, self.faults, self.failing = threading.Lock(), {}, [], [], 0
        super().__init__(self.take)

    def take(self, path, headers, body):
        key = headers.get("Idempotency-Key")
        with self.lock:
            if not key:
                self.faults.append(f"a delivery to {path} has no key")
                return 400, None
            if random.random() < self.failing:
                return 503, None
            if key not in self.keys:
                self.keys[key] = body
                self.values.append((key, json.loads(body)))
            elif self.keys[key] != body:
                self.faults.append(f"the key {key} has two bodies")
            # The answer may be lost.
            return (503 if random.random() < self.failing else 204), None


def document(name, replacements):
    text = (EXAMPLES / f"{name}.json").read_text()
    for old, new in replacements.items():
        if old not in text:
            raise AssertionError(f"{name}.json has no {old}")
        text = text.replace(old, new)
    return text


def wait(hub, id, what, holds):
    """Waits until a condition holds, while the stream has not failed."""
    def check():
        if holds():
            return True
        try:
            run = hub[0].json("GET", f"/streams/{id}/run")
        except OSError:
            return False
        if run["state"] == "failed":
            raise AssertionError(f"{id} has failed: {run.get('error')} (seed {seed})")
        return False

    until(f"{what} (seed {seed})", check)


def start(store, text, id, *options):
    hub = Hub(SLUICE, store, *options)
    hub.json("PUT", f"/streams/{id}", text, {"If-None-Match": "*"})
    hub.json("POST", f"/streams/{id}/start")
    return hub


def threshold():
    lock, celsius, readings = threading.Lock(), [20.0], [0]

    def sensor(path, headers, body):
        with lock:
            readings[0] += 1
            return 200, {"celsius": celsius[0]}

    def change(value):
        with lock:
            celsius[0], readings[0] = value, 0

    source, receiver = Server(sensor), Receiver()
    text = document("threshold", {"127.0.0.1:8100": f"127.0.0.1:{source.port}", "127.0.0.1:8200": f"127.0.0.1:{receiver.port}",
                                  '"seconds": 5': '"seconds": 0.1'})
    store = str(folder / "heat.sqlite")
    options = ["--allow", "127.0.0.1"]
    hubs = [start(store, text, "heat", *options)]
    expected = []

    def disturb(index):
        receiver.failing = 0.8 if index % 3 == 1 else 0
        if index % 3 == 2:
            source.kill()
        if index < KILLS:
            time.sleep(chance.uniform(0, 0.3))
            hubs[0].kill()
            hubs[0] = Hub(SLUICE, store, *options)
        if index % 3 == 2:
            time.sleep(chance.uniform(0, 0.3))
            source.start()
        receiver.failing = 0

    for index in range(max(6, KILLS)):
        # A reading that a kill takes is read again: it counts from the next on.
        change(20.0 + index % 5)
        wait(hubs, "heat", "readings of the cool sensor", lambda: readings[0] >= 12)
        hot = 31.5 + index
        change(hot)
        disturb(index)
        expected.append({"text": f"It is {hot} °C", "celsius": hot})
        wait(hubs, "heat", f"the alert {index}", lambda: len(receiver.values) >= len(expected))
    values = [value for _, value in receiver.values]
    if receiver.faults or values != expected:
        raise AssertionError(f"{receiver.faults[:3]} {values} instead of {expected} (seed {seed})")
    hubs[0].kill()
    return f"threshold: {len(values)} alerts through {KILLS} kills of the hub, each once and in order"


def enrich():
    def customers(path, headers, body):
        if random.random() < 0.05:
            return 503, None
        return 200, {"name": f"Customer {path.rsplit('/', 1)[1]}"}

    source, receiver = Server(customers), Receiver()
    text = document("enrich", {"127.0.0.1:8100": f"127.0.0.1:{source.port}", "127.0.0.1:8200": f"127.0.0.1:{receiver.port}"})
    store = str(folder / "orders.sqlite")
    options = ["--allow", "127.0.0.1"]
    hubs = [start(store, text, "orders", *options)]
    lock, left, sent = threading.Lock(), list(range(ITEMS, 0, -1)), [0]

    def send():
        while True:
            with lock:
                if not left:
                    return
                number = left.pop()
            body = json.dumps({"order": number, "customer": number % 97}).encode()
            while True:
                request = urllib.request.Request(
                    f"{hubs[0].base}/streams/orders/webhook/orders", body, {"Content-Type": "application/json"}, method="POST")
                try:
                    with urllib.request.urlopen(request, timeout=30):
                        break
                except urllib.error.HTTPError as error:
                    if error.code != 503:
                        raise
                except OSError:
                    pass
                time.sleep(0.05)
            with lock:
                sent[0] += 1

    senders = [threading.Thread(target=send, daemon=True) for _ in range(SENDERS)]
    for sender in senders:
        sender.start()
    for kill in range(KILLS):
        least = (kill + 1) * ITEMS // (KILLS + 1)
        wait(hubs, "orders", f"{least} orders to be sent", lambda: sent[0] >= least)
        time.sleep(chance.uniform(0, 0.2))
        hubs[0].kill()
        hubs[0] = Hub(SLUICE, store, *options)
    wait(hubs, "orders", "all orders to be sent", lambda: sent[0] == ITEMS)
    wait(hubs, "orders", "all orders to be delivered", lambda: len(receiver.keys) >= ITEMS)
    orders = sorted(json.loads(body)["order"] for body in receiver.keys.values())
    if receiver.faults or orders != list(range(1, ITEMS + 1)):
        raise AssertionError(f"{receiver.faults[:3]} {len(orders)} orders, not {ITEMS} (seed {seed})")
    for body in receiver.keys.values():
        order = json.loads(body)
        if order["customer"] != {"name": f"Customer {order['order'] % 97}"}:
            raise AssertionError(f"a wrong customer: {order} (seed {seed})")
    hubs[0].kill()
    return f"enrich: {ITEMS} orders through {KILLS} kills of the hub, each with its customer, each once"


class Log(threading.Thread):
    """A service that writes a log, which is rotated: the file is renamed, and another one created."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.counts, self.rotations, self.is_over = path, {}, 0, False
        # The stream doesn't read files that were rotated before it opened the log.
        self.is_open = False
        self.start()

    def rotate(self):
        last = 0
        while Path(f"{self.path}.{last + 1}").exists():
            last += 1
        for number in range(last, 0, -1):
            Path(f"{self.path}.{number}").rename(f"{self.path}.{number + 1}")
        self.path.rename(f"{self.path}.1")
        self.rotations += 1

    def run(self):
        file, lines = open(self.path, "a"), 0
        while not self.is_over:
            for _ in range(random.randrange(1, 6)):
                service, level = random.choice(["web", "jobs", "mail"]), random.choice(["error", "info", "info", "info", "info", "info"])
                file.write(json.dumps({"service": service, "level": level, "number": lines}) + "\n")
                entry = self.counts.setdefault(service, [0, 0])
                entry[0] += 1
                entry[1] += level == "error"
                lines += 1
            file.flush()
            if self.is_open and random.random() < 0.01:
                self.rotate()
                # The writer goes on in the renamed file for a moment.
                file.write(json.dumps({"service": "web", "level": "info", "number": lines}) + "\n")
                self.counts["web"][0] += 1
                file.close()
                file = open(self.path, "a")
            time.sleep(0.01)
        file.close()


def errors():
    receiver = Receiver()
    text = document("errors", {"127.0.0.1:8200": f"127.0.0.1:{receiver.port}", '"seconds": 10': '"seconds": 0.5'})
    files = folder / "logs"
    files.mkdir()
    log = Log(files / "app.log")
    store = str(folder / "errors.sqlite")
    options = ["--allow", "127.0.0.1", "--files", str(files)]
    hubs = [start(store, text, "errors", *options)]
    wait(hubs, "errors", "the first window", lambda: output(hubs[0], "errors"))
    log.is_open = True
    for kill in range(KILLS):
        receiver.failing = 0.5 if kill % 2 else 0
        time.sleep(chance.uniform(0.1, 1.5))
        hubs[0].kill()
        time.sleep(chance.uniform(0, 1))
        hubs[0] = Hub(SLUICE, store, *options)
    wait(hubs, "errors", "a rotation", lambda: log.rotations > 0)
    log.is_over = True
    log.join()
    receiver.failing = 0

    def counted():
        counts = {}
        for event in output(hubs[0], "errors"):
            entry = counts.setdefault(event["value"]["service"], [0, 0])
            entry[0] += event["value"]["lines"]
            entry[1] += event["value"]["errors"]
        return counts

    lines = sum(entry[0] for entry in log.counts.values())
    wait(hubs, "errors", f"{lines} lines to be counted", lambda: sum(entry[0] for entry in counted().values()) >= lines)
    if counted() != log.counts:
        raise AssertionError(f"counted {counted()}, written {log.counts} (seed {seed})")
    alerts = [event["value"] for event in output(hubs[0], "errors") if event["value"]["rate"] > 0.1]
    wait(hubs, "errors", "all alerts", lambda: len(receiver.values) >= len(alerts))
    if receiver.faults or [value for _, value in receiver.values] != alerts:
        raise AssertionError(f"{receiver.faults[:3]} {len(receiver.values)} alerts instead of {len(alerts)} (seed {seed})")
    hubs[0].kill()
    return f"errors: {lines} lines, {log.rotations} rotations, and {len(alerts)} alerts through {KILLS} kills of the hub"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([threshold, errors, enrich]))
