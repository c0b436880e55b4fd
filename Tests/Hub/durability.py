"""A hub that is killed again and again, and one that many clients write to at once.

Usage: durability.py SLUICE KILLS WRITERS EDITS

Starts `sluice serve` on a store of its own, kills it (kill -9) at random moments, and reads what it has stored: no output
is missing, none is stored twice, and each has the right value. Then several writers edit one document with
compare-and-set: no edit is lost. Ends with `N passed, N failed`.
"""
import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from hub import STREAMS, Hub, check_output, output, run_checks, start_streams, until
from seeds import chosen_seed

SLUICE, KILLS, WRITERS, EDITS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
seed = chosen_seed()
chance = random.Random(seed)


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
    # Each stream continues after the last kill; on a slow machine its first output may come only now.
    for name in STREAMS:
        least = len(output(hub, name)) + 10
        until(f"10 outputs of {name} after the last kill", lambda: len(output(hub, name)) >= least)
    if sorted(counts) != counts:
        raise AssertionError(f"stored output was lost (seed {seed}): {counts}")
    check_output(hub)
    hub.kill()
    return f"{KILLS} kills (seed {seed}), {counts[-1]} outputs of one stream without gap or duplicate"


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
                    # The revision that was read, by the edits in its text.
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
    # The store keeps at least the newest hundred revisions.
    if revisions != list(range(newest, newest - len(revisions), -1)) or len(revisions) < min(100, newest):
        raise AssertionError(f"the history is {revisions[:5]} … {revisions[-5:]}")
    hub.kill()
    return f"{WRITERS} writers with {EDITS} edits each, {sum(conflicts)} conflicts, no edit lost"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([kills, writers]))
