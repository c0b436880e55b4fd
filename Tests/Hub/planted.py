"""A hub whose servers echo the secrets that they are sent: no value is found in anything that the hub writes or answers.

Usage: planted.py SLUICE

Plants secrets in a file, and lets a server echo them in bodies, keys, header fields, chunks, errors, redirects, links of
pages, and events, to sources and to a sink. Then it searches the answers of all routes that read, the events, the metrics,
a picture, the outputs, the dead letters, the store with its write-ahead log, a backup, the texts that the hub prints, and
those of `sluice run`. Ends with `N passed, N failed`.
"""
import hashlib
import hmac
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from hub import Hub, run_checks, until

SLUICE = sys.argv[1]
# One has a slash and quotes, which JSON may escape; one begins like another.
SECRETS = {
    "api": "planted/api+8c5a2f0d\"9e==",
    "longer": "planted/api+8c5a2f0d\"9e==and-more",
    "sign": "planted-signature-0d1f7a60b4",
    "hook": "planted-hook-71f2c3aa90d4",
}
# A part of each value that no other text contains: a value that was cut is found, too.
PARTS = ["8c5a2f0d", "0d1f7a60b4", "71f2c3aa90d4", "planted"]


class Echo:
    """A server that echoes the header fields of requests."""

    def __init__(self):
        self.seen = []
        self.other = None
        echo = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, body, **fields):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                secret = self.headers.get("X-Secret", "")
                echo.seen.append((self.path, secret))
                body = json.dumps({"got": secret, secret: [1], "in": f"<{secret}>"}).encode()
                path = self.path.split("?")[0]
                if path == "/body":
                    self.answer(200, body)
                elif path == "/escaped":
                    self.answer(200, body.replace(b"/", b"\\/").replace(b"p", b"\\u0070"))
                elif path == "/fields":
                    self.answer(200, b"{}", X_Echo=secret, ETag=f'"{secret}"')
                elif path == "/chunks":
                    self.send_response(200)
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    for byte in body:
                        self.wfile.write(b"1\r\n" + bytes([byte]) + b"\r\n")
                        self.wfile.flush()
                    self.wfile.write(b"0\r\n\r\n")
                elif path == "/refused":
                    self.answer(400, body)
                elif path == "/long":
                    # Texts are cut somewhere: values at each place.
                    self.answer(400, secret.encode() * 2000)
                elif path == "/broken":
                    self.answer(200, b'{"a": ' + secret.encode())
                elif path == "/away":
                    self.answer(503, body, Retry_After="0")
                elif path == "/moved":
                    # A header field of another origin has no secret; the address has what this server put there.
                    self.answer(302, b"", Location=f"http://127.0.0.1:{echo.other.port}/body")
                elif path == "/loop":
                    self.answer(302, b"", Location="/loop?" + secret)
                elif path == "/pages":
                    self.answer(200, body, Link=f'</pages?after={secret}>; rel="next"')
                elif path == "/events":
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.send_header("Connection", "close")
                    self.end_headers()
                    self.wfile.write(b"data: " + body + b"\n\ndata: 2\n\n")
                    self.close_connection = True
                else:
                    self.answer(404, body)

            def do_POST(self):
                secret = self.headers.get("X-Secret", "")
                sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                echo.seen.append((self.path, secret))
                self.answer(400 if self.path == "/refuse" else 503, f"no {secret}: ".encode() + secret.encode() * 500 + sent,
                            X_Echo=secret, Retry_After="1")

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server.server_address[1]


def documents(port):
    base = f"http://127.0.0.1:{port}"
    fields = {"X-Secret": "${secret:api}"}
    sources = {
        name: {"request": {"url": f"{base}/{name}", "headers": fields}}
        for name in ["body", "escaped", "chunks", "refused", "long", "broken", "moved", "loop", "away"]
    }
    # In addresses, a value counts as it is written there: these have no character that addresses encode.
    sources["loop"]["request"]["headers"] = {"X-Secret": "${secret:hook}"}
    sources["longer"] = {"request": {"url": f"{base}/body", "headers": {"X-Secret": "${secret:longer}"}}}
    sources["fields"] = {"request": {"url": f"{base}/fields", "headers": fields, "as": "response"}}
    sources["pages"] = {"poll": {"url": f"{base}/pages", "seconds": 60, "headers": {"X-Secret": "${secret:hook}"},
                                 "paging": {"link": "next"}}}
    sources["events"] = {"events": {"url": f"{base}/events", "headers": fields}}
    result = {name: {"source": source} for name, source in sources.items()}
    for name, path in {"blocked": "refuse", "waiting": "later"}.items():
        result[name] = {"source": {"interval": {"seconds": 0.05}}, "sinks": [
            {"id": "hook", "post": {"url": f"{base}/{path}", "headers": {"X-Secret": "${secret:hook}"}}}]}
    result["dead"] = {"source": {"interval": {"seconds": 0.05}}, "sinks": [
        {"id": "hook", "post": {"url": f"{base}/refuse", "headers": {"X-Secret": "${secret:hook}"}, "onFailure": "skip"}}]}
    result["signed"] = {"source": {"webhook": {"name": "in", "auth": {"hmac": {
        "header": "X-Signature", "algorithm": "sha256", "secret": "${secret:sign}"}}}}}
    result["watch"] = {"source": {"subscribe": {"stream": "refused", "of": "errors", "from": "start"}}}
    return result


