"""A hub whose disk is full, and one whose disk is read-only.

Usage: disk.py SLUICE, in a mount namespace of its own (unshare --mount): it mounts a disk in memory.

Ends with `N passed, N failed`.
"""
import json
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from hub import STREAMS, Hub, check_output, output, run_checks, start_streams, until

SLUICE = sys.argv[1]
FULL = "the disk is full: make room, and write again"
READ_ONLY = "is read-only: allow writing to the file and its folder"


def put(hub, name, size):
    """Stores a document of a size, and returns the status and the answer."""
    document = {"stream": [], "description": "x" * size}
    return hub.ask("PUT", f"/streams/{name}", json.dumps(document), {"If-None-Match": "*"})


def expect(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what} is {found!r}, expected {expected!r}")


def check_store():
    with closing(sqlite3.connect(disk / "hub.sqlite")) as store:
        expect("the integrity", store.execute("PRAGMA integrity_check").fetchone()[0], "ok")


def until_all_advance(hub, count):
    """Waits until each stream has stored so many outputs more than now."""
    counts = {name: len(output(hub, name)) for name in STREAMS}
    for name, before in counts.items():
        until(f"{count} more outputs of {name} are stored", lambda: len(output(hub, name)) >= before + count)


def a_full_disk():
    filler = disk / "filler"
    filler.write_bytes(bytes(2_000_000))
    hub = Hub(SLUICE, str(disk / "hub.sqlite"))
    start_streams(hub)
    stored, size = [], 200_000
    # The disk is full when even a small document finds no room.
    while size > 100:
        name = f"large-{len(stored)}"
        status, answer = put(hub, name, size)
        if status == 201:
            stored.append(name)
        else:
            expect("the answer", (status, json.loads(answer)["detail"]), (507, FULL))
            size //= 2
    until("all runs report the full disk", lambda: all(FULL in hub.json("GET", f"/streams/{name}/run").get("warning", "")
                                                       for name in STREAMS))
    # The runs continue.
    before = hub.json("GET", "/streams/sums/run")
    until("it runs on", lambda: hub.json("GET", "/streams/sums/run")["time"] > before["time"] + 1)
    expect("the state", hub.json("GET", "/streams/sums/run")["state"], "running")
    heads = [head["id"] for head in hub.json("GET", "/streams")]
    expect("the list of documents", [name for name in heads if name.startswith("large")], stored)
    waiting = len(output(hub, "sums"))
    filler.unlink()
    for name in STREAMS:
        until(f"{name} reports nothing", lambda: "warning" not in hub.json("GET", f"/streams/{name}/run"))
    until("the outputs that waited are stored", lambda: len(output(hub, "sums")) > waiting + 100)
    # A stream may have given its first output only after the disk was full: each has to store some now.
    until_all_advance(hub, 20)
    check_output(hub)
    expect("the status when there is room", put(hub, "after", 100)[0], 201)
    hub.kill()
    check_store()
    return f"a full disk: {len(stored)} documents were stored, the next was refused, and the runs continued"


def a_read_only_disk():
    hub = Hub(SLUICE, str(disk / "hub.sqlite"))
    until_all_advance(hub, 1)
    for name in STREAMS:
        hub.json("POST", f"/streams/{name}/pause")
    hub.kill()
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    hub = Hub(SLUICE, str(disk / "hub.sqlite"))
    heads = hub.json("GET", "/streams")
    status, answer = put(hub, "new", 10)
    expect("the answer", (status, json.loads(answer)["detail"]), (507, READ_ONLY))
    # A paused run continues, and reports that its output is not kept.
    before = hub.json("GET", "/streams/sums/run")["time"]
    hub.json("POST", "/streams/sums/start")
    until("it runs", lambda: hub.json("GET", "/streams/sums/run")["time"] > before + 1)
    until("it reports the disk", lambda: READ_ONLY in hub.json("GET", "/streams/sums/run").get("warning", ""))
    hub.kill()
    expect("its error output", hub.errors.splitlines()[0], f"{disk}/hub.sqlite: warning: {READ_ONLY}; until then nothing that is changed is kept")
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    hub = Hub(SLUICE, str(disk / "hub.sqlite"))
    expect("the list of documents", [head["id"] for head in hub.json("GET", "/streams")], [head["id"] for head in heads])
    check_output(hub)
    hub.kill()
    check_store()
    return "a read-only disk: the store can be read, the runs continue, and nothing is lost"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        disk = Path(temporary)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)], check=True)
        try:
            status = run_checks([a_full_disk, a_read_only_disk])
        finally:
            subprocess.run(["umount", "--lazy", str(disk)], check=True)
        sys.exit(status)
