"""A hub whose figures Prometheus reads with the files of Examples/monitoring.

Usage: monitoring.py SLUICE

Every family of GET /metrics is explained in docs/hub-metrics.md, the format is the one that promtool expects, and each query
of the dashboard and of the alerts has an answer of Prometheus. Needs Debian's package prometheus. Ends with
`N passed, N failed`.
"""
import http.server
import json
import re
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from hub import Hub, run_checks, until

SLUICE = sys.argv[1]
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "Examples" / "monitoring"


class Receiver(http.server.BaseHTTPRequestHandler):
    """Refuses everything for good."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(400)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def start(folder):
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    hub = Hub(SLUICE, str(folder / "hub.sqlite"), "--allow", "127.0.0.1")
    documents = {
        "ticks": {"source": {"interval": {"seconds": 0.02}}, "sinks": [
            {"id": "out", "post": {"url": f"http://127.0.0.1:{receiver.server_port}/", "onFailure": "skip"}}]},
        "fails": {"source": {"interval": {"seconds": 0.02}}, "operators": [{"map": {"expression": "10 / (5 - x)"}}]},
        "reports": {"source": {"interval": {"seconds": 0.02}},
                    "operators": [{"map": {"expression": "10 / (x % 2)", "onError": "report"}}]},
    }
    for name, document in documents.items():
        hub.json("PUT", f"/streams/{name}", json.dumps(document), {"If-None-Match": "*"})
        hub.json("POST", f"/streams/{name}/start")
    return hub


def samples(hub):
    """Returns the figures by name and labels."""
    _, text = hub.ask("GET", "/metrics")
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def figures():
    hub = start(folder)
    wanted = {
        'sluice_stream_items_in_total{stream="ticks"}', 'sluice_stream_items_out_total{stream="ticks"}',
        'sluice_stream_failures_total{stream="fails"}', 'sluice_stream_reported_total{stream="reports"}',
        'sluice_stream_turn_seconds_total{stream="ticks"}', 'sluice_sink_failed_total{stream="ticks",sink="out"}',
    }
    until("all figures to be above 0", lambda: all(samples(hub).get(name, 0) > 0 for name in wanted))
    found = samples(hub)
    if found['sluice_stream_items_out_total{stream="fails"}'] != 5 or found['sluice_stream_failures_total{stream="fails"}'] != 1:
        raise AssertionError("the figures of the stream that fails are wrong")
    _, text = hub.ask("GET", "/metrics")
    families = set(re.findall(r"^# TYPE (\S+)", text, re.M))
    documented = set(re.findall(r"`((?:sluice|process)_[a-z_]+)`", (ROOT / "docs" / "hub-metrics.md").read_text()))
    if families != documented:
        raise AssertionError(f"docs/hub-metrics.md differs from GET /metrics by {families ^ documented}")
    lint = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    if lint.returncode:
        raise AssertionError(f"promtool: {lint.stdout}{lint.stderr}")
    bounded = Hub(SLUICE, str(folder / "bounded.sqlite"), "--metric-streams", "1")
    for name in ["a", "b", "c"]:
        bounded.json("PUT", f"/streams/{name}", json.dumps({"source": {"values": [1, 2]}}), {"If-None-Match": "*"})
        bounded.json("POST", f"/streams/{name}/start")
    rest = 'sluice_stream_items_out_total{stream="(others)"}'
    until("the outputs of two streams", lambda: samples(bounded).get(rest) == 4)
    rows = [name for name in samples(bounded) if name.startswith("sluice_stream_items_out_total")]
    if len(rows) != 2:
        raise AssertionError(f"--metric-streams 1 gives {rows}")
    return f"{len(families)} families are documented and well-formed, and their labels bounded"


def queries():
    """Returns the queries of the dashboard and of the alerts, by their names."""
    found = {}
    dashboard = json.loads((EXAMPLES / "dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            query = target["expr"].replace("$__rate_interval", "1m").replace("$stream", ".*")
            found[f"{panel['title']} {target['refId']}"] = query
    # An alert compares; what it compares has to have an answer.
    for name, query in re.findall(r"alert: (\S+)\n\s+expr: (.*)", (EXAMPLES / "alerts.yml").read_text()):
        for index, part in enumerate(query.split(" and ")):
            found[f"{name} {index}"] = re.split(r" (?:>|==) ", part)[0].replace('status=~"5.."', 'status=~"..."')
    return found


def prometheus():
    hub = start(folder / "second")
    rules = subprocess.run(["promtool", "check", "rules", str(EXAMPLES / "alerts.yml")], capture_output=True, text=True)
    if rules.returncode:
        raise AssertionError(f"promtool: {rules.stdout}{rules.stderr}")
    text = (EXAMPLES / "prometheus.yml").read_text()
    (folder / "alerts.yml").write_text((EXAMPLES / "alerts.yml").read_text())
    configuration = folder / "prometheus.yml"
    configuration.write_text(text.replace("127.0.0.1:8080", hub.base.removeprefix("http://")).replace("15s", "1s"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        ["prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={folder / 'tsdb'}",
         f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"])
    try:
        def answer(query):
            address = f"http://127.0.0.1:{port}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
            try:
                with urllib.request.urlopen(address, timeout=60) as response:
                    return json.load(response)["data"]["result"]
            except urllib.error.HTTPError as error:
                if error.code == 503:
                    return []  # It starts.
                raise AssertionError(f"{query}: {error.read().decode()}") from error
            except OSError:
                return []

        wanted = queries()
        for name, query in wanted.items():
            until(f"an answer to {name}: {query}", lambda: answer(query))
        until("the alert of the dead letters",
              lambda: answer('ALERTS{alertname="SluiceDeadLetters", alertstate="firing"}'))
        return f"Prometheus answers {len(wanted)} queries of the dashboard and of the alerts, and an alert fires"
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "second").mkdir()
        sys.exit(run_checks([figures, prometheus]))
