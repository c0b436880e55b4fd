"""What streams of the tests read: pages, numbered events, a log that is rotated while it is written, and webhooks."""
import http.server
import json
import os
import random
import threading
import time
import urllib.error
import urllib.request

PAGES = 5


def tenfold(path, _, __):
    """Answers with ten times the number in the path, or now and then with 503."""
    return 503 if random.random() < 0.05 else 200, int(path.split("/")[-1]) * 10


class Feeds(http.server.BaseHTTPRequestHandler):
    """Pages, numbered events, and one answer. While it is away, it answers with 503."""

    protocol_version = "HTTP/1.1"
    isAway = False
    asked = 0

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if Feeds.isAway:
            return self.answer(503, {})
        if path == "/pages":
            page = int(query.partition("=")[2] or 1)
            return self.answer(200, {"page": page, "next": page + 1 if page < PAGES else None})
        if path == "/one":
            Feeds.asked += 1
            return self.answer(200, {"answer": 1})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        number = int(self.headers.get("Last-Event-ID") or 0)
        for _ in range(random.randrange(1, 200)):
            number += 1
            self.wfile.write(f"id: {number}\nretry: 20\ndata: {number}\n\n".encode())
            self.wfile.flush()
            time.sleep(0.005)

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Log:
    """A file of numbered lines that is written, and rotated, until the end."""

    def __init__(self, path, pause=0.004):
        self.path, self.pause, self.count, self.isOver = path, pause, 0, threading.Event()
        self.thread = threading.Thread(target=self.write, daemon=True)
        self.thread.start()

    def write(self):
        since = 0
        while not self.isOver.is_set():
            with open(self.path, "a") as file:
                file.write(f"{self.count + 1}\n")
            self.count += 1
            since += 1
            if since > 300 and random.random() < 0.02:
                for number in range(20, 0, -1):
                    old = f"{self.path}.{number}"
                    if os.path.exists(old):
                        os.rename(old, f"{self.path}.{number + 1}")
                os.rename(self.path, f"{self.path}.1")
                since = 0
            time.sleep(self.pause)

    def end(self):
        self.isOver.set()
        self.thread.join()


class Senders:
    """Threads that post numbered items to a webhook, and each item again until it is answered with 204."""

    def __init__(self, address, count, pause=0.002):
        self.address, self.count, self.pause = address, count, pause
        self.answered, self.lock, self.isOver = [], threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.send, args=(first,), daemon=True) for first in range(count)]
        for thread in self.threads:
            thread.start()

    def send(self, number):
        while not self.isOver.is_set():
            try:
                request = urllib.request.Request(self.address(), json.dumps({"id": number}).encode(),
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
            with self.lock:
                self.answered.append(number)
            number += self.count
            time.sleep(self.pause)

    def end(self):
        """Returns the items that were answered."""
        self.isOver.set()
        for thread in self.threads:
            thread.join(30)
        return set(self.answered)
