"""A hub and workers over a NATS server with TLS, certificates of clients, and credentials of users.

Usage: secure.py SLUICE NATS-SERVER

SLUICE is a build with the trait NATS. Ends with `N passed, N failed`.
"""
import itertools
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nkeys

from hub import Hub, output, run_checks, until
from nats_client import Client, Worker
from nats_secrets import Secrets
from nats_server import Nats

SLUICE, SERVER = sys.argv[1], sys.argv[2]


class World:
    """A server that asks for a certificate and credentials, and the options with which programs have them."""

    def __init__(self):
        self.secrets = Secrets(tempfile.mkdtemp(prefix="sluice-nats-"))
        self.nats = Nats(SERVER, "-c", str(self.secrets.configuration))
        self.address = self.nats.address.replace("nats://", "tls://")
        path = self.secrets.path
        self.trust = ["--nats-authorities", path("authority.pem")]
        self.certificate = ["--nats-certificate", path("client.pem"), "--nats-key", path("client.key")]
        self.user = ["--nats-credentials", self.secrets.credentials]
        self.options = [*self.trust, *self.certificate, *self.user]

    def client(self):
        context = ssl.create_default_context(cafile=self.secrets.path("authority.pem"))
        context.load_cert_chain(self.secrets.path("client.pem"), self.secrets.path("client.key"))
        return Client(self.address, tls=context, user_credentials=self.secrets.credentials)

    def status(self, options):
        """Returns the exit code and the error of a command that connects."""
        done = subprocess.run([SLUICE, "status", "--nats", self.address, *options], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr


def items_go_through_a_hub_and_workers():
    """Also when the server is killed, and everything connects again."""
    world = World()
    client = world.client()
    client.create("IN", "in")
    client.create("OUT", "out.>")
    hub = Hub(SLUICE, f"{world.nats.folder}/hub.sqlite", "--nats", world.address, *world.options)
    document = {"partition": {"by": "x.user", "count": 4}, "source": {"subject": "in"}, "sinks": [{"id": "to", "publish": {"subject": "out"}}]}
    hub.json("PUT", "/streams/orders", json.dumps(document), {"If-None-Match": "*"})
    for path in ("/groups/orders", "/groups/orders/streams/orders"):
        hub.ask("PUT", path)
    workers = [Worker(SLUICE, world.address, f"w{number}", "orders", 2, *world.options) for number in range(2)]
    until("both have half", lambda: [worker.partitions for worker in workers] == [2, 2])
    hub.json("PUT", "/streams/reader", json.dumps({"source": {"subscribe": "orders"}}), {"If-None-Match": "*"})
    hub.json("POST", "/streams/reader/start")
    until("the reader has begun", lambda: world.status(world.options)[0] == 0)
    time.sleep(2)
    sent = 0
    for part in range(3):
        client.publish("in", [(f"i{sent + n}", json.dumps({"id": sent + n, "user": n % 9}).encode()) for n in range(100)])
        sent += 100
        if part < 2:
            world.nats.kill()
            time.sleep(0.5)
            world.nats.start()
    until("all have come out", lambda: len(client.read("OUT")) >= sent)
    until("the hub has read them", lambda: len(output(hub, "reader")) >= sent)
    time.sleep(1)
    out = sorted(json.loads(data)["id"] for _, _, data in client.read("OUT"))
    here = sorted(event["value"]["id"] for event in output(hub, "reader"))
    if out != list(range(sent)) or here != out:
        raise AssertionError(f"of {sent} items {len(out)} have come out, and {len(here)} to the hub")
    for worker in workers:
        worker.kill()
    world.nats.kill()
    return f"TLS with certificates of clients and credentials: {sent} items, 2 kills of the server, 0 lost, 0 duplicated"


def what_is_wrong_is_said():
    world = World()
    path = world.secrets.path
    cases = {
        "no authority": ([*world.certificate, *world.user], "certificate"),
        "another authority": (["--nats-authorities", path("other.pem"), *world.certificate, *world.user], "certificate"),
        "no certificate": ([*world.trust, *world.user], ""),
        "no credentials": ([*world.trust, *world.certificate], "refuses the credentials"),
        "credentials of a stranger": ([*world.trust, *world.certificate, "--nats-credentials", world.secrets.stranger],
                                      "refuses the credentials"),
        "a file that is not there": ([*world.trust, *world.certificate, "--nats-credentials", path("none.creds")], "none.creds"),
        "a certificate without its key": ([*world.trust, "--nats-certificate", path("client.pem")], "go together"),
    }
    code, error = world.status(world.options)
    if code != 0:
        raise AssertionError(f"the right options are refused: {error}")
    for name, (options, text) in cases.items():
        code, error = world.status(options)
        if code in (0, 1) or text not in error or "s3cret" in error or "SU" in error and "SEED" in error:
            raise AssertionError(f"{name}: exit code {code}, {error}")
    world.nats.kill()
    return f"{len(cases)} wrong certificates and credentials, each with its reason"


def a_signature_that_begins_with_zero_is_not_the_end():
    """libnats up to 3.4 leaves such a signature out, and a server refuses the credentials then."""
    secrets = Secrets(tempfile.mkdtemp(prefix="sluice-nats-"))
    user = nkeys.from_seed(Path(secrets.credentials).read_text().splitlines()[5].encode())
    nonces = (f"nonce{number}" for number in itertools.count())
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        command = subprocess.Popen(
            [SLUICE, "status", "--nats", f"nats://127.0.0.1:{server.getsockname()[1]}", "--nats-credentials",
             secrets.credentials], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while not asked or "sig" not in asked[-1]:
            # The first three texts have a signature that begins with zero.
            nonce = next(text for text in nonces if (user.sign(text.encode())[0] == 0) == (len(asked) < 3))
            connection = server.accept()[0]
            with connection, connection.makefile("rwb") as wire:
                wire.write(f'INFO {{"server_id":"a","version":"2.9.10","auth_required":true,"headers":true,'
                           f'"max_payload":1048576,"nonce":"{nonce}"}}\r\n'.encode())
                wire.flush()
                asked.append(json.loads(wire.readline().split(b" ", 1)[1]))
                if "sig" not in asked[-1] and len(asked) < 10:
                    wire.write(b"-ERR 'Authorization Violation'\r\n")
                    wire.flush()
    error = command.communicate(timeout=60)[1]
    if len(asked) > 4 or "refuses" in error:
        raise AssertionError(f"{len(asked)} connections: {error}")
    return f"a signature that begins with zero, {len(asked) - 1} times without it"


def programs_end_while_their_connections_work():
    """The tables of TLS are not taken from the threads of connections on the way out."""
    world = World()
    library = f"{world.secrets.folder}/late.so"
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, f"{Path(__file__).parent}/late.c"], check=True)
    environment = {**os.environ, "LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"}

    def status(_):
        return subprocess.run([SLUICE, "status", "--nats", world.address, *world.options], capture_output=True, timeout=60,
                              env=environment).returncode
    count = 80
    with ThreadPoolExecutor(8) as threads:
        codes = set(threads.map(status, range(count)))
    world.nats.kill()
    if codes != {0}:
        raise AssertionError(f"exit codes {codes}")
    return f"{count} programs that end late"


if __name__ == "__main__":
    status = run_checks([items_go_through_a_hub_and_workers, what_is_wrong_is_said,
                         a_signature_that_begins_with_zero_is_not_the_end, programs_end_while_their_connections_work])
    for one in list(Worker.running) + list(Nats.running):
        one.kill()
    sys.exit(status)
