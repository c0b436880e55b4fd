"""Streams that never rest beside one that ticks: nobody waits for them, and they end when they are asked to.

Usage: fairness.py SLUICE STREAMS SECONDS [LATENESS REQUEST]

Starts `sluice serve` with STREAMS streams that can't keep up, and one that ticks ten times a second. The ticks come on time,
requests are answered, and each of the busy streams is paused, stopped, reset, edited, and deleted while it is behind. Then
the hub is started again on the same store, and ended by SIGTERM, once and twice. LATENESS and REQUEST are the limits in seconds, for 95 % of
the ticks, and for each request; without them they are generous, for a debug build. The figures are printed. Ends with `N passed, N failed`.
"""
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from hub import PATIENCE, Hub, run_checks, until

SLUICE, STREAMS, SECONDS = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
LATENESS, REQUEST = [float(one) for one in sys.argv[4:6]] or [0.6, 5]

# Twenty-four elements ten thousand times a second are more than any machine does in a debug build.
ELEMENTS = "[" + ", ".join(f"x * {n} + {n}" for n in range(24)) + "]"


def busy(seconds):
    return json.dumps({"source": {"interval": {"seconds": seconds}},
                       "operators": [{"id": "map", "map": {"expression": ELEMENTS}}]})


def timed(hub, method, path, body=None, headers=None):
    """Returns the seconds that a request takes."""
    begin = time.monotonic()
    status, text = hub.ask(method, path, body, headers)
    if status >= 300:
        raise AssertionError(f"{method} {path} is answered with {status}: {text}")
    return time.monotonic() - begin


class Ticks(threading.Thread):
    """Reads the ticks of a stream, with the time at which each was heard."""

    def __init__(self, hub, stream):
        super().__init__(daemon=True)
        self.times = {}
        self.events = urllib.request.urlopen(f"{hub.base}/streams/{stream}/events", timeout=PATIENCE)
        self.start()

    def run(self):
        try:
            name = ""
            for line in self.events:
                if line.startswith(b"event: "):
                    name = line[7:].strip()
                elif line.startswith(b"data: ") and name == b"value":
                    self.times[json.loads(line[6:])["value"]] = time.monotonic()
        except OSError:
            pass

    def lateness(self, first):
        """Returns how late each tick from `first` on was, in order; the earliest of all is on time."""
        start = min(heard - 0.1 * tick for tick, heard in self.times.items())
        return sorted(heard - 0.1 * tick - start for tick, heard in self.times.items() if tick >= first)


def ticks():
    hub.json("PUT", "/streams/ticker", json.dumps({"source": {"interval": {"seconds": 0.1}}}), {"If-None-Match": "*"})
    hub.json("POST", "/streams/ticker/start")
    heard = Ticks(hub, "ticker")
    until("ten ticks of a quiet hub", lambda: len(heard.times) >= 10)
    for number in range(STREAMS):
        hub.json("PUT", f"/streams/busy{number}", busy(0.0001), {"If-None-Match": "*"})
        hub.json("POST", f"/streams/busy{number}/start")
    first = max(heard.times) + 1
    slowest, end = 0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        for path in ["/health", "/streams", "/streams/busy0/run", "/metrics"]:
            slowest = max(slowest, timed(hub, "GET", path))
        time.sleep(0.05)
    until("a tick beside the busy streams", lambda: max(heard.times) > first)
    late = heard.lateness(first)
    p95, worst = late[int(0.95 * (len(late) - 1))], late[-1]
    text = (f"beside {STREAMS} busy streams 95 % of {len(late)} ticks are at most {p95:.3f} s late, the latest {worst:.3f} s; "
            f"the slowest request took {slowest:.3f} s")
    if len(late) < 5 * SECONDS or p95 > LATENESS or slowest > REQUEST:
        raise AssertionError(text)
    return text


def lag():
    def lags():
        return [hub.json("GET", f"/streams/busy{number}/run").get("lag", 0) for number in range(STREAMS)]
    until("every busy stream is behind", lambda: min(lags()) > 0.5)
    if "lag" in hub.json("GET", "/streams/ticker/run"):
        raise AssertionError("the ticker is behind")
    metrics = hub.ask("GET", "/metrics")[1]
    behind = float(re.search(r"^sluice_runs_behind (\S+)", metrics, re.M)[1])
    most = float(re.search(r"^sluice_run_lag_seconds (\S+)", metrics, re.M)[1])
    if behind < STREAMS or most < 0.5:
        raise AssertionError(f"/metrics says that {behind} runs are behind, by {most} s at most")
    return f"{behind:.0f} runs are behind, by {most:.1f} s at most"


