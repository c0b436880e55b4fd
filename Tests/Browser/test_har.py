#!/usr/bin/env python3
"""Lets the devtools of headless Chromium import an archive that HARRecorder writes.

    python3 test_har.py [FILE]

The archive is Tests/Support/example.har by default: HARTests sees to it that it is what is written. Its importer is
called from a page of the devtools' own, since a file cannot be dropped on them. Needs the packages of requirements.txt,
and Debian's chromium and chromium-driver (or their paths in SLUICE_CHROMIUM and SLUICE_CHROMEDRIVER). Prints
"N passed, N failed", and exits with 1 if a check failed, with 64 if it cannot begin.
"""

import os
import shutil
import sys
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

IMPORT = """
const [text, done] = arguments;
(async () => {
  const { HARFormat, Importer } = await import("devtools://devtools/bundled/models/har/har.js");
  const { log } = new HARFormat.HARRoot(JSON.parse(text));
  const [request] = Importer.Importer.requestsFromHARLog(log);
  const content = await request.requestContentData();
  return {
    entries: log.entries.length,
    url: request.url(), method: request.requestMethod, form: await request.requestFormData(),
    asked: request.requestHeaders().map(({ name, value }) => [name, value]),
    status: request.statusCode, reason: request.statusText, type: request.mimeType,
    answered: request.responseHeaders.map(({ name, value }) => [name, value]), text: content.text,
    start: request.issueTime(), wait: request.latency, duration: request.duration,
  };
})().then(done, (error) => done(String(error)));
"""

EXPECTED = {
    "entries": 1,
    "url": "http://example.com/users?q=a%20b&token=REDACTED",
    "method": "POST",
    "form": "Ada",
    "asked": [["Content-Type", "text/plain"], ["Cookie", "a=REDACTED"]],
    "status": 200,
    "reason": "OK",
    "type": "application/json",
    "answered": [["Content-Type", "application/json"]],
    "text": "{}",
    "start": 1700000001,
    "wait": 1.5,
    "duration": 1.75,
}


def imported(text):
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("SLUICE_CHROMIUM") or shutil.which("chromium") or ""
    for argument in ("--headless=new", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium's sandbox does not work for root
    service = Service(os.environ.get("SLUICE_CHROMEDRIVER") or shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        driver.set_script_timeout(60)
        driver.get("devtools://devtools/bundled/devtools_app.html")
        return driver.execute_async_script(IMPORT, text)
    finally:
        driver.quit()


def main():
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"     # chromedriver is asked directly
    default = Path(__file__).parent.parent / "Support" / "example.har"
    try:
        text = (Path(sys.argv[1]) if len(sys.argv) > 1 else default).read_text()
    except OSError as error:
        print(error, file=sys.stderr)
        return 64
    found = imported(text)
    if not isinstance(found, dict):
        print(f"failed: the archive is not imported: {found}")
        print(f"0 passed, {len(EXPECTED)} failed")
        return 1
    wrong = {key: value for key, value in EXPECTED.items() if found.get(key) != value}
    for key, value in wrong.items():
        print(f"failed: {key}: {found.get(key)!r}, expected {value!r}")
    print(f"{len(EXPECTED) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
