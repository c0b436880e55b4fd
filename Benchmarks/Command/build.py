"""What builds cost: a client of SluiceHTTP beside a client of AsyncHTTPClient, and the program behind bin/sluice, from nothing.

Usage: build.py [--check] [--margin PERCENT] [--set-bounds] [PART…]

PART: client, first; both without one. Debug builds in folders of their own. Packages are resolved before, and not measured.
The cost of a client is its processor time in proportion to that of the bare client; that of the program is the time that passes,
on this machine. `bin/bench build` calls it.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bounds import Bounds, add_options

ROOT = Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser()
add_options(parser)
options = parser.parse_intermixed_args()
bounds = Bounds(options)
folder = tempfile.TemporaryDirectory(prefix="sluice-build-")

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "client",
    platforms: [.macOS(.v15)],
    dependencies: [%s],
    targets: [.executableTarget(name: "Client", dependencies: [%s])]
)
"""
BARE = MANIFEST % ('.package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0")',
                   '.product(name: "AsyncHTTPClient", package: "async-http-client")')
OURS = MANIFEST % (f'.package(name: "sluice", path: "{ROOT}", traits: ["HTTP"])', '.product(name: "SluiceHTTP", package: "sluice")')


def swift(*arguments):
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    done = subprocess.run(["swift", *map(str, arguments)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stdout[-3000:])


def built(package, scratch, *arguments):
    """Returns the processor time and the time of a build, in seconds."""
    swift("package", "resolve", "--package-path", package, "--scratch-path", scratch)
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    swift("build", "--package-path", package, "--scratch-path", scratch, *arguments)
    passed, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, passed


def client():
    spent = {}
    for name, manifest, module in (("bare", BARE, "AsyncHTTPClient"), ("ours", OURS, "SluiceHTTP")):
        package = Path(folder.name) / name
        (package / "Sources/Client").mkdir(parents=True)
        (package / "Package.swift").write_text(manifest)
        (package / "Sources/Client/main.swift").write_text(f"import {module}\n")
        spent[name], _ = built(package, package / ".build")
        print(f"{'a client of ' + module:44}{spent[name]:>11.1f} s of processor time", flush=True)
    bounds.note("build/a client of SluiceHTTP", spent["ours"] / spent["bare"], "x", 1.25)


def first():
    spent, passed = built(ROOT, Path(folder.name) / "first", "--product", "sluice")
    print(f"{'the program behind bin/sluice':44}{spent:>11.1f} s of processor time", flush=True)
    bounds.note("build/the program behind bin/sluice", passed, "s", 150)


if __name__ == "__main__":
    status = bounds.run({"client": client, "first": first})
    folder.cleanup()
    sys.exit(status)
