"""A hub that is killed again and again, and one that many write to at once.

Usage: durability.py SLUICE KILLS WRITERS EDITS

Starts `sluice serve` on a store of its own, kills it (kill -9) at moments of chance, and looks at what it has stored: no
output is missing and none is there twice, and each value is what the stream has to give. Then several writers edit one
document with compare-and-set: no edit is lost. Ends with `N passed, N failed`.
"""
import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from hub import Hub, check_output, output, run_checks, start_streams, until

SLUICE, KILLS, WRITERS, EDITS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(int(time.time()))


def kills():
    store = str(folder / "kills.sqlite")
    hub = Hub(SLUICE, store)
    start_streams(hub)
    counts = []
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.02, 0.4))
        hub.kill()
        hub = Hub(SLUICE, store)
        counts.append(len(output(hub, "sums")))
    # It has gone on: something came after the last kill.
    until("something comes after the last kill", lambda: len(output(hub, "sums")) >= counts[-1] + 10)
    if sorted(counts) != counts:
        raise AssertionError(f"stored output was lost: {counts}")
    check_output(hub)
    hub.kill()
    return f"{KILLS} kills, {counts[-1]} outputs of the fastest without gap or duplicate"


def writers():
    hub = Hub(SLUICE, str(folder / "writers.sqlite"))
    hub.json("PUT", "/streams/shared", json.dumps({"stream": [], "x-edits": {}}), {"If-None-Match": "*"})
    troubles, conflicts = [], [0] * WRITERS

    def write(number):
        try:
            for edit in range(EDITS):
                while True:
                    status, text = hub.ask("GET", "/streams/shared")
                    document = json.loads(text)
                    document["x-edits"][f"{number}"] = edit + 1
                    # The revision that was read: of the text, by what it says of the edits.
                    done = sum(json.loads(text)["x-edits"].values())
                    status, answer = hub.ask("PUT", "/streams/shared", json.dumps(document),
                                             {"If-Match": f'"{done + 1}"', "X-Sluice-Author": f"writer {number}"})
                    if status == 200:
                        break
                    if status != 412:
                        raise AssertionError(f"{status}: {answer}")
                    conflicts[number] += 1
                    if json.loads(answer)["current"]["revision"] <= done + 1:
                        raise AssertionError(f"a conflict with revision {done + 1}: {answer}")
        except Exception as error:
            troubles.append(f"writer {number}: {error}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if troubles:
        raise AssertionError("; ".join(troubles[:3]))
    edits = json.loads(hub.ask("GET", "/streams/shared")[1])["x-edits"]
    if edits != {f"{number}": EDITS for number in range(WRITERS)}:
        raise AssertionError(f"edits were lost: {edits}")
    history = hub.json("GET", "/streams/shared/revisions")
    revisions = [entry["revision"] for entry in history]
    newest = WRITERS * EDITS + 1
    # The store keeps the newest hundred revisions at least.
    if revisions != list(range(newest, newest - len(revisions), -1)) or len(revisions) < min(100, newest):
        raise AssertionError(f"the history is {revisions[:5]} … {revisions[-5:]}")
    hub.kill()
    return f"{WRITERS} writers with {EDITS} edits each, {sum(conflicts)} conflicts, no edit lost"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([kills, writers]))
