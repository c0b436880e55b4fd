"""The cost of durability: 1,000 streams at 1 Hz and one at 1,000 Hz, all durable.

Usage: durable.py SLUICE [SECONDS]

Measures the processor time and the bytes that the hub's process takes for a stored value, whatever it does, and the time by
which values are late. A value takes at most 60 µs and 500 bytes; the lateness depends on what else the machine does, and is
printed only. For a release build. Ends with `N passed, N failed`.
"""
import json
import os
import re
import sqlite3
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from hub import Hub, run_checks

SLUICE, SECONDS = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 20
SLOW = 1000
PROCESSOR, BYTES = 60, 500


def document(id, seconds):
    return {"id": id, "source": {"interval": {"seconds": seconds}},
            "operators": [{"scan": {"initialValue": 0, "expression": "acc + x"}}]}


def processor(hub):
    """Returns the seconds of processor time that a hub has used."""
    fields = Path(f"/proc/{hub.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def written(hub):
    """Returns the bytes that a hub has given to the system's calls for writing."""
    lines = Path(f"/proc/{hub.process.pid}/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


def stored():
    """Returns the number of values in the store."""
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    newest = """SELECT sum(newest) FROM (SELECT stream, max(outputs) AS newest FROM
        (SELECT stream, outputs FROM run UNION ALL SELECT stream, outputs FROM log) GROUP BY stream)"""
    count = database.execute(newest).fetchone()[0]
    database.close()
    return count


def jitter(hub):
    """Returns the milliseconds by which 99 of 100 values of the fast stream are late at most, as a subscriber sees them."""
    late, begin = [], time.monotonic()
    with urllib.request.urlopen(hub.base + "/streams/fast/events", timeout=60) as events:
        # What is kept of the run comes first, all at once.
        while len(late) < 5000 and time.monotonic() - begin < 60:
            line, now = events.readline(), time.monotonic()
            found = re.search(rb'"stage": 1, "time": ([0-9.]+)', line)
            if found and now - begin > 1:
                late.append((now - float(found.group(1))) * 1000)
    late.sort()
    return late[len(late) * 99 // 100] - late[len(late) // 20]


def durable():
    hub = Hub(SLUICE, store)
    documents = [document("fast", 0.001)] + [document(f"slow-{number}", 1) for number in range(SLOW)]
    hub.json("POST", "/import", json.dumps(documents))
    for each in documents:
        hub.json("POST", f"/streams/{each['id']}/start")
    # What beginning costs is not counted.
    time.sleep(5)
    before = stored(), processor(hub), written(hub), time.monotonic()
    time.sleep(SECONDS)
    after = stored(), processor(hub), written(hub), time.monotonic()
    values, used, size, seconds = (b - a for a, b in zip(before, after))
    late = jitter(hub)
    hub.kill()
    each, size = used / values * 1e6, size / values
    text = (f"{values / seconds:.0f} values a second, {each:.1f} µs and {size:.0f} bytes for one; 99 % are late by at most "
            f"{late:.2f} ms; the load is {os.getloadavg()[0]:.1f}")
    if values / seconds < 0.9 * (SLOW + 1000) or each > PROCESSOR or size > BYTES:
        raise AssertionError(f"{text}: at most {PROCESSOR} µs and {BYTES} bytes are allowed, and every value is stored")
    return text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        store = str(Path(temporary) / "durable.sqlite")
        sys.exit(run_checks([durable]))
