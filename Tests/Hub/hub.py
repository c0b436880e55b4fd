"""A hub in a process of its own, and streams whose output is known in advance."""
import json
import subprocess
import time
import urllib.error
import urllib.request

# The limit of a wait, in seconds; a wait ends as soon as its condition holds.
PATIENCE = 600


class Hub:
    """A hub in a process of its own."""
    running = []

    def __init__(self, sluice, store, *options):
        self.process = subprocess.Popen([sluice, "serve", "--port", "0", "--store", store, *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        Hub.running.append(self)
        line = self.process.stdout.readline()
        if "http://" not in line:
            raise AssertionError(f"the hub does not start: {line} {self.process.stderr.read()}")
        self.base = next(word for word in line.split() if word.startswith("http://")).rstrip("/")

    def ask(self, method, path, body=None, headers=None):
        data = None if body is None else body.encode()
        headers = dict(headers or {})
        if data is not None:
            headers.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(self.base + path, data, headers, method=method)
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
        Hub.running.remove(self)
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.errors = self.process.stderr.read()
        self.process.stderr.close()


STREAMS = {
    # The document of each id, and its n-th value, from 0.
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
    """Returns all stored outputs of a stream, read by pages."""
    events = []
    while True:
        after = events[-1]["cursor"] if events else "start"
        page = hub.json("GET", f"/streams/{stream}/output?after={after}&limit=1000")
        # A page of large outputs has fewer than it may have.
        if not page:
            return events
        events += page


def check_output(hub):
    """Checks that each stream has stored its outputs without gap or duplicate."""
    for name, (_, value) in STREAMS.items():
        events = output(hub, name)
        if not events:
            raise AssertionError(f"{name} has no output")
        for index, event in enumerate(events):
            if event["sequence"] != index + 1 or event["run"] != 1 or event["value"] != value(index):
                raise AssertionError(f"{name}: the {index + 1}th output is {event}, expected {value(index)}")
        times = [event["time"] for event in events]
        if times != sorted(times):
            raise AssertionError(f"{name}: the times are not in order")


def start_streams(hub):
    for name, (document, _) in STREAMS.items():
        hub.json("PUT", f"/streams/{name}", json.dumps(document), {"If-None-Match": "*"})
        hub.json("POST", f"/streams/{name}/start")


def until(what, holds):
    """Waits until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"waited for {PATIENCE} s in vain: {what}")
        time.sleep(0.05)


def run_checks(checks, shares_hub=False):
    """Runs checks, and ends with `N passed, N failed`; with `shares_hub`, hubs are killed at the end, not after each."""
    passed = failed = 0
    for check in checks:
        try:
            print(f"ok {check()}", flush=True)
            passed += 1
        except Exception as error:
            print(f"FAILED {check.__name__}: {error}", flush=True)
            failed += 1
        if not shares_hub or check is checks[-1]:
            for hub in list(Hub.running):
                hub.kill()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