def listen(hub, path, heard):
    """Collects the events of an address until the hub ends."""
    def read():
        try:
            with urllib.request.urlopen(hub.base + path) as answer:
                for line in answer:
                    heard.append(line)
        except (OSError, ValueError):
            pass
    threading.Thread(target=read, daemon=True).start()


def search(texts):
    """Raises an error if a text contains a value, or a part of one."""
    found = []
    for name, text in texts.items():
        data = text if isinstance(text, bytes) else text.encode()
        for part in PARTS:
            place = data.find(part.encode())
            if place >= 0:
                found.append(f"{name}: …{data[max(0, place - 100):place + 40]!r}…")
                break
    if found:
        raise AssertionError("values of secrets are in\n  " + "\n  ".join(found))


def secrets():
    echo, other = Echo(), Echo()
    echo.other = other
    file = folder / "secrets.json"
    origin = [f"http://127.0.0.1:{echo.port}"]
    file.write_text(json.dumps({name: {"value": value, "origins": [] if name == "sign" else origin}
                                for name, value in SECRETS.items()}))
    os.chmod(file, 0o600)
    store = folder / "hub.sqlite"
    options = ["--allow", f"127.0.0.1:{echo.port}", "--allow", f"127.0.0.1:{other.port}", "--secrets", str(file)]
    hub = Hub(SLUICE, str(store), *options)
    all, heard = documents(echo.port), []
    listen(hub, "/events?values=" + "&values=".join(all), heard)
    texts = {}

    def ask(method, path, body=None, headers=None):
        status, text = hub.ask(method, path, body, headers)
        texts[f"{len(texts)} {method} {path}"] = text
        return status, text

    for id, document in all.items():
        status, text = ask("PUT", f"/streams/{id}", json.dumps(document), {"If-None-Match": "*"})
        if status >= 300:
            raise AssertionError(f"{id}: {text}")
        listen(hub, f"/streams/{id}/events", heard)
        for of in ["outputs", "errors", "states"]:
            listen(hub, f"/streams/{id}/items?of={of}" + ("&from=start" if of != "states" else ""), heard)
    listen(hub, "/states", heard)
    for id in sorted(all, key=lambda id: id != "watch"):
        ask("POST", f"/streams/{id}/start")

    # A signature that is right, one that is wrong, and one that is missing.
    body = '{"a": 1}'
    right = hmac.new(SECRETS["sign"].encode(), body.encode(), hashlib.sha256).hexdigest()
    until("a signed request", lambda: ask("POST", "/streams/signed/webhook/in", body, {"X-Signature": right})[0] == 204)
    for signature in ["0" * 64, SECRETS["sign"][:7], ""]:
        status, _ = ask("POST", "/streams/signed/webhook/in", body, {"X-Signature": signature})
        if status < 400:
            raise AssertionError(f"the signature {signature} is answered with {status}")

    def state(id):
        return hub.json("GET", f"/streams/{id}/run")["state"]

    def sink(id):
        return hub.json("GET", f"/streams/{id}/sinks")[0]

    for id in ["body", "escaped", "chunks", "longer", "fields", "broken", "moved"]:
        until(f"the end of {id}", lambda: state(id) == "completed")
    for id in ["refused", "long", "loop", "pages"]:
        until(f"the failure of {id}", lambda: state(id) == "failed")
    until("a blocked sink", lambda: sink("blocked")["state"] == "blocked")
    until("a waiting sink", lambda: sink("waiting")["state"] == "waiting")
    until("dead letters", lambda: len(hub.json("GET", "/streams/dead/dead-letters")) > 2)
    until("requests of all kinds", lambda: {"/away", "/events"} <= {path for path, _ in echo.seen})
    ask("POST", "/streams/blocked/sinks/hook/skip")
    until("a second blocked delivery", lambda: hub.json("GET", "/streams/blocked/dead-letters"))

    # The test would be worth nothing if the server had not been sent the values.
    for path, value in {"/body": "api", "/refuse": "hook", "/chunks": "api", "/moved": "api"}.items():
        if (path, SECRETS[value]) not in echo.seen:
            raise AssertionError(f"{path} was not sent {value}")
    if any("planted" in secret for _, secret in other.seen) or not other.seen:
        raise AssertionError(f"another origin was sent {other.seen}")
    if "${secret:api}" not in hub.ask("GET", "/streams/body/output")[1]:
        raise AssertionError("what was echoed is not an output")

    for id, document in all.items():
        for part in ["", "/run", "/output", "/sinks", "/dead-letters", "/revisions", "/revisions/1"]:
            ask("GET", f"/streams/{id}{part}")
        ask("POST", f"/streams/{id}/plan", json.dumps(document))
        ask("POST", "/check", json.dumps(document))
        ask("POST", "/try", json.dumps({"document": dict(document, id=id)}))
        for format in ["", "?format=svg"]:
            ask("POST", f"/picture{format}", json.dumps({"document": document, "until": 5}))
    for letter in hub.json("GET", "/streams/dead/dead-letters")[:3]:
        ask("GET", f"/streams/dead/dead-letters/{letter['number']}")
        ask("POST", f"/streams/dead/dead-letters/{letter['number']}/resend")
    for path in ["/streams", "/export", "/metrics", "/catalog", "/health", "/groups", "/stacks", "/openapi.json", "/schema.json"]:
        ask("GET", path)
    for place in ["url", "body"]:
        # A secret at a place that may have none: the error doesn't have its value.
        ask("POST", "/check", json.dumps({"source": {"request": {"url": "http://127.0.0.1/${secret:api}", place: "${secret:api}"}}}))

    # A member of a group runs the streams too, and one with a sink on the hub's store.
    hub.json("PUT", "/streams/member", json.dumps(all["dead"]), {"If-None-Match": "*"})
    follower = subprocess.Popen([SLUICE, "follow", hub.base, "--store", str(folder / "member.sqlite"), *options],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(follower.stdout), daemon=True)
    reader.start()
    try:
        until("the outputs of the member", lambda: any("${secret:api}" in line for line in list(lines)))
        until("the dead letters of the member", lambda: hub.json("GET", "/streams/member/dead-letters"))
        until("the failures of the member", lambda: any('"error"' in line for line in list(lines)))
        until("the refusal of a webhook", lambda: any('"taken": false' in line for line in list(lines)))
        number = hub.json("GET", "/streams/member/dead-letters")[0]["number"]
        for method, path in [("GET", "/groups/all"), ("GET", "/streams/member/sinks"), ("GET", "/streams/member/output"),
                             ("GET", "/streams/member/dead-letters"), ("POST", "/streams/member/pause"),
                             ("POST", f"/streams/member/dead-letters/{number}/resend")]:
            ask(method, path)
    finally:
        follower.terminate()
        follower.wait(60)
    reader.join(60)
    texts["sluice follow"] = "".join(lines)

    backup = folder / "backup.sqlite"
    with sqlite3.connect(store) as source, sqlite3.connect(backup) as target:
        source.backup(target)
    for path in folder.iterdir():
        if path != file:
            texts[path.name] = path.read_bytes()
    if not {"hub.sqlite", "hub.sqlite-wal", "backup.sqlite"} <= set(texts):
        raise AssertionError(f"not all files of the store are there: {[path.name for path in folder.iterdir()]}")
    hub.process.terminate()
    printed, errors = hub.process.communicate(timeout=60)
    Hub.running.remove(hub)
    texts |= {"what the hub prints": printed, "the hub's errors": errors, "events": b"".join(heard),
              "hub.sqlite after the end": store.read_bytes()}
    if b"${secret:api}" not in texts["events"]:
        raise AssertionError("what was echoed is not in the events")

    for id in ["body", "escaped", "chunks", "refused", "long", "broken", "loop", "fields", "pages"]:
        document = folder / f"{id}.json"
        document.write_text(json.dumps(all[id]))
        for format in ["json", "marbles"]:
            run = subprocess.run([SLUICE, "run", str(document), "--format", format, *options],
                                 capture_output=True, text=True, timeout=120)
            texts[f"sluice run {id} ({format})"] = run.stdout + run.stderr
    texts["sluice secrets check"] = "".join(
        subprocess.run([SLUICE, "secrets", "check", str(file)], capture_output=True, text=True, timeout=60).stdout)
    try:
        search({"the file of secrets": file.read_bytes()})
    except AssertionError:
        search(texts)
    else:
        raise AssertionError("the search doesn't find what there is")
    return f"{len(texts)} texts, {sum(map(len, texts.values()))} bytes: no value of a secret"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([secrets]))
