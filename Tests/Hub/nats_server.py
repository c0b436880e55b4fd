"""NATS servers with JetStream, each in a process of its own."""
import json
import re
import signal
import socket
import subprocess
import tempfile
import threading

from network import Network


class Nats:
    """A server with JetStream, whose port and data outlive it."""
    running = []

    def __init__(self, server, *options, host="127.0.0.1", command=()):
        """Starts the server. COMMAND is the beginning of its command, which may put it into a network of its own, with HOST."""
        self.server, self.options, self.host, self.command = server, options, host, list(command)
        self.folder = tempfile.mkdtemp(prefix="sluice-nats-")
        self.port = -1
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [*self.command, self.server, "-a", self.host, "-p", str(self.port), "-js", "-sd", self.folder,
             *self.options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        Nats.running.append(self)
        for line in self.process.stderr:
            found = re.search(r"Listening for client connections on " + re.escape(self.host) + r":(\d+)", line)
            if found:
                self.port = int(found.group(1))
            if "Server is ready" in line:
                break
        # The rest of the log is read, or the server would wait for room.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.address = f"nats://{self.host}:{self.port}"

    def kill(self):
        Nats.running.remove(self)
        self.process.kill()
        self.process.wait()

    close = kill

    def create(self, name, subject, retention="limits"):
        """Creates a stream of JetStream that keeps a subject."""
        self.ask(f"STREAM.CREATE.{name}", {"name": name, "subjects": [subject], "storage": "file", "retention": retention,
                                           "num_replicas": 1})

    def messages(self, name):
        """Returns the number of messages that a stream of JetStream keeps."""
        return self.ask(f"STREAM.INFO.{name}", {})["state"]["messages"]

    def ask(self, request, content):
        """Returns the answer to a request of JetStream."""
        body = json.dumps(content)
        with socket.create_connection((self.host, self.port)) as connection, connection.makefile("rwb") as wire:
            wire.readline()
            wire.write(f'CONNECT {{"verbose": false}}\r\nSUB answer 1\r\nPUB $JS.API.{request} answer {len(body)}\r\n'
                       f"{body}\r\n".encode())
            wire.flush()
            line = wire.readline()
            while not line.startswith(b"MSG"):
                line = wire.readline()
            answer = json.loads(wire.readline())
            if "error" in answer:
                raise AssertionError(f"{request} is refused: {answer}")
            return answer


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class NatsCluster:
    """Three servers that keep what any of them keeps. One may be killed, or be cut off from the others and all clients.

    Each has a network of its own where the machine permits that. Elsewhere a server that is cut off is stopped, which is nearly the
    same for the others, and is all the same to the server.
    """

    def __init__(self, server):
        try:
            self.network = Network(3)
            hosts, ports = self.network.hosts, [6222] * 3
        except (OSError, subprocess.CalledProcessError):
            self.network = None
            hosts, ports = ["127.0.0.1"] * 3, [free_port() for _ in range(3)]
        routes = ",".join(f"nats://{host}:{port}" for host, port in zip(hosts, ports))
        self.servers = []
        # A server is ready when it has found the others, so none waits for its own log.
        starts = [threading.Thread(target=self.add, args=(server, number, hosts[number], ports[number], routes)) for number in range(3)]
        for one in starts:
            one.start()
        for one in starts:
            one.join()
        self.servers.sort(key=lambda one: one.number)
        self.address = ",".join(one.address for one in self.servers)
        self.folder = self.servers[0].folder

    def add(self, server, number, host, port, routes):
        command = self.network.command(number) if self.network else []
        one = Nats(server, "-n", f"n{number}", "--cluster_name", "sluice", "--cluster", f"nats://{host}:{port}", "--routes", routes,
                   host=host, command=command)
        one.number = number
        self.servers.append(one)

    def cut(self, number):
        """Cuts a server off: it answers nobody, and hears nothing."""
        if self.network:
            self.network.cut(number)
        else:
            self.servers[number].process.send_signal(signal.SIGSTOP)

    def heal(self, number):
        if self.network:
            self.network.heal(number)
        else:
            self.servers[number].process.send_signal(signal.SIGCONT)

    def kill(self):
        for one in self.servers:
            one.kill()

    def start(self):
        starts = [threading.Thread(target=one.start) for one in self.servers]
        for one in starts:
            one.start()
        for one in starts:
            one.join()

    def close(self):
        """Kills the servers for good."""
        self.kill()
        if self.network:
            self.network.remove()
