"""The items per second of workers, beside a bare loop over libnats on the same server.

Usage: throughput.py SLUICE RAW-LOOP NATS-SERVER [ITEMS] [PLOT]

Each run has a server of its own whose subject is full, and begins when the first output is there. RAW-LOOP is raw_loop.c,
compiled; SLUICE is a release build with the trait NATS. PLOT is an SVG file to be written.
"""
import subprocess
import sys
import time

from hub import Hub
from nats_client import Client, Worker
from nats_server import Nats
import workers_document

SLUICE, RAW, SERVER = sys.argv[1:4]
ITEMS = int(sys.argv[4]) if len(sys.argv) > 4 else 20_000
PLOT = sys.argv[5] if len(sys.argv) > 5 else None
WORKERS, PARTITIONS = (1, 2, 4), (1, 4, 16)


def raw(address, mode, count):
    done = subprocess.run([RAW, address, mode, str(count)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return float(done.stdout)


def measure(workers, partitions):
    """Returns the items per second of the bare loop, and of the workers."""
    nats = Nats(SERVER)
    client = Client(nats.address)
    for name, subject in (("IN", "in"), ("OUT", "out.>"), ("RAW", "raw")):
        client.create(name, subject)
    raw(nats.address, "fill", ITEMS)
    bare = raw(nats.address, "loop", ITEMS)
    hub = Hub(SLUICE, f"{nats.folder}/hub.sqlite", "--nats", nats.address)
    hub.ask("PUT", "/streams/orders", workers_document.text(partitions), {"If-None-Match": "*"})
    for path in ("/groups/orders", "/groups/orders/streams/orders"):
        hub.ask("PUT", path)
    begun = None
    running = [Worker(SLUICE, nats.address, f"w{number}", "orders", 5) for number in range(workers)]
    while True:
        count = client.count("OUT")
        if begun is None and count > ITEMS / 10:
            begun, first = time.monotonic(), count
        if count >= ITEMS:
            break
        time.sleep(0.01)
    rate = (ITEMS - first) / (time.monotonic() - begun)
    for worker in running:
        worker.kill()
    hub.kill()
    nats.kill()
    return bare, rate


def plot(rows, path):
    """Draws the ratio to the bare loop over the number of partitions, a line for each number of workers."""
    width, height, left, bottom = 480, 300, 56, 40
    top = max(1.0, max(rate / bare for _, _, bare, rate in rows) * 1.1)
    x = {count: left + (width - left - 90) * index / (len(PARTITIONS) - 1) for index, count in enumerate(PARTITIONS)}

    def y(ratio):
        return height - bottom - (height - bottom - 16) * ratio / top

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             '<title>Items per second of workers, in proportion to a bare loop over libnats</title>',
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    step = 0.5 if top > 1.5 else 0.25
    for index in range(int(top / step) + 1):
        at = y(index * step)
        parts.append(f'<line x1="{left}" y1="{at:.1f}" x2="{width - 80}" y2="{at:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{index * step:g}</text>')
    for count in PARTITIONS:
        parts.append(f'<text x="{x[count]:.1f}" y="{height - bottom + 18}" text-anchor="middle">{count}</text>')
    parts.append(f'<text x="{(left + width - 90) / 2:.0f}" y="{height - 6}" text-anchor="middle">partitions</text>')
    labels = []
    for number, color in zip(WORKERS, ("#0072b2", "#d55e00", "#009e73")):
        line = [(x[count], y(rate / bare)) for who, count, bare, rate in rows if who == number]
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" points="'
                     + " ".join(f"{a:.1f},{b:.1f}" for a, b in line) + '"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{color}"/>' for a, b in line]
        labels.append((line[-1][1] + 4, color, f"{number} worker{'s' if number > 1 else ''}"))
    last = 0
    for at, color, label in sorted(labels):        # below each other where lines end close together
        last = max(at, last + 14)
        parts.append(f'<text x="{width - 82}" y="{last:.1f}" fill="{color}">{label}</text>')
    with open(path, "w") as file:
        file.write("\n".join(parts + ["</svg>"]) + "\n")


def main():
    rows = []
    print("workers  partitions  bare loop  items/s  ratio", flush=True)
    for workers in WORKERS:
        for partitions in PARTITIONS:
            bare, rate = measure(workers, partitions)
            rows.append((workers, partitions, bare, rate))
            print(f"{workers:7}  {partitions:10}  {bare:9.0f}  {rate:7.0f}  {rate / bare:5.2f}", flush=True)
    if PLOT:
        plot(rows, PLOT)


main()
