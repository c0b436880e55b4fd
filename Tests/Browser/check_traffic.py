"""All that a browser has shown: nothing is asked of another host, and the console is clean. Runs at its end."""

from browser import expect

# A status that the page expects and deals with is a line in Chromium's console all the same.
EXPECTED = ("409 (Conflict)", "412 (Precondition Failed)", "422 (Unprocessable", "404 (Not Found)")


def the_console_is_clean(page):
    page.read_logs()
    errors = [entry["message"] for entry in page.console if entry["level"] in ("SEVERE", "WARNING")
              and not (entry["source"] == "network" and any(status in entry["message"] for status in EXPECTED))]
    expect(not errors, "; ".join(errors[:5]))


def nothing_is_asked_of_another_host(page):
    strangers = page.strangers()
    expect(not strangers, f"asked: {strangers[:5]}")
    for path in ("/page/page.js", "/page/page.css", "/streams", "/events"):
        expect(path in page.paths, f"the log of requests lacks {path}, so it proves nothing")


CHECKS = [the_console_is_clean, nothing_is_asked_of_another_host]
