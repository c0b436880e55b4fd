#!/usr/bin/env python3
"""Creates a client package of each product with the line that the README gives for it: products.py [--build pure|all|NAME…]

Sluice is a Git repository with a version for these clients, as it is for users. Each client is resolved, and the packages
that it gets are compared with bounds; the line without traits is resolved too. Then the clients of the pure modules are
built and run (--build pure, the default), or those of all or some products, each from nothing, and the processor time of
each build is compared with a bound (--build all, --build NAME…).

The last line is `N passed, N failed`.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
INSTRUMENTS = {"swift-metrics", "swift-distributed-tracing", "swift-service-context"}
SERVERS = {"hummingbird", "swift-argument-parser"}
STORES = {"grdb.swift"}
PUBLISHERS = {"opencombine"}


class Product:
    """A product, the program of its client, and the bounds of its packages and of its clean build.

    It gets packages of `only`, or at most so many packages as `most` and none of `never`.
    """

    def __init__(self, code, output, seconds, only=None, most=None, never=frozenset()):
        self.code, self.output, self.seconds = code, output, seconds
        self.only, self.most, self.never = only, len(only) if most is None else most, never


NOTHING = frozenset()
PRODUCTS = {
    "Sluice": Product("print(try await AnyNode<Int, Int> { $0 * 2 }.process(21))", "42", 40, only=NOTHING),
    "SluiceJSON": Product(
        'print(try SluiceJSONEncoder().text(SluiceJSONDecoder().decode([Int].self, from: "[1, 2]")))', "[1,2]", 50,
        only=NOTHING),
    "SluiceExpressions": Product(
        'print(try CELExpression("x * 2", variables: ["x": .int]).evaluate(["x": 21]))', "42", 90, only=NOTHING),
    "SluiceStreams": Product(
        'for try await x in Flow.values(1, 2).map({ $0 * 21 }).values() { print(x) }', "21\n42", 150, only=NOTHING),
    "SluiceRuns": Product("print(MemoryStreamStore.self)", "MemoryStreamStore", 200, only=NOTHING),
    "SluiceFilters": Product(
        'print(StatsFilter<Int, Int>.self)', "StatsFilter<Int, Int>", 80, only=INSTRUMENTS),
    "SluiceHTTP": Product(
        "print(HTTPTransport.self)", "HTTPTransport", 600, most=25, never=SERVERS | STORES | PUBLISHERS),
    "SluiceClassic": Product(
        "print(Future<Int>.self)", "Observer<Int>", 600, most=25, never=SERVERS | STORES | PUBLISHERS),
    "SluiceConnect": Product(
        "print(ConnectSettings.self)", "ConnectSettings", 700, most=25, never=SERVERS | STORES | PUBLISHERS),
    "SluiceClient": Product("print(HubClient.self)", "HubClient", 700, most=25, never=SERVERS | STORES | PUBLISHERS),
    "SluiceTesting": Product("print(TestClock.self)", "TestClock", 700, most=25, never=SERVERS | STORES | PUBLISHERS),
    "SluiceCombine": Product("_ = Flow.values(1).toPublisher()", "", 180, only=PUBLISHERS),
    "SluiceServer": Product(
        "print(RequestDeadline.self)", "RequestDeadline", 600,
        most=26, never={"swift-argument-parser"} | STORES | PUBLISHERS),
    "SluiceStore": Product("print(SQLiteStreamStore.self)", "SQLiteStreamStore", 250, only=STORES),
    # libnats is a library of the system, which `bin/test cluster` installs.
    "SluiceNATS": Product("print(NATSSettings.self)", "NATSSettings", 250, most=0),
    "SluiceHub": Product(
        "print(HubServer.self)", "HubServer", 1000, most=27, never={"swift-argument-parser"} | PUBLISHERS),
    "sluice": Product(None, None, 1100, most=28, never=PUBLISHERS),
}
PURE = [name for name, product in PRODUCTS.items() if product.only == NOTHING]


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, is_right, text):
        if is_right:
            self.passed += 1
        else:
            self.failed += 1
            print(f"failed: {text}", flush=True)


def run(arguments, folder, **options):
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, **options)


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def lines_of_readme():
    """Returns the traits of each product by the table of the README, as they are written there."""
    rows = re.findall(r"^\| `(\w+)` \|.*\| `(\[[^`]*\])` \|", (ROOT / "README.md").read_text(), re.M)
    return dict(rows)


def target_path(target):
    folder = "Tests" if target["type"] == "test" else "Sources"
    return target.get("path") or f"{folder}/{target['name']}"


def publish(folder):
    """Copies the files of the working tree to a repository with the version 0.1.0."""
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT).stdout.split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file() and not name.startswith(("docs/", "Benchmarks/", "Fuzz/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    for command in (
        ["init", "-q"], ["add", "-A"],
        ["-c", "user.name=Sluice", "-c", "user.email=sluice@example.com", "commit", "-q", "-m", "Sluice"],
        ["tag", "0.1.0"],
    ):
        done = run(["git", *command], folder)
        if done.returncode:
            sys.exit(f"git {command[0]}: {done.stderr}")


def create_client(folder, repository, product, traits):
    """Writes the package of a client."""
    name = f"client-{product}"
    option = "" if traits is None else f", traits: {traits}"
    code = PRODUCTS[product].code
    used = "" if code is None else f'.product(name: "{product}", package: "sluice")'
    (folder / "Sources").mkdir(parents=True)
    (folder / "Package.swift").write_text(f"""\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "{name}",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "{repository}", from: "0.1.0"{option})],
    targets: [.executableTarget(name: "{name}", dependencies: [{used}], path: "Sources")]
)
""")
    imported = "" if code is None else f"import {product}\n"
    (folder / "Sources/main.swift").write_text(f"{imported}{code or ''}\n")


def megabytes(folder):
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def resolve(client, scratch, checks, title):
    """Resolves a client. Returns its packages without Sluice."""
    done = run(["swift", "package", "--scratch-path", str(scratch), "resolve"], client)
    checks.check(done.returncode == 0, f"{title} is not resolved: {done.stderr[-2000:]}")
    resolved = client / "Package.resolved"
    pins = json.loads(resolved.read_text())["pins"] if resolved.exists() else []
    found = {pin["identity"] for pin in pins} - {"sluice"}
    folders = [(path, path.name) for path in scratch.glob("checkouts/*")]
    folders += [(path, path.name.rsplit("-", 1)[0]) for path in scratch.glob("repositories/*")]
    size = sum(megabytes(path) for path, name in folders if name.lower() in found)
    print(f"{title}: {len(found)} packages, {size:.0f} MB", flush=True)
    return found


def build(name, client, scratch, checks, title, seconds):
    """Builds a client, runs it, and compares its output, and the processor time with a bound if there is one."""
    product = PRODUCTS[name]
    start = processor_seconds()
    arguments = ["--product", name] if product.code is None else []
    done = run(["swift", "build", "--disable-index-store", "--scratch-path", str(scratch), *arguments], client)
    spent = processor_seconds() - start
    checks.check(done.returncode == 0, f"the client of {name} is not built: {done.stdout[-4000:]}")
    if done.returncode == 0 and product.code is not None:
        program = run([str(scratch / "debug" / f"client-{name}")], client)
        checks.check(
            (program.returncode, program.stdout.strip()) == (0, product.output),
            f"the client of {name} printed {program.stdout!r} {program.stderr!r}, expected {product.output!r}")
    if seconds:
        print(f"{title}: {spent:.0f} s of processor time for a clean build, at most {seconds} s", flush=True)
        checks.check(spent <= seconds, f"the clean build of {title} took {spent:.0f} s of processor time")


def main(arguments):
    names = arguments[1:] if arguments[:1] == ["--build"] else ["pure"]
    is_clean = names != ["pure"]
    names = {"pure": PURE, "all": list(PRODUCTS)}.get(names[0] if names else "", names)
    if len(names) > 1 and not Path("/usr/include/nats/nats.h").exists():
        names = [name for name in names if name != "SluiceNATS"]
    if not names or not set(names) <= set(PRODUCTS) or arguments[:1] not in ([], ["--build"]):
        sys.exit(__doc__)
    for name in ("SLUICE_SANITIZER", "SLUICE_WITH_EXAMPLES"):
        os.environ.pop(name, None)
    checks = Checks()
    readme = lines_of_readme()
    manifest = json.loads(run(["swift", "package", "dump-package"], ROOT).stdout)
    declared = {product["name"] for product in manifest["products"]}
    checks.check(set(readme) == declared, f"README.md has lines for {sorted(readme)}, Package.swift {sorted(declared)}")
    checks.check(set(PRODUCTS) == declared, f"this test has {sorted(PRODUCTS)}, Package.swift {sorted(declared)}")
    for target in manifest["targets"]:
        outside = [entry["product"] for entry in target["dependencies"] if "product" in entry]
        ungated = [name for name, _, _, condition in outside if not (condition or {}).get("traits")]
        checks.check(not ungated, f"{target['name']} depends on {ungated} whatever the traits")
        resources = [ROOT / target_path(target) / entry["path"] for entry in target["resources"]]
        listed = [path.name for path in resources if path.is_file()]
        checks.check(not listed, f"Package.swift lists the files {listed} of {target['name']}")
    for name in PURE:
        checks.check(readme.get(name) == "[]", f"{name} is pure, but README.md gives it {readme.get(name)}")
    with tempfile.TemporaryDirectory() as work:
        repository = Path(work) / "sluice"
        repository.mkdir()
        publish(repository)
        shared = Path(work) / "shared"
        clients = {}
        for name in PRODUCTS:
            clients[name] = Path(work) / f"client-{len(clients)}"
            create_client(clients[name], repository, name, readme.get(name))
            found = resolve(clients[name], shared, checks, f"{name} with {readme.get(name)}")
            product = PRODUCTS[name]
            if product.only is not None:
                checks.check(found <= product.only, f"{name} gets {sorted(found - product.only)}")
            checks.check(len(found) <= product.most, f"{name} gets {len(found)} packages, {product.most} allowed")
            checks.check(not found & product.never, f"{name} gets {sorted(found & product.never)}")
        plain = Path(work) / "plain"
        create_client(plain, repository, "SluiceJSON", None)
        everything = resolve(plain, shared, checks, "the line without traits")
        wanted = SERVERS | STORES | PUBLISHERS | INSTRUMENTS
        checks.check(wanted <= everything, f"the line without traits lacks {sorted(wanted - everything)}")
        builds = [(name, clients[name], name, PRODUCTS[name].seconds) for name in names]
        if is_clean:
            builds.insert(0, ("SluiceJSON", plain, "SluiceJSON without traits", PRODUCTS["SluiceJSON"].seconds))
        for name, client, title, seconds in builds:
            scratch = Path(work) / "scratch" if is_clean else shared
            build(name, client, scratch, checks, title, seconds if is_clean else None)
            if is_clean:
                shutil.rmtree(scratch)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
