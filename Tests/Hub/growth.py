"""What workers of a cluster cost the server while nothing comes, and what a thousand of them would.

Usage: growth.py SLUICE NATS-SERVER [PARTITIONS]

Starts 2, 4, and 8 workers with PARTITIONS (8) partitions each, and reads from the server how many messages and bytes it receives
and sends in a second. Each worker reads the reports of all, so the messages grow as a*W + b*W*W. The figures of 2 and 8 workers
give a and b; those of 4 have to be what they say, or the model is wrong. Then prints what the model says of more workers.
Ends with `N passed, N failed`.
"""
import json
import sys
import time
import urllib.request

from hub import Hub, run_checks, until
from nats_client import Client, Worker
from nats_server import Nats, free_port
import workers_document

SLUICE, SERVER = sys.argv[1], sys.argv[2]
PARTITIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 8
LEASE, SECONDS, TOLERANCE = 6, 12, 0.25
FIGURES = ["in_msgs", "out_msgs", "in_bytes", "out_bytes"]


def figures(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/varz", timeout=30) as answer:
        return {name: value for name, value in json.load(answer).items() if name in FIGURES}


def measured(count):
    """Returns what the server receives and sends in a second with so many workers."""
    port = free_port()
    nats = Nats(SERVER, "-m", str(port))
    client = Client(nats.address)
    client.create("IN", "in")
    client.create("OUT", "out.>")
    hub = Hub(SLUICE, f"{nats.folder}/hub.sqlite", "--nats", nats.address)
    hub.json("PUT", "/streams/orders", workers_document.text(count * PARTITIONS), {"If-None-Match": "*"})
    for path in ("/groups/orders", "/groups/orders/streams/orders"):
        hub.ask("PUT", path)
    hub.kill()
    workers = [Worker(SLUICE, nats.address, f"w{number}", "orders", LEASE) for number in range(count)]
    until("each worker has its share", lambda: all(worker.partitions == PARTITIONS for worker in workers))
    time.sleep(2)
    before, begin = figures(port), time.monotonic()
    time.sleep(SECONDS)
    after, passed = figures(port), time.monotonic() - begin
    for worker in workers:
        worker.kill()
    nats.kill()
    return {name: (after[name] - before[name]) / passed for name in FIGURES}


def model(two, eight):
    """Returns the function through the figures of 2 and 8 workers."""
    b = (eight / 8 - two / 2) / 6
    a = two / 2 - 2 * b
    return lambda count: a * count + b * count * count


def growth():
    found = {count: measured(count) for count in (2, 4, 8)}
    models = {name: model(found[2][name], found[8][name]) for name in FIGURES}
    for name in FIGURES:
        said, was = models[name](4), found[4][name]
        if abs(said - was) > TOLERANCE * was:
            raise AssertionError(f"{name}: the model says {said:.0f} in a second for 4 workers, and the server {was:.0f}")
    print(f"{'workers':>8} {'received':>10} {'sent':>10} {'MB received':>12} {'MB sent':>10}   in a second")
    for count in (2, 4, 8, 16, 64, 256, 1000):
        row = found.get(count) or {name: models[name](count) for name in FIGURES}
        mark = "measured" if count in found else "model"
        print(f"{count:>8} {row['in_msgs']:>10.0f} {row['out_msgs']:>10.0f} {row['in_bytes'] / 1e6:>12.2f} {row['out_bytes'] / 1e6:>10.2f}   {mark}")
    return f"4 workers cost what the model of 2 and 8 says, within {TOLERANCE:.0%}"


if __name__ == "__main__":
    status = run_checks([growth])
    for one in list(Worker.running) + list(Nats.running):
        one.kill()
    sys.exit(status)
