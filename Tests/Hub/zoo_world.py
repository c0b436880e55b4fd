"""The surroundings of a hub in the zoo: its process, its disk, its clock, and the servers that its sources read."""
import http.client
import json
import os
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from zoo_documents import EVENTS

# The longest wait for an answer or for a condition, in seconds.
PATIENCE = float(os.environ.get("SLUICE_PATIENCE", 60))


class Violation(Exception):
    """Something that must hold does not."""


class Answer:
    """The answer to a request; `status` is 0 where the hub was killed before it answered."""

    def __init__(self, status, text=""):
        self.status, self.text = status, text

    @property
    def is_done(self):
        return 200 <= self.status < 300

    @property
    def json(self):
        return json.loads(self.text)

    def __str__(self):
        return f"{self.status}: {self.text[:300]}"


class HubProcess:
    """A hub in a process of its own."""

    def __init__(self, sluice, store, log, options, environment):
        self.log = open(log, "ab")
        # A library that is loaded first changes the environment of the first program; a second one finds its arguments.
        command = ["/usr/bin/env", sluice, "serve", "--port", "0", "--store", store, *options]
        self.process = subprocess.Popen(command, env=environment,
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if "http://" not in line:
            self.kill()
            raise Violation(f"the hub does not start: {Path(log).read_text()[-500:]}")
        address = next(word for word in line.split() if word.startswith("http://"))
        self.host = address.removeprefix("http://").rstrip("/")
        self.is_killed = False

    def ask(self, method, path, body=None, headers=None):
        """Sends a request; while it is open the hub may be killed."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
            headers = dict(headers or {})
            if data is not None:
                headers["Content-Type"] = "application/json"
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.read().decode())
        except (OSError, http.client.HTTPException) as error:
            if self.is_killed:
                return Answer(0)
            raise Violation(f"{method} {path} is not answered: {type(error).__name__} {error}")
        finally:
            connection.close()

    def close(self):
        self.process.stdout.close()
        self.log.close()
        # What faketime shares among processes.
        for name in ("faketime_shm_", "sem.faketime_sem_"):
            Path(f"/dev/shm/{name}{self.process.pid}").unlink(missing_ok=True)

    def kill(self):
        self.is_killed = True
        self.process.kill()
        self.process.wait()
        self.close()

    def terminate(self):
        """Ends the hub in an orderly way."""
        self.process.terminate()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Violation("SIGTERM does not end the hub") from None
        self.is_killed = True
        self.close()
        if status != 0:
            raise Violation(f"after SIGTERM the hub exits with {status}")


class Disk:
    """A folder that can be full: a disk in memory, where one can be mounted."""

    def __init__(self, folder, can_mount):
        self.folder, self.can_mount = Path(folder), can_mount
        if can_mount:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", folder], check=True)
        self.is_full = False

    def fill(self):
        self.is_full = self.can_mount
        if not self.can_mount:
            return
        with open(self.folder / "filler", "ab", buffering=0) as filler:
            for size in [1 << 20, 1 << 12]:
                try:
                    while True:
                        filler.write(bytes(size))
                except OSError:
                    pass

    def free(self):
        self.is_full = False
        filler = self.folder / "filler"
        if filler.exists():
            # A hub that another round starts now may have the file open for a moment, and keep its space.
            os.truncate(filler, 0)
            filler.unlink()

    @property
    def free_bytes(self):
        found = os.statvfs(self.folder)
        return found.f_bavail * found.f_frsize

    def remove(self):
        if self.can_mount:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


class WallClock:
    """The time of day as the hub sees it, by Debian's faketime."""

    def __init__(self, libraries, file):
        self.libraries, self.file, self.offset = libraries, Path(file), 0
        self.jump(0)

    def jump(self, seconds):
        self.offset += seconds
        self.file.write_text(f"{self.offset:+d}s\n")

    @property
    def environment(self):
        if not self.libraries:
            return dict(os.environ)
        return dict(os.environ, LD_PRELOAD=self.libraries, FAKETIME_TIMESTAMP_FILE=str(self.file),
                    FAKETIME_CACHE_DURATION="1", FAKETIME_DONT_FAKE_MONOTONIC="1", FAKETIME_DONT_RESET="1")


class Feeds:
    """A server that sources read, and that can't be reached at times.

    `/poll0` answers 1, 2, 3, …, and `/events0` publishes an event every 50 ms, whose value is its number.
    """

    def __init__(self):
        feeds = self
        self.begun, self.count, self.mode, self.lock = time.monotonic(), 0, "up", threading.Lock()
        self.sockets, self.is_over = set(), False

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                with feeds.lock:
                    feeds.sockets.add(self.connection)
                try:
                    if feeds.mode == "failing":
                        self.send_error(503)
                    elif self.path == f"/{EVENTS}":
                        feeds.publish(self)
                    else:
                        with feeds.lock:
                            feeds.count += 1
                            body = json.dumps({"n": feeds.count}).encode()
                        self.send_response(200)
                        self.send_header("Content-Type", "application/json")
                        self.send_header("Content-Length", str(len(body)))
                        self.end_headers()
                        self.wfile.write(body)
                except OSError:
                    pass
                finally:
                    with feeds.lock:
                        feeds.sockets.discard(self.connection)

            def log_message(self, *arguments):
                pass

        # A port that is named, and not chosen by the system, stays bound when nobody listens.
        self.server = None
        while not self.server:
            with socket.socket() as found:
                found.bind(("127.0.0.1", 0))
                self.port = found.getsockname()[1]
            try:
                self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
            except OSError:     # another round has it
                pass
        self.serve()

    def serve(self):
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def publish(self, request):
        """Publishes the events after the last that the client has."""
        number = int(request.headers.get("Last-Event-ID") or 0)
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.end_headers()
        while self.mode == "up" and not self.is_over:
            newest = int((time.monotonic() - self.begun) / 0.05)
            while number < newest:
                number += 1
                request.wfile.write(f"id: {number}\ndata: {number}\n\n".encode())
            request.wfile.flush()
            time.sleep(0.02)

    def change(self, mode):
        """Is `up`, `down` (connections are refused), or `failing` (503) from now on."""
        before, self.mode = self.mode, mode
        if mode == "down" and before != "down":
            self.server.shutdown()
            # The port stays bound, so that nobody else gets it.
            self.server.socket.shutdown(socket.SHUT_RDWR)
        if mode != "up":
            with self.lock:
                for connection in self.sockets:
                    try:
                        connection.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass
        if before == "down" and mode != "down":
            self.server.server_activate()
            self.serve()

    def close(self):
        self.is_over = True
        self.change("down")
        self.server.server_close()
