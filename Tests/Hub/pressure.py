"""A hub whose senders and readers don't keep pace with it: webhooks of streams that are full, and readers that stall.

Usage: pressure.py SLUICE

While 10,000 outputs or 64 MB of a stream wait for a sink, its webhook is answered with 503 and `Retry-After`; what was refused
is not read, also after a kill, and what was accepted is delivered. A client that stops reading an answer or an event stream is
cut off, and the hub holds little for it. Ends with `N passed, N failed`.
"""
import json
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from hub import Hub, run_checks, until
from server import Server

SLUICE = sys.argv[1]


def post(hub, stream, item):
    """Posts an item to a webhook, and returns the status and the seconds to wait."""
    request = urllib.request.Request(f"{hub.base}/streams/{stream}/webhook/in", json.dumps(item).encode(),
                                     {"Content-Type": "application/json"}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=600) as answer:
            return answer.status, None
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get("Retry-After")


def expect_refusal(answer):
    status, wait = answer
    if status != 503 or not (wait or "").isdigit() or int(wait) < 1:
        raise AssertionError(f"a webhook that is full is answered with {status}, Retry-After {wait}")


def full(name, count, size, limit):
    """Fills a stream with items that become `count` outputs with `size` bytes each; it is full at `limit` outputs."""
    bodies, lock = {}, threading.Lock()

    def take(path, fields, body):
        with lock:
            bodies.setdefault(fields["Idempotency-Key"], json.loads(body))
        return 204, None

    receiver = Server(take)
    store, options = str(folder / f"{name}.sqlite"), ["--allow", "127.0.0.1"]
    hub = Hub(SLUICE, store, *options)

    def document(is_held):
        return json.dumps({
            "source": {"webhook": {"name": "in", "auth": "none", "key": "x.id"}},
            "operators": [{"id": "many", "flatMap": {"to": {"range": {"from": 0, "count": count}},
                                                     "expression": "[a.id, x, a.text]"}}],
            "sinks": [{"id": "hook", "disabled": is_held, "post": {
                "url": f"http://127.0.0.1:{receiver.port}/", "batch": {"count": 500, "seconds": 0.1},
                "body": "x.map(y, [y[0], y[1]])"}}]})

    def item(id):
        return {"id": id, "text": "x" * size}

    def waiting():
        return hub.json("GET", "/streams/w/sinks")[0]["waiting"]

    hub.json("PUT", "/streams/w", document(True), {"If-None-Match": "*"})
    hub.json("PUT", "/streams/other", json.dumps({"source": {"webhook": {"name": "in", "auth": "none"}}}), {"If-None-Match": "*"})
    for id in ("w", "other"):
        hub.json("POST", f"/streams/{id}/start")
    accepted = []
    while (answer := post(hub, "w", item(len(accepted))))[0] == 204:
        accepted.append(len(accepted))
        if len(accepted) * count > 2 * limit:
            raise AssertionError(f"{len(accepted) * count} outputs wait, and the webhook takes more")
    expect_refusal(answer)
    # The rest of an item that was accepted last waits too, and becomes outputs when there is room.
    held = waiting()
    if not limit - count <= held <= len(accepted) * count <= limit + 2 * count:
        raise AssertionError(f"it is full with {held} outputs of {len(accepted)} items")
    # More senders at once than its buffer has room for, of other items.
    answers, threads = [], []
    for id in range(1000, 1070):
        threads.append(threading.Thread(target=lambda id=id: answers.append(post(hub, "w", {"id": id, "text": ""}))))
        threads[-1].start()
    # Another stream takes items meanwhile.
    if post(hub, "other", 1)[0] != 204:
        raise AssertionError("the webhook of another stream is refused")
    for thread in threads:
        thread.join()
    for answer in answers:
        expect_refusal(answer)
    hub.kill()
    hub = Hub(SLUICE, store, *options)
    until("it runs, and is full", lambda: waiting() >= held and hub.json("GET", "/streams/w/run")["state"] == "running")
    expect_refusal(post(hub, "w", item(len(accepted))))
    if not held <= waiting() <= len(accepted) * count:
        raise AssertionError(f"{waiting()} outputs wait after a kill, {held} before it")
    hub.json("PUT", "/streams/w", document(False), {"If-Match": '"1"'})
    # The sender repeats what was refused.
    until("there is room", lambda: post(hub, "w", item(len(accepted)))[0] == 204)
    accepted.append(len(accepted))
    until("everything is delivered",
          lambda: hub.json("GET", "/streams/w/sinks")[0]["delivered"] >= len(accepted) * count and waiting() == 0)
    wanted = [[id, number] for id in accepted for number in range(count)]
    got = [value for body in bodies.values() for value in body]
    if got != wanted:
        raise AssertionError(f"{len(got)} of {len(wanted)} outputs were delivered: {got[:3]}, {got[-3:]}")
    hub.kill()
    receiver.kill()
    return (f"a webhook with {name} takes {len(accepted) - 1} items, answers {len(answers) + 2} with 503, and reads none of these; "
            f"all {len(wanted)} outputs are delivered")


def many_outputs():
    return full("10,000 outputs", 2500, 0, 10_000)


