"""A hub that is killed while its streams receive webhooks and send requests.

Usage: sources.py SLUICE KILLS

Several senders post items to a webhook whose stream enriches each item with a request to a server that fails one call of
twenty, and repeat an item until it is answered with 204. The hub is killed (kill -9) at random moments. At the end every
item that was answered is an output once, with its response; and another stream, which subscribes to it, has the same outputs
in the same order.

Streams of `lines`, `poll`, `events`, `request`, and `schedule` continue after the place at which they were stored: a log that
is rotated while it is written, pages, numbered events, one answer, and the seconds of the clock have no gap and nothing twice.
Their servers are away for a while. A sink `lines` has written all of that in order, at least once.
Ends with `N passed, N failed`.
"""
import datetime
import http.server
import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from feeds import PAGES, Feeds, Log, Senders, tenfold
from hub import Hub, output, run_checks, until
from seeds import chosen_seed
from server import Server

SLUICE, KILLS = sys.argv[1], int(sys.argv[2])
SENDERS = 4
seed = chosen_seed()
chance = random.Random(seed)


def webhooks():
    port = Server(tenfold).port
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
    senders = Senders(lambda: f"{current[0].base}/streams/w/webhook/in", SENDERS)
    for _ in range(KILLS):
        least = len(senders.answered) + 20
        until(f"items after a kill (seed {seed})", lambda: len(senders.answered) >= least)
        time.sleep(chance.uniform(0, 0.3))
        current[0].kill()
        current[0] = Hub(SLUICE, store, "--allow", "127.0.0.1")
    wanted = senders.end()
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


def places():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feeds)
    server.handle_error = lambda *arguments: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    files = folder / "files"
    files.mkdir()
    log = Log(str(files / "app.log"))
    store = str(folder / "places.sqlite")
    options = ["--allow", "127.0.0.1", "--files", str(files)]
    sources = {
        "log": {"lines": {"path": "app.log", "follow": True}},
        "pages": {"poll": {"url": f"{base}/pages", "seconds": 0.1, "paging": {"cursor": "x.next", "query": "page"}}},
        "numbers": {"events": f"{base}/events"},
        "one": {"request": f"{base}/one"},
        "seconds": {"schedule": {"cron": "* * * * * *", "missed": "all"}},
    }
    hub = Hub(SLUICE, store, *options)
    for id, source in sources.items():
        # Pages come again and again: a number makes each of them another value.
        operators = [{"id": "page", "map": {"expression": "[i, x.page]"}}] if id == "pages" else []
        document = {"source": source, "operators": operators, "sinks": [{"id": "file", "lines": {"path": f"{id}.out"}}]}
        hub.json("PUT", f"/streams/{id}", json.dumps(document), {"If-None-Match": "*"})
        hub.json("POST", f"/streams/{id}/start")
    growing = ["log", "pages", "numbers"]

    def counts():
        return {id: hub.json("GET", f"/streams/{id}/sinks")[0]["delivered"] for id in growing}

    for kill in range(KILLS):
        before = counts()
        if kill % 4 != 1:
            until(f"items after a kill (seed {seed})", lambda: all(n > before[id] for id, n in counts().items()))
        Feeds.isAway = kill % 4 == 0
        time.sleep(chance.uniform(0, 0.4))
        hub.kill()
        hub = Hub(SLUICE, store, *options)
        Feeds.isAway = False
    log.end()
    until(f"all {log.count} lines (seed {seed})", lambda: len(output(hub, "log")) >= log.count)
    until(f"the answer (seed {seed})", lambda: len(output(hub, "one")) == 2)
    for id in sources:
        if id != "one":
            hub.json("POST", f"/streams/{id}/pause")
    values = {id: [event["value"] for event in output(hub, id) if "value" in event] for id in sources}

    def expect(id, wanted):
        got = values[id]
        if got != wanted:
            index = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
            raise AssertionError(
                f"{id} (seed {seed}): {len(got)} values, {len(wanted)} expected; at {index}: {got[index - 1:index + 3]}")

    expect("log", [str(n + 1) for n in range(log.count)])
    expect("pages", [[n, n % PAGES + 1] for n in range(len(values["pages"]))])
    expect("numbers", list(range(1, len(values["numbers"]) + 1)))
    expect("one", [{"answer": 1}])
    times = [datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() for text in values["seconds"]]
    if times != [times[0] + n for n in range(len(times))]:
        raise AssertionError(f"seconds (seed {seed}): {values['seconds']}")
    until(f"the files (seed {seed})", lambda: not any(hub.json("GET", f"/streams/{id}/sinks")[0]["waiting"] for id in sources))
    repeated = 0
    for id in sources:
        # After a kill, lines whose delivery was not stored yet are written again, in order.
        known, last = {json.dumps(value): index for index, value in enumerate(values[id])}, -1
        for line in (files / f"{id}.out").read_text().splitlines():
            value = line if id in ("log", "seconds") else json.loads(line)
            index = known.get(json.dumps(value), len(known))
            if index > last + 1:
                raise AssertionError(f"the file of {id} has {line} after the line {last + 1} (seed {seed})")
            repeated += index <= last
            last = max(last, index)
        if last != len(values[id]) - 1:
            raise AssertionError(f"the file of {id} has {last + 1} lines of {len(values[id])} (seed {seed})")
    hub.kill()
    server.shutdown()
    total = sum(map(len, values.values()))
    return (f"{KILLS} kills, {total} items of files, pages, events, an answer, and a schedule: none lost, none twice, "
            f"and {repeated} lines written again")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([webhooks, places]))
