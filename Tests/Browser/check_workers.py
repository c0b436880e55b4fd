"""The workers of a cluster: their partitions, and one that is drained. Needs nats-server and a build with the trait NATS."""

import os
import subprocess
import sys
from pathlib import Path

from api import OwnHub, ROOT
from browser import expect

sys.path.append(str(Path(__file__).resolve().parents[1] / "Hub"))
from nats_server import Nats  # noqa: E402

SERVER = "/usr/sbin/nats-server"
PROGRAM = os.environ.get("SLUICE_PROGRAM") or str(ROOT / ".build/debug/sluice")


def partitions(page):
    return {name: row[2] for name, row in page.rows_by_name(".workers").items()}


def workers_are_shown_and_drained(page):
    nats = Nats(SERVER)
    own, workers = OwnHub("--nats", nats.address), []
    try:
        with page.at(own):
            drain(page, nats, workers)
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
        own.close()
        nats.kill()


def drain(page, nats, workers):
    page.show("#/operations")
    page.wait(lambda: "sluice work" in page.text(".workers"), "the line that starts a worker")
    page.hub.ask("PUT", "/groups/shown")
    for number in range(4):
        id = page.hub.create(id=f"ticks-{number}", name=f"Ticks {number}", source={"interval": {"seconds": 0.5}})
        page.hub.ask("PUT", f"/groups/shown/streams/{id}")
    for name in ("Ada", "Grace"):
        workers.append(subprocess.Popen([PROGRAM, "work", "--nats", nats.address, "--group", "shown", "--name", name, "--lease", "2"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    page.wait(lambda: partitions(page) == {"Ada": "2", "Grace": "2"}, lambda: f"two partitions each: {partitions(page)}")
    expect("2 workers with 4 partitions" in page.text(".workers"), f"it says {page.text('.workers')!r}")
    page.wait(lambda: "Ticks 3" in page.text(".streams-of-workers"), "the streams that they run")
    page.picture("workers")
    page.press("Drain: Ada")
    page.wait(lambda: partitions(page) == {"Ada": "0", "Grace": "4"}, lambda: f"all partitions on Grace: {partitions(page)}")
    expect("1 of them is drained" in page.text(".workers"), f"it says {page.text('.workers')!r}")
    page.press("Take partitions again: Ada")
    page.wait(lambda: partitions(page) == {"Ada": "2", "Grace": "2"}, lambda: f"two partitions each again: {partitions(page)}")


def can_run():
    """Returns a Boolean value that indicates whether there is a server, and a program that can use it."""
    if not os.path.exists(SERVER):
        return False
    tried = subprocess.run([PROGRAM, "status", "--nats", "nats://127.0.0.1:1"], capture_output=True, text=True, timeout=60)
    return "this build has no NATS" not in tried.stderr


CHECKS = [workers_are_shown_and_drained] if can_run() else []
if not CHECKS:
    print("skipped: the page of workers: there is no nats-server, or the build has no NATS", flush=True)
