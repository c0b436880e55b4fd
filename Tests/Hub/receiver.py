"""A receiver of deliveries, which fails as a test likes."""
import json
import random
import threading
from collections import defaultdict

from server import Server


class Receiver:
    """A receiver that honors idempotency keys."""

    def __init__(self):
        self.lock = threading.Lock()
        self.requests = {}                   # the first body of each key
        self.processed = defaultdict(list)   # the bodies of each path, each key once, in order
        self.faults = []
        self.attempts = 0
        self.failing = 20                    # percent of the requests that are answered with an error
        self.server = Server(self.answer)
        self.port = self.server.port

    def answer(self, path, headers, body):
        status = self.take(path, headers.get("Idempotency-Key"), body.decode())
        return (status, None, {"Retry-After": "0"}) if status == 429 else (status, None)

    def take(self, path, key, body):
        with self.lock:
            self.attempts += 1
            if key is None or not (key.startswith('"') and key.endswith('"')):
                self.faults.append(f"a delivery to {path} has the key {key}")
                return 400
            number = random.randrange(100)
            if number < self.failing // 2:
                return 503 if number % 2 else 429
            if key in self.requests:
                if self.requests[key] != (path, body):
                    self.faults.append(f"{key}: {self.requests[key]} and {(path, body)}")
            else:
                self.requests[key] = (path, body)
                self.processed[path].append((key, json.loads(body)))
            # The answer may be lost.
            return 500 if number < self.failing else 204

    def values(self, path):
        with self.lock:
            return [value for _, value in self.processed[path]]
