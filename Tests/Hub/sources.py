"""A hub that is killed while its streams receive webhooks and send requests.

Usage: sources.py SLUICE KILLS

Several senders post items to a webhook whose stream enriches each item with a request to a server that fails one call of
twenty, and repeat an item until it is answered with 204. The hub is killed (kill -9) at random moments. At the end every
item that was answered is an output once, with its response; and another stream, which subscribes to it, has the same outputs
in the same order. Ends with `N passed, N failed`.
"""
import http.server
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

SLUICE, KILLS = sys.argv[1], int(sys.argv[2])
SENDERS = 4
seed = int(time.time())
chance = random.Random(seed)


class Enricher(http.server.BaseHTTPRequestHandler):
    """Answers with ten times the number in the path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status = 503 if random.random() < 0.05 else 200
        body = json.dumps(int(self.path.split("/")[-1]) * 10).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def webhooks():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Enricher)
    # The kills break connections.
    server.handle_error = lambda *arguments: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_port
    store = str(folder / "sources.sqlite")
    current = [Hub(SLUICE, store, "--allow", "127.0.0.1")]
    document = {
        "id": "w", "source": {"webhook": {"name": "in", "auth": "none", "key": "x.id"}},
        "operators": [{"flatMap": {"to": {"request": f"http://127.0.0.1:{port}/${{a.id}}"}, "concurrency": 16,
                                   "expression": "[a.id, x]"}}]}
    current[0].json("PUT", "/streams/w", json.dumps(document), {"If-None-Match": "*"})
    reader = {"id": "r", "source": {"subscribe": {"stream": "w", "from": "start"}}, "operators": []}
    current[0].json("PUT", "/streams/r", json.dumps(reader), {"If-None-Match": "*"})
    for id in "w", "r":
        current[0].json("POST", f"/streams/{id}/start")
    answered, lock, isOver = [], threading.Lock(), threading.Event()

    def send(first):
        number = first
        while not isOver.is_set():
            try:
                request = urllib.request.Request(
                    f"{current[0].base}/streams/w/webhook/in", json.dumps({"id": number}).encode(),
                    {"Content-Type": "application/json"}, method="POST")
                with urllib.request.urlopen(request, timeout=10) as response:
                    if response.status != 204:
                        raise AssertionError(f"a webhook is answered with {response.status}")
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    raise
                time.sleep(0.02)
                continue
            except OSError:
                time.sleep(0.02)
                continue
            with lock:
                answered.append(number)
            number += SENDERS
            time.sleep(0.002)

    senders = [threading.Thread(target=send, args=(first,), daemon=True) for first in range(SENDERS)]
    for sender in senders:
        sender.start()
    for _ in range(KILLS):
        least = len(answered) + 20
        until(f"items after a kill (seed {seed})", lambda: len(answered) >= least)
        time.sleep(chance.uniform(0, 0.3))
        current[0].kill()
        current[0] = Hub(SLUICE, store, "--allow", "127.0.0.1")
    isOver.set()
    for sender in senders:
        sender.join(30)
    wanted = set(answered)
    until(f"all of {len(wanted)} items (seed {seed})",
          lambda: wanted <= {event["value"][0] for event in output(current[0], "w")})
    events = output(current[0], "w")
    values = [event["value"] for event in events]
    numbers = [value[0] for value in values]
    if len(numbers) != len(set(numbers)):
        raise AssertionError(f"an item is an output twice (seed {seed})")
    wrong = [value for value in values if value[1] != value[0] * 10]
    if wrong or [event["sequence"] for event in events] != list(range(1, len(events) + 1)):
        raise AssertionError(f"wrong outputs: {wrong[:5]} (seed {seed})")
    until(f"all outputs at the reader (seed {seed})", lambda: len(output(current[0], "r")) >= len(events))
    read = output(current[0], "r")
    if [event["value"] for event in read] != values:
        raise AssertionError(f"the reader has other outputs, or in another order (seed {seed})")
    if [event["sequence"] for event in read] != list(range(1, len(read) + 1)):
        raise AssertionError(f"the outputs of the reader have gaps (seed {seed})")
    current[0].kill()
    return f"{KILLS} kills, {len(wanted)} items that were answered, {len(numbers)} outputs, which a reader has too"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([webhooks]))
