"""Documents that were written to take memory and time: `sluice check` and a hub refuse each of them soon, and those that
are only large they read soon.

Usage: hostile.py SLUICE SECONDS MEGABYTES

Each document is checked by a process of its own, and sent to a hub, which gets hostile bodies for a webhook, too. A check
and an answer take at most SECONDS of processor time. A process that checks needs at most MEGABYTES more than one that checks
a document without operators, and so does the hub for all documents together; for all bodies it needs at most four times as
much. Ends with `N passed, N failed`.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from hub import Hub, run_checks, until

SLUICE, SECONDS, MEGABYTES = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
TICKS = os.sysconf("SC_CLK_TCK")


# The documents without a fault: they are large, but within the limits.
READ = {"long lists", "many operators"}
# A hub keeps what it doesn't know, and doesn't run it.
BLOCKED = {"unknown keys"}


def maps(*expressions):
    return json.dumps({"source": {"interval": {"seconds": 1}},
                       "operators": [{"map": {"expression": text}} for text in expressions]})


def joined(text, separator="||"):
    """Returns as many of the texts that `text` returns for 0, 1, … as an expression of 64 KB has room for."""
    parts, size, index = [], 0, 0
    while size + len(part := text(index)) + len(separator) < 65_000:
        parts.append(part)
        size += len(part) + len(separator)
        index += 1
    return separator.join(parts)


def documents():
    """Returns the documents by their names."""
    same = joined(lambda _: "''.matches('(.{99}){99}')")
    distinct = joined(lambda index: f"''.matches('(.{{99}}){{{index % 99 + 1}}}|{index}')")
    classes = joined(lambda index: f"'a'.matches('[\\\\p{{L}}\\\\p{{N}}{index}]{{500}}')")
    nested = joined(lambda _: "''.matches('" + "(" * 40 + "a" + "){1,2}" * 40 + "')")
    macros = joined(lambda _: "[1].map(a, " * 40 + "a" + ")" * 40 + " == []")
    elements = "[" + joined(lambda index: f"'{index}'", ",") + "].size()"
    names = joined(lambda index: f"nme{index} == 1")
    return {
        "three times the same pattern": maps(same, same, same),
        "distinct patterns": maps(distinct, distinct, distinct),
        "large classes": maps(classes, classes, classes),
        "nested repetitions": maps(*[nested] * 10),
        "macros within macros": maps(*[macros] * 5),
        "long lists": maps(*[elements] * 10),
        "unknown names": maps(*[names] * 3),
        "unknown keys": json.dumps({"stream": [], **{f"key{index}": 1 for index in range(40_000)}}),
        "deep arrays": '{"stream": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "many operators": maps(*["x + 1"] * 250),
    }


def check(path):
    """Checks a document, and returns the exit code, the seconds of processor time, and the memory in bytes."""
    process = subprocess.Popen([SLUICE, "check", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def the_command():
    plain = folder / "plain.json"
    plain.write_text('{"stream": []}')
    _, _, least = check(str(plain))
    worst = {}
    for name, text in documents().items():
        path = folder / "hostile.json"
        path.write_text(text)
        code, seconds, memory = check(str(path))
        if code != (0 if name in READ else 65):
            raise AssertionError(f"{name}: sluice check exits with {code}")
        worst[name] = (round(seconds, 2), round((memory - least) / 1e6))
    report("sluice check", worst)
    return f"sluice check: {worst}"


def usage(hub):
    """Returns the seconds of processor time that a hub has taken, and the most memory that it had, in bytes."""
    fields = Path(f"/proc/{hub.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    memory = next(line.split()[1] for line in Path(f"/proc/{hub.process.pid}/status").read_text().splitlines()
                  if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / TICKS, int(memory) * 1024


def the_hub():
    hub = Hub(SLUICE, str(folder / "hub.sqlite"))
    hub.json("PUT", "/streams/plain", '{"stream": []}', {"If-None-Match": "*", "Content-Type": "application/json"})
    _, least = usage(hub)
    worst = {}
    for index, (name, text) in enumerate(documents().items()):
        before, _ = usage(hub)
        status, answer = hub.ask("PUT", f"/streams/hostile-{index}", text,
                                 {"If-None-Match": "*", "Content-Type": "application/json"})
        if status not in ((201,) if name in READ | BLOCKED else (400, 413, 422)):
            raise AssertionError(f"{name}: the hub answers {status} {answer[:200]}")
        if status == 201 and (json.loads(answer)["state"] == "blocked") != (name in BLOCKED):
            raise AssertionError(f"{name}: the hub's state is {json.loads(answer)['state']}")
        hub.json("GET", "/health")
        seconds, memory = usage(hub)
        worst[name] = (round(seconds - before, 2), round((memory - least) / 1e6))
    report("the hub", worst)
    return f"hub: {worst}"


def bodies():
    """Returns bodies of up to a megabyte for a webhook, by their names, each with its type."""
    form, data = "application/x-www-form-urlencoded", "application/json"
    return {
        "short fields": (form, "a&" * 500_000),
        "distinct fields": (form, "&".join(f"k{index}" for index in range(140_000))),
        "encoded bytes": (form, "%41" * 333_000),
        "short elements": (data, "[" + "1," * 499_000 + "1]"),
        "distinct keys": (data, json.dumps({f"k{index}": 1 for index in range(70_000)})),
        "deep arrays": (data, "[" * 1_000_000),
    }


def the_webhook():
    hub = Hub(SLUICE, str(folder / "webhook.sqlite"))
    hub.json("PUT", "/streams/w", json.dumps({"source": {"webhook": {"name": "in", "auth": "none"}}}), {"If-None-Match": "*"})
    hub.json("POST", "/streams/w/start")
    until("the webhook", lambda: hub.ask("POST", "/streams/w/webhook/in", "1")[0] == 204)
    _, least = usage(hub)
    worst = {}
    for name, (kind, body) in bodies().items():
        before, _ = usage(hub)
        status, answer = hub.ask("POST", "/streams/w/webhook/in", body, {"Content-Type": kind})
        if status not in (204, 400, 413):
            raise AssertionError(f"{name}: the hub answers {status} {answer[:200]}")
        seconds, memory = usage(hub)
        worst[name] = (round(seconds - before, 2), round((memory - least) / 1e6))
    report("the webhook", worst, 4 * MEGABYTES)
    return f"webhook: {worst}"


def report(what, worst, most=MEGABYTES):
    for name, (seconds, megabytes) in worst.items():
        if seconds > SECONDS or megabytes > most:
            raise AssertionError(f"{what}, {name}: {seconds} s and {megabytes} MB; all: {worst}")


resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
with tempfile.TemporaryDirectory() as path:
    folder = Path(path)
    sys.exit(run_checks([the_command, the_hub, the_webhook]))
