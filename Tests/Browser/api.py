"""The hub, asked directly: what a check needs and what it finds afterwards."""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

OPENER = build_opener(ProxyHandler({}))
ROOT = Path(__file__).resolve().parents[2]


class Hub:
    def __init__(self, base, token=None):
        self.base = base
        self.token = token

    def ask(self, method, path, body=None, **headers):
        """Answers the status, the body (parsed where it is JSON), and the headers."""
        data = body.encode("utf-8", "surrogatepass") if isinstance(body,
            str) else None if body is None else json.dumps(body).encode()
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if data is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request(self.base + path, data, headers, method=method)
        try:
            with OPENER.open(request, timeout=300) as response:
                text, status, fields = response.read().decode(), response.status, response.headers
        except HTTPError as error:
            text, status, fields = error.read().decode(), error.code, error.headers
        return status, json.loads(text) if text[:1] in ("{", "[") else text, fields

    def create(self, **document):
        """Stores a stream; answers its id."""
        status, head, _ = self.ask("POST", "/streams", document, X_Sluice_Author="test")
        assert status == 201, (status, head)
        return head["id"]

    def text(self, id):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        with OPENER.open(Request(f"{self.base}/streams/{quote(id)}", headers=headers), timeout=300) as response:
            return response.read().decode(), int(re.sub(r"\D", "", response.headers["ETag"]))

    def document(self, id):
        return json.loads(self.text(id)[0])

    def revision(self, id):
        return self.text(id)[1]

    def put(self, id, document, revision=None):
        """Replaces a stream as somebody else would."""
        status, head, _ = self.ask("PUT", f"/streams/{quote(id)}", document,
                                   If_Match=f'"{revision or self.revision(id)}"', X_Sluice_Author="somebody")
        assert status == 200, (status, head)
        return head["revision"]

    def delete(self, id):
        return self.ask("DELETE", f"/streams/{quote(id)}", If_Match=f'"{self.revision(id)}"')[0]

    def heads(self):
        return self.ask("GET", "/streams")[1]

    def head(self, id):
        return next((head for head in self.heads() if head["id"] == id), None)

    def state(self, id):
        return self.ask("GET", f"/streams/{quote(id)}/run")[1]["state"]

    def history(self, id):
        return self.ask("GET", f"/streams/{quote(id)}/revisions")[1]

    def control(self, id, what, body=None):
        return self.ask("POST", f"/streams/{quote(id)}/{what}", body)[1]


def items(*pairs):
    """Items of a stream: (value, delay), …"""
    return [{"value": value, "operators": [{"delay": {"seconds": delay}}]} for value, delay in pairs]


class OwnHub:
    """A hub of one check, that it may end and start again."""

    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory()
        self.options = options
        self.port = 0
        self.process = None
        self.start()

    def start(self):
        program = os.environ.get("SLUICE_PROGRAM") or str(ROOT / ".build/debug/sluice")
        self.process = subprocess.Popen(
            [program, "serve", "--port", str(self.port), "--store", f"{self.folder.name}/hub.sqlite", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            found = re.search(r"http://[\d.]+:(\d+)", line)
            if found:
                self.port = int(found[1])
                self.base = f"http://127.0.0.1:{self.port}"
                return
        raise RuntimeError("the hub does not start")

    def end(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=300)
            self.process.stdout.close()
            self.process = None

    def close(self):
        self.end()
        self.folder.cleanup()
