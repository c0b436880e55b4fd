"""A hub that is killed again and again, and one that many write to at once.

Usage: durability.py SLUICE KILLS WRITERS EDITS

Starts `sluice serve` on a store of its own, kills it (kill -9) at moments of chance, and looks at what it has stored: no
output is missing and none is there twice, and each value is what the stream has to give. Then several writers edit one
document with compare-and-set: no edit is lost. Ends with `N passed, N failed`.
"""
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

SLUICE, KILLS, WRITERS, EDITS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
PATIENCE = 60
chance = random.Random(int(time.time()))


class Hub:
    """A hub in a process of its own."""

    def __init__(self, store):
        self.process = subprocess.Popen([SLUICE, "serve", "--port", "0", "--store", store],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if "http://" not in line:
            raise AssertionError(f"the hub does not begin: {line} {self.process.stderr.read()}")
        self.base = next(word for word in line.split() if word.startswith("http://")).rstrip("/")

    def ask(self, method, path, body=None, headers=None):
        data = None if body is None else body.encode()
        request = urllib.request.Request(self.base + path, data, headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def json(self, method, path, body=None, headers=None):
        status, text = self.ask(method, path, body, headers)
        if status >= 300:
            raise AssertionError(f"{method} {path} is answered with {status}: {text}")
        return json.loads(text)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


STREAMS = {
    # id: the document, and what its n-th value is, from 0
    "sums": ({"source": {"interval": {"seconds": 0.01}}, "operators": [{"id": "sum", "scan": {"expression": "acc + x"}}]},
             lambda n: n * (n + 1) // 2),
    "late": ({"source": {"interval": {"seconds": 0.02}}, "operators": [{"id": "late", "delay": {"seconds": 0.3}}]},
             lambda n: n),
    "fours": ({"source": {"interval": {"seconds": 0.005}}, "operators": [{"id": "fours", "collect": {"count": 4}}]},
              lambda n: [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3]),
    "even": ({"source": {"interval": {"seconds": 0.015}}, "operators": [{"id": "even", "filter": {"expression": "x % 2 == 0"}},
                                                                       {"id": "debounced", "debounce": {"seconds": 0.01}}]},
             lambda n: 2 * n),
}


def output(hub, stream):
    """All that is stored of a stream, by pages."""
    events = []
    while True:
        after = events[-1]["sequence"] if events else 0
        page = hub.json("GET", f"/streams/{stream}/output?after={after}&limit=1000")
        events += page
        if len(page) < 1000:
            return events


def kills(folder):
    store = str(folder / "kills.sqlite")
    hub = Hub(store)
    for name, (document, _) in STREAMS.items():
        hub.json("PUT", f"/streams/{name}", json.dumps(document), {"If-None-Match": "*"})
        hub.json("POST", f"/streams/{name}/start")
    counts = []
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.02, 0.4))
        hub.kill()
        hub = Hub(store)
        counts.append(len(output(hub, "sums")))
    # It has gone on: something came after the last kill.
    end = time.monotonic() + PATIENCE
    while len(output(hub, "sums")) < counts[-1] + 10:
        if time.monotonic() > end:
            raise AssertionError("nothing comes after the last kill")
        time.sleep(0.1)
    if sorted(counts) != counts:
        raise AssertionError(f"stored output was lost: {counts}")
    for name, (_, value) in STREAMS.items():
        events = output(hub, name)
        if not events:
            raise AssertionError(f"{name} has given nothing")
        for index, event in enumerate(events):
            if event["sequence"] != index + 1 or event["run"] != 1 or event["value"] != value(index):
                raise AssertionError(f"{name}: the {index + 1}th output is {event}, expected {value(index)}")
        times = [event["time"] for event in events]
        if times != sorted(times):
            raise AssertionError(f"{name}: the times are not in order")
    hub.kill()
    return f"{KILLS} kills, {counts[-1]} outputs of the fastest without gap or duplicate"


def writers(folder):
    hub = Hub(str(folder / "writers.sqlite"))
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


def main():
    passed = failed = 0
    folder = Path(tempfile.mkdtemp())
    for check in (kills, writers):
        try:
            print(f"ok {check(folder)}", flush=True)
            passed += 1
        except Exception as error:
            print(f"FAILED {check.__name__}: {error}", flush=True)
            failed += 1
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