def large_outputs():
    return full("64 MB", 10, 600_000, (64 << 20) // 600_000)


class Stalled:
    """A client that asks for an event stream, and reads nothing."""

    def __init__(self, hub, path):
        self.socket = socket.socket()
        # Less fits between it and the hub.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", int(hub.base.rsplit(":", 1)[1])))
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def drain(self):
        """Reads the rest, and returns the number of bytes; fails if the connection doesn't end."""
        self.socket.settimeout(60)
        count = 0
        try:
            while data := self.socket.recv(1 << 20):
                count += len(data)
        except ConnectionError:
            pass
        return count


def memory(hub):
    """Returns the memory of a hub in MB."""
    text = Path(f"/proc/{hub.process.pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def connections(hub):
    """Returns the number of sockets of a hub."""
    count = 0
    for file in Path(f"/proc/{hub.process.pid}/fd").iterdir():
        try:
            count += os.readlink(file).startswith("socket:")
        except OSError:
            pass  # It was closed meanwhile.
    return count


def stalled(path, most, count):
    """Has clients stall, while another one reads events; returns what the hub holds for them, `most` MB at most."""
    hub = Hub(SLUICE, str(folder / f"stalled-{path.split('?')[0].split('/')[-1]}.sqlite"))
    text = "x" * 50_000
    document = {"source": {"interval": {"seconds": 0.02}}, "operators": [{"id": "large", "map": {"expression": f"[x, '{text}']"}}]}
    hub.json("PUT", "/streams/s", json.dumps(document), {"If-None-Match": "*"})
    hub.json("POST", "/streams/s/start")
    delivered = []

    def read():
        with urllib.request.urlopen(hub.base + "/streams/s/events", timeout=600) as answer:
            for line in answer:
                if text[:100].encode() in line:
                    delivered.append(len(line))

    threading.Thread(target=read, daemon=True).start()
    # What the hub keeps anyway has its size then.
    until("twelve megabytes of outputs", lambda: sum(delivered) > 12_000_000)
    before, others, began = memory(hub), connections(hub), time.monotonic()
    clients = [Stalled(hub, path) for _ in range(count)]
    until("all are connected", lambda: connections(hub) >= others + count)
    highest, at = 0, len(delivered)

    def are_gone():
        nonlocal highest
        highest = max(highest, memory(hub) - before)
        return connections(hub) <= others

    until("all that stall are cut off", are_gone)
    seconds = time.monotonic() - began
    if highest > most:
        raise AssertionError(f"{path}: the hub has grown by {highest:.0f} MB, {most} MB at most")
    if len(delivered) <= at:
        raise AssertionError(f"{path}: the client that reads got nothing meanwhile")
    sizes = [client.drain() for client in clients]
    if max(sizes) > 16 << 20:
        raise AssertionError(f"{path}: {max(sizes)} bytes were on their way to one client")
    hub.kill()
    return f"{count} of {path} are cut off after {seconds:.0f} s, with {highest:.0f} MB in the hub"


def stalled_readers():
    results, threads = {}, []

    def note(path, *arguments):
        try:
            results[path] = stalled(path, *arguments)
        except Exception as error:
            results[path] = error

    # For a client that reads items, the hub holds some 400 KB; for all that read events 64 MB, and for one that has asked for
    # outputs its answer of up to 8 MB, which takes several times as much while it is made.
    for arguments in (("/streams/s/items?from=start", 60, 16), ("/events", 200, 16),
                      ("/streams/s/output?after=start&limit=1000", 250, 4)):
        threads.append(threading.Thread(target=note, args=arguments))
        threads[-1].start()
    for thread in threads:
        thread.join()
    for result in results.values():
        if isinstance(result, Exception):
            raise result
    return f"readers that stall: {'; '.join(results.values())}"


def answers_at_the_end():
    """At its end the hub waits for a client that reads a long answer slowly, and not for one that stalls."""
    hub = Hub(SLUICE, str(folder / "end.sqlite"))
    document = {"source": {"interval": {"seconds": 0.005, "count": 100}},
                "operators": [{"map": {"expression": f"[x, '{'x' * 50_000}']"}}]}
    hub.json("PUT", "/streams/s", json.dumps(document), {"If-None-Match": "*"})
    hub.json("POST", "/streams/s/start")
    until("all outputs", lambda: hub.json("GET", "/streams/s/run")["state"] == "completed")
    path = "/streams/s/output?after=start&limit=1000"
    stalls, reads = Stalled(hub, path), Stalled(hub, path)
    reads.socket.settimeout(60)
    data = reads.socket.recv(4096)
    began = time.monotonic()
    hub.process.send_signal(signal.SIGTERM)
    # More than a second: the hub gives five to what is under way.
    while part := reads.socket.recv(1 << 17):
        data += part
        time.sleep(max(0, began + len(data) / 4e6 - time.monotonic()))
    status = hub.process.wait(60)
    seconds = time.monotonic() - began
    head, body = data.split(b"\r\n\r\n", 1)
    length = int(head.lower().split(b"content-length:")[1].split()[0])
    if len(body) != length:
        raise AssertionError(f"the client that reads has {len(body)} of {length} bytes")
    if status != 0 or seconds > 30:
        raise AssertionError(f"the hub ends with {status} after {seconds:.1f} s")
    stalls.socket.close()
    return f"a client that reads gets all {length} bytes, and the hub ends {seconds:.1f} s after SIGTERM"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([many_outputs, large_outputs, stalled_readers, answers_at_the_end]))
