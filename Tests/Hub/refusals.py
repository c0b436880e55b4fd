"""What commands say and answer where a receiver, or a hub, refuses what a stream with sinks needs.

Usage: refusals.py SLUICE

`sluice run` ends with a code and a message that follow from `onFailure` of a sink whose receiver refuses an output. A member of
a group whose token may not run streams with sinks waits, says why and what to do, and runs the stream with another token.
Ends with `N passed, N failed`.
"""
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from hub import Hub, run_checks, until
from server import Server

SLUICE = sys.argv[1]


class Receiver(Server):
    """A receiver that refuses 2."""

    def __init__(self):
        self.lock, self.values = threading.Lock(), []
        super().__init__(self.take)

    def take(self, path, fields, body):
        with self.lock:
            self.values.append(json.loads(body))
            return (404 if self.values[-1] == 2 else 204), None


def document(receiver, **rest):
    post = {"url": f"http://127.0.0.1:{receiver.port}/", **rest}
    return {"source": {"interval": {"seconds": 0.05, "count": 5}}, "sinks": [{"id": "hook", "post": post}]}


def runs():
    """Each document has five outputs, of which the receiver refuses the third for good."""
    expected = {
        # `fail` ends the run at once, and `block` at the end of the source: what follows is not delivered.
        "fail": (1, ["error", "the sink hook has failed", "404"], [0, 1, 2]),
        "block": (69, ["error", "hook", "404"], [0, 1, 2]),
        "skip": (1, ["hook: error: 1 of its outputs were given up"], [0, 1, 2, 3, 4]),
    }
    for policy, (code, parts, values) in expected.items():
        receiver = Receiver()
        path = folder / f"{policy}.json"
        path.write_text(json.dumps(document(receiver, onFailure=policy)))
        ended = subprocess.run([SLUICE, "run", str(path), "--allow", "127.0.0.1"], capture_output=True, text=True, timeout=600)
        # A crash, too, would end with a code other than 0.
        if ended.returncode != code or not all(part in ended.stderr for part in parts):
            raise AssertionError(f"with {policy} it ends with {ended.returncode}: {ended.stderr}")
        if receiver.values != values:
            raise AssertionError(f"with {policy} the receiver got {receiver.values}")
        receiver.kill()
    return "sluice run ends with 1 for a sink that fails or skips, with 69 for one that is blocked, and names the sink"


class Member:
    """`sluice follow` with a token."""

    def __init__(self, hub, receiver, name, token):
        self.path, self.errors = folder / f"lines-{name}", folder / f"errors-{name}"
        with open(self.path, "w") as lines, open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                [SLUICE, "follow", hub.base, "--group", "g", "--name", name, "--store", str(folder / f"{name}.sqlite"),
                 "--allow", f"127.0.0.1:{receiver.port}"], stdout=lines, stderr=errors, env={**os.environ, "SLUICE_TOKEN": token})

    def reasons(self):
        """Returns the reasons to wait that it has shown."""
        text = self.path.read_text()
        lines = [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]
        return [line["waiting"] for line in lines if line.get("waiting")]


def members():
    receiver = Receiver()
    owner = {"Authorization": f"Bearer {'t' * 40}"}
    hub = Hub(SLUICE, str(folder / "hub.sqlite"), "--token", "t" * 40)
    tokens = {role: hub.json("POST", "/tokens", json.dumps({"name": f"{role}-kitchen", "role": role}), owner)["token"]
              for role in ("run", "edit")}
    hub.ask("PUT", "/groups/g", headers=owner)
    hub.json("PUT", "/streams/s", json.dumps(document(receiver, onFailure="skip")), {**owner, "If-None-Match": "*"})
    hub.ask("PUT", "/groups/g/streams/s", headers=owner)
    waits = Member(hub, receiver, "a", tokens["run"])
    until("the member says why it waits", lambda: waits.reasons() or waits.process.poll() is not None)
    # The right that it has, the one that it needs, and what to do.
    expected = ("the hub gives no lease: the token 'run-kitchen' has the role 'run', and this needs 'edit'; "
                "start this member with a token of the role 'edit', and it runs the stream")
    if waits.reasons() != [expected] or waits.process.poll() is not None:
        raise AssertionError(f"it says {waits.reasons()}, and {waits.errors.read_text()}")
    # The hub shows the reason too.
    until("the hub shows it", lambda: expected in hub.ask("GET", "/groups/g", headers=owner)[1])
    if receiver.values:
        raise AssertionError(f"it delivers {receiver.values}")
    runs = Member(hub, receiver, "b", tokens["edit"])
    until("what it says helps", lambda: receiver.values == [0, 1, 2, 3, 4])
    for member in (waits, runs):
        member.process.kill()
        member.process.wait()
    hub.kill()
    receiver.kill()
    return "a member whose token may not run a stream with sinks says so, and what to do; another token helps"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sys.exit(run_checks([runs, members]))
