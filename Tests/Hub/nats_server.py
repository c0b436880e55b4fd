"""A NATS server with JetStream in a process of its own."""
import re
import subprocess
import tempfile
import threading


class Nats:
    """A server with JetStream, whose port and data outlive it."""
    running = []

    def __init__(self, server):
        self.server = server
        self.folder = tempfile.mkdtemp(prefix="sluice-nats-")
        self.port = -1
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.server, "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        Nats.running.append(self)
        for line in self.process.stderr:
            found = re.search(r"Listening for client connections on 127.0.0.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
            if "Server is ready" in line:
                break
        # The rest of the log is read, or the server would wait for room.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.address = f"nats://127.0.0.1:{self.port}"

    def kill(self):
        Nats.running.remove(self)
        self.process.kill()
        self.process.wait()