def commands():
    """Each request takes effect while all streams are behind."""
    slowest = {}

    def do(name, *request):
        slowest[name] = max(slowest.get(name, 0), timed(hub, *request))

    for number in range(min(STREAMS, 20)):
        path = f"/streams/busy{number}"
        do("pause", "POST", path + "/pause")
        if hub.json("GET", path + "/run")["state"] != "paused":
            raise AssertionError(f"{path} is not paused")
        do("resume", "POST", path + "/resume")
        do("edit", "PUT", path, busy(0.0002), {"If-Match": '"1"'})
        do("speed", "POST", path + "/speed", '{"speed": 2}')
        do("stop", "POST", path + "/stop")
        if hub.json("GET", path + "/run")["state"] != "idle":
            raise AssertionError(f"{path} is not stopped")
        do("start", "POST", path + "/start")
        do("reset", "POST", path + "/reset")
        do("start", "POST", path + "/start")
        do("delete", "DELETE", path, None, {"If-Match": '"2"'})
    text = ", ".join(f"{name} {seconds:.3f} s" for name, seconds in slowest.items())
    if max(slowest.values()) > REQUEST:
        raise AssertionError(f"too slow: {text}")
    return f"beside {STREAMS} busy streams the slowest took: {text}"


def restart():
    global hub
    hub.kill()
    begin = time.monotonic()
    hub = Hub(SLUICE, store)
    timed(hub, "GET", "/health")
    ready = time.monotonic() - begin
    heard = Ticks(hub, "ticker")
    until("ticks after a restart", lambda: len(heard.times) >= 20)
    if ready > 30:
        raise AssertionError(f"the hub answers {ready:.1f} s after its start")
    return f"started again with what is busy, the hub answers after {ready:.1f} s"


def ends():
    """SIGTERM ends a hub whose streams are all behind."""
    begin = time.monotonic()
    hub.process.send_signal(signal.SIGTERM)
    try:
        status = hub.process.wait(60)
    except subprocess.TimeoutExpired:
        raise AssertionError("the hub does not end") from None
    if status != 0:
        raise AssertionError(f"the hub ends with {status}: {hub.process.stderr.read()}")
    return f"SIGTERM ends the hub within {time.monotonic() - begin:.1f} s"


def ends_at_once():
    """A second SIGTERM ends a hub that still waits for a request."""
    other = Hub(SLUICE, str(folder / "other.sqlite"))
    host, port = other.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as slow:
        slow.sendall(b"POST /streams HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                     b"Content-Length: 100\r\n\r\n{")
        timed(other, "GET", "/health")
        other.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        begin = time.monotonic()
        other.process.send_signal(signal.SIGTERM)
        status = other.process.wait(PATIENCE)
    seconds = time.monotonic() - begin
    # An orderly shutdown waits five seconds for the request, and ends with 0.
    if status != 130:
        raise AssertionError(f"after a second SIGTERM the hub ends with {status}, after {seconds:.1f} s")
    return f"a second SIGTERM ends the hub after {seconds:.3f} s"


def memory():
    """A text that grows a thousand times a second takes little memory, and it is returned after the deletion."""
    other = Hub(SLUICE, str(folder / "memory.sqlite"))

    def resident():
        return float(re.search(r"^process_resident_memory_bytes (\S+)", other.ask("GET", "/metrics")[1], re.M)[1]) / 2**20

    before = resident()
    grow = "size(acc) < 500000 ? acc + acc : acc + 'x'"
    document = {"source": {"interval": {"seconds": 0.001}}, "operators": [
        {"id": "grow", "scan": {"expression": grow, "initialValue": "x"}},
        {"id": "size", "map": {"expression": "size(x)"}}, {"id": "some", "throttle": {"seconds": 1}}]}
    for number in range(10):
        other.json("PUT", f"/streams/grow{number}", json.dumps(document), {"If-None-Match": "*"})
        other.json("POST", f"/streams/grow{number}/start")
    highest, end = 0, time.monotonic() + 10
    while time.monotonic() < end:
        highest = max(highest, resident())
        time.sleep(0.2)
    for number in range(10):
        other.ask("DELETE", f"/streams/grow{number}", None, {"If-Match": '"1"'})
    until("the memory is returned", lambda: resident() < before + 100)
    text = f"10 growing texts take {highest - before:.0f} MB beyond {before:.0f} MB, and return all but {resident() - before:.0f} MB"
    if highest > before + 400:
        raise AssertionError(text)
    return text


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    store = str(folder / "busy.sqlite")
    hub = Hub(SLUICE, store)
    # One hub for all checks, in this order.
    sys.exit(run_checks([ticks, lag, commands, restart, ends, ends_at_once, memory], shares_hub=True))
