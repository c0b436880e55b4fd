"""The hub at work: costs, people, and what one may do."""

import json
import tempfile
from pathlib import Path

from api import OwnHub
from browser import expect, until


def each_stream_has_its_costs(page):
    busy = page.hub.create(name="Busy", source={"interval": {"seconds": 0.02}}, operators=[{"id": "s", "scan": {"initialValue": 0, "expression": "acc + x"}}])
    page.hub.control(busy, "start")
    page.show("#/operations")
    page.wait(lambda: page.rows_by_name(".costs").get("Busy", [""] * 8)[3].endswith("/s"), lambda: f"the rate: {page.rows_by_name('.costs').get('Busy')}")
    page.wait(lambda: page.rows_by_name(".costs")["Busy"][6].endswith("%"), lambda: f"its part of the processor: {page.rows_by_name('.costs')['Busy']}")
    expect("bytes" in page.rows_by_name(".costs")["Busy"][5] or "KB" in page.rows_by_name(".costs")["Busy"][5], f"the size of its state: {page.rows_by_name('.costs')['Busy']}")
    first = lambda: page.text(".costs tbody tr td:nth-child(7)")
    page.wait(lambda: first().endswith("%"), lambda: f"the one with the most work as the first: {first()!r}")
    expect("may do everything" in page.text("main header"), f"it says {page.text('main header')!r}")
    expect("(this page)" in page.text(".here"), f"here are {page.text('.here')!r}")
    page.picture("operations")
    page.press("Stop all")
    page.press("Stop all", "dialog")
    until(lambda: page.hub.state(busy) == "idle", "the stop")
    page.wait(lambda: page.rows_by_name(".costs")["Busy"][1] == "waiting", lambda: f"its state: {page.rows_by_name('.costs')['Busy']}")


def a_late_run_shows_its_lag(page):
    """A run that can't keep up says so in the table."""
    late = page.hub.create(name="Overdue", source={"interval": {"seconds": 0.0001}},
        operators=[{"id": "work", "map": {"expression": f"{list(range(24))}.map(i, {list(range(24))}.map(j, i * j * x)).size()"}}])
    page.hub.control(late, "start")
    try:
        page.show("#/operations")
        page.wait(lambda: page.rows_by_name(".costs").get("Overdue", [""] * 8)[4], lambda: f"the lag: {page.rows_by_name('.costs').get('Overdue')}")
        page.go("#/graph")
        page.wait(lambda: "late" in page.text(f"[data-stream='{late}'] .soft"), "the lag in the graph")
    finally:
        page.hub.control(late, "stop")
        page.hub.delete(late)


def secrets_have_names(page):
    """The names are for documents, the values for nobody."""
    with tempfile.TemporaryDirectory() as folder:
        secrets = Path(folder) / "secrets.json"
        secrets.write_text(json.dumps({"hook": {"value": "value-of-the-secret", "origins": ["https://example.com"]}}))
        secrets.chmod(0o600)
        own = OwnHub("--secrets", str(secrets))
        try:
            with page.at(own):
                page.show("#/operations")
                page.wait(lambda: "Documents may name: hook" in page.text("main"), lambda: f"the name of the secret: {page.text('main')!r}")
                expect("value-of-the-secret" not in page.run("return document.documentElement.outerHTML"), "its value is in the page")
        finally:
            own.close()


def one_logs_out(page):
    own = OwnHub("--token", "open-sesame-please-19")
    try:
        with page.at(own):
            page.show("#/operations")
            page.fill("#token", "open-sesame-please-19")
            page.press("Log in", "dialog")
            page.wait(lambda: not page.find_all("dialog"), "the login")
            page.go("#/operations")
            page.press("Log out", "main")
            page.wait(lambda: page.find_all("#token"), "the question for the token")
            expect(page.hub.ask("GET", "/overview")[0] == 401, "the overview is open to all")
    finally:
        own.close()


CHECKS = [each_stream_has_its_costs, a_late_run_shows_its_lag, secrets_have_names, one_logs_out]
