"""The tutorial of docs/automations.md, walked through: a sensor that gets hot, and a receiver that is away for a while.

With SLUICE_PICTURES=FOLDER it takes the pictures of the tutorial: with the document and the addresses as they are written
there. Without it, it reads the sensor more often, and the servers have ports of their own.
"""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from api import ROOT, OwnHub
from browser import expect
from check_sinks import count, gate, state
from pictures import crop

FOLDER = os.environ.get("SLUICE_PICTURES")
EXAMPLE = ROOT / "Examples/automations/threshold.json"
# The most bytes of a picture.
LARGEST = 80_000


class Sensor:
    """Answers the temperature that a check sets."""

    def __init__(self, port):
        self.celsius = 21.5
        sensor = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"celsius": sensor.celsius}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Alerts:
    """Takes the alerts while it is there, and notes each with its key."""

    def __init__(self, port):
        self.taken, self.server = [], None
        self.port = port
        self.start()
        self.port = self.server.server_port

    def start(self):
        alerts = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                alerts.taken.append((self.headers["Idempotency-Key"], json.loads(body)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def picture(page, name, first, last):
    if FOLDER:
        page.rest(800)                          # the plate of a gate moves
        path = Path(FOLDER) / f"automation-{name}.png"
        crop(page, path, first, last)
        expect(path.stat().st_size <= LARGEST, f"the picture {name} has {path.stat().st_size} bytes")


def the_tutorial_does_what_it_says(page):
    sensor, alerts = Sensor(8100 if FOLDER else 0), Alerts(8200 if FOLDER else 0)
    text = EXAMPLE.read_text()
    if not FOLDER:
        for old, new in (("127.0.0.1:8100", f"127.0.0.1:{sensor.port}"), ("127.0.0.1:8200", f"127.0.0.1:{alerts.port}"),
                         ('"seconds": 5', '"seconds": 0.5')):
            expect(old in text, f"the document has no {old}")
            text = text.replace(old, new)
    own = OwnHub("--allow", "127.0.0.1")
    try:
        with page.at(own):
            walk(page, sensor, alerts, text)
    finally:
        own.close()
        sensor.close()
        alerts.end()


def walk(page, sensor, alerts, text):
    status, head, _ = page.hub.ask("PUT", "/streams/heat", text, If_None_Match="*")
    expect(status == 201, f"the hub answers {status}: {head}")
    page.open("heat", width=1000, height=1400)
    for _ in range(4):
        page.press("Draw a second shorter")
    page.press("Play")
    page.wait(lambda: page.balls()[:3] == ["{21.5}"] * 3, lambda: f"three readings, not {page.balls()}")
    sensor.celsius = 31.5
    page.wait(lambda: count(page, "delivered") == "1", "the first alert")
    page.wait(lambda: page.balls()[-2:] == ["{31.5}"] * 2, "another hot reading, which is no crossing")
    expect(page.balls(2) == ["{×3}"], f"the output of the filter: {page.balls(2)}")
    picture(page, "runs", ".source", gate())
    expect([body for _, body in alerts.taken] == [{"text": "It is 31.5 °C", "celsius": 31.5}], f"the receiver has {alerts.taken}")
    alerts.end()
    sensor.celsius = 21.5
    page.wait(lambda: page.balls()[-1] == "{21.5}", "a cold reading")
    sensor.celsius = 33.0
    page.wait(lambda: state(page) == "waiting" and count(page, "waiting") == "1", lambda: f"the alert to wait: {state(page)}")
    expect("tries again in" in page.text(f"{gate()} .state"), f"its state is {page.text(f'{gate()} .state')!r}")
    expect(page.text(f"{gate()} .error"), "the gate shows no error")
    page.click(f"{gate()} summary")
    page.wait(lambda: "It is 33 °C" in page.text(f"{gate()} .sent"), lambda: f"the request: {page.text(f'{gate()} .sent')!r}")
    picture(page, "waits", "[data-sink='post'] .operator-head", gate())
    alerts.start()
    page.press("Retry now: hook")
    page.wait(lambda: count(page, "delivered") == "2" and state(page) == "idle", "the second alert")
    picture(page, "delivered", "[data-sink='post'] .operator-head", gate())
    expect([key.split("/")[-1] for key, _ in alerts.taken] == ['1"', '2"'], f"the keys are {alerts.taken}")


CHECKS = [the_tutorial_does_what_it_says]
