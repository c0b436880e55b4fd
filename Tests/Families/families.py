#!/usr/bin/env python3
"""Adds a sample member of each family to a copy of the repository, and counts the files: families.py [--build]

A member is one source file and one test file, written by hand; everything else is generated. Each sample is added to a
copy of the repository: `bin/generate --check` has to find that it is missing from the list of its family, `bin/generate`
has to change generated files alone, and the list has to name it. With `--build`, the samples of the pure modules are
built, their documents are generated, and their tests run, together with those that compare generated documents.

The last line is `N passed, N failed`.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Family:
    """A family: its sample's two files, the file with its list, and the name by which the list has the sample."""

    def __init__(self, name, files, listed, entry, test=None, documents=None):
        self.name, self.files, self.listed, self.entry = name, files, listed, entry
        self.test, self.documents = test, documents or {}


FILTER = '''\
public import Sluice

/// A filter that passes each call on.
public struct SampleFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    let size: Int

    /// Calls `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response { try await next.process(request) }

    /// A description such as `SampleFilter(3)`.
    public var description: String { "SampleFilter(\\(size))" }
}

extension SampleFilter: StackStage {
    /// The role ``StackRole/cache``.
    public var stackRole: StackRole { .cache }
}

/// A sample in a document: `{"sample": {"size": 3}}`.
enum SampleKind: FilterKind {
    static let name = "sample"
    static let summary = "Passes each call on"
    static let size = StackKey("size", .count(1...9), default: 3, "the size")
    static let keys: [any FilterKey] = [size]
    static let examples = [FilterExample(#"{"sample": {"size": 4}}"#, "SampleFilter(4)")]

    static func role(_ settings: StackSettings) -> StackRole { .cache }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> { SampleFilter<Request, Response>(size: settings[size]) }
}
'''

FILTER_TEST = '''\
import Testing

@testable import SluiceFilters

@Suite struct SampleFilterTests {
    @Test func aDocumentMakesIt() throws {
        let stack = try StackFilter<Int, Int>(parsing: #"{"filters": [{"retry": {}}, {"sample": {}}]}"#)
        #expect("\\(stack)" == "RetryFilter(maxAttempts: 3) → SampleFilter(3)")
        #expect(stack.lint().map(\\.rule) == [.cacheInRetry])
    }
}
'''

OPERATOR = '''\
extension OperatorKind {
    static let twice = OperatorKind("twice", summary: "Emits each value twice", [.count("times").resetting]) { stage in
        _ = stage.count("times")
        return stage.input.map { $0 }
    }
}

extension Operator {
    /// Emits each value again.
    ///
    /// ```marbles
    /// 1-2-|
    /// {"twice": {"times": 1}}
    /// 1-2-|
    /// ```
    public static func twice(_ times: Int) -> Operator { Operator(.twice, ["times": .int(times)]) }
}
'''

OPERATOR_TEST = '''\
import Testing

@testable import SluiceStreams

@Suite struct TwiceTests {
    @Test func values() throws { try expect("-1-2#", #"[{"twice": {"times": 1}}]"#, gives: "-1-2#") }
}
'''

STAGE = '''\
#if HTTP
public import Sluice
public import SluiceFilters

/// A filter that passes each attempt on.
public struct SampleStage: SimpleFilter<TransportRequest, TransportResponse>, ChainStage {
    /// Calls `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse { try await next.process(request) }

    /// One attempt, at the position of the sample.
    public var declaration: StageDeclaration { StageDeclaration(.attempt, position: .sample) }
    /// No role.
    public var stackRole: StackRole { .other }
}

extension StageName {
    /// A sample of a stage.
    public static let sample = StageName("sample", .attempt, inside: "signature")
}
#endif
'''

STAGE_TEST = '''\
#if HTTP
import Testing

@testable import SluiceHTTP

@Suite struct SampleStageTests {
    @Test func followsTheSignature() throws {
        let signature = try #require(StageName.signature.place)
        #expect(try #require(StageName.sample.place).rank == signature.rank + 1)
    }
}
#endif
'''

ROUTE = '''\
#if Hub
import HTTPTypes
import SluiceJSON

extension HubRoutes {
    /// A sample of a route.
    var sampleOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/sample",
                id: "readSample",
                role: .read,
                summary: "Returns a sample",
                result: .json("Sample"),
                schemas: ["Sample": ["type": "object"]],
                hasClientMethod: true
            ) { _, _ in .json(["size": 3]) }
        ]
    }
}
#endif
'''

ROUTE_TEST = '''\
#if Hub
import HTTPTypes
import Testing

@testable import SluiceHub

@Suite struct SampleRoutesTests {
    @Test func aSampleIsServed() async throws {
        #expect(try await Hub().ask(.get, "/sample").json == ["size": 3])
    }
}
#endif
'''

PAGE = '''\
// A sample of a page module.
export const sample = 3;
'''

PAGE_TEST = '''\
"""A sample of a theme."""
CHECKS = []
'''

FAMILIES = [
    Family("filter", {"Sources/SluiceFilters/Chaos/SampleFilter.swift": FILTER,
        "Tests/SluiceFiltersTests/Chaos/SampleFilterTests.swift": FILTER_TEST},
        "Sources/SluiceFilters/Stacks/FilterKinds.swift", "SampleKind.self", "SluiceFiltersTests",
        {"docs/stack-filters.md": "## sample", "docs/stack.schema.json": '"sample"', "Fuzz/Dictionaries/stacks": "sample"}),
    Family("operator", {"Sources/SluiceStreams/Operators/Transforming/Twice.swift": OPERATOR,
        "Tests/SluiceStreamsTests/Operators/Transforming/TwiceTests.swift": OPERATOR_TEST},
        "Sources/SluiceStreams/Operators/Transforming/Transforming.swift", "twice", "ReferencePage|TwiceTests|LawTests",
        {"docs/operators.md": "### twice", "docs/stream.schema.json": '"twice"', "Fuzz/Dictionaries/streams": "twice"}),
    Family("stage", {"Sources/SluiceHTTP/Filters/SampleStage.swift": STAGE,
        "Tests/SluiceHTTPTests/Filters/SampleStageTests.swift": STAGE_TEST},
        "Sources/SluiceHTTP/Chain/StageNames.swift", "sample"),
    Family("route", {"Sources/SluiceHub/Routes/SampleRoutes.swift": ROUTE,
        "Tests/SluiceHubTests/Routes/SampleRoutesTests.swift": ROUTE_TEST},
        "Sources/SluiceHub/Routes/HubRoutes.swift", "sampleOperations"),
    Family("page module", {"Sources/SluiceHub/Page/sample.js": PAGE, "Tests/Browser/check_sample.py": PAGE_TEST},
        "Sources/SluiceHub/Routes/PageFile.swift", '"sample.js"'),
]

passed = failed = 0


def check(is_true, text):
    """Counts a check and prints one that fails."""
    global passed, failed
    if is_true:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {text}", flush=True)


def run(folder, *command, **environment):
    """Runs a command in a folder and returns its status and its output."""
    result = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.returncode, result.stdout


def copy(folder):
    """Copies the files of the repository, with those that are not committed yet."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
        capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        source, target = ROOT / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    if (ROOT / "Package.resolved").is_file():
        shutil.copy2(ROOT / "Package.resolved", folder)
    run(folder, "git", "init", "-q")
    run(folder, "git", "add", "-A")
    run(folder, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "copy")


def changed(folder):
    """Returns the files that differ from the copy."""
    return set(run(folder, "git", "ls-files", "--modified", "--others", "--exclude-standard")[1].split())


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        copy(folder)
        status, text = run(folder, "bin/generate", "--check")
        check(status == 0, f"the lists are not current: {text}")
        for family in FAMILIES:
            before = changed(folder)
            for path, text in family.files.items():
                check(not (folder / path).exists(), f"{family.name}: {path} exists")
                (folder / path).write_text(text)
            status, text = run(folder, "bin/generate", "--check")
            check(status == 1 and family.listed in text, f"{family.name}: a missing member is not found: {text}")
            status, text = run(folder, "bin/generate")
            check(status == 0, f"{family.name}: {text}")
            check(family.entry in (folder / family.listed).read_text(), f"{family.name}: {family.listed} lacks it")
            found = changed(folder) - before
            check(found == set(family.files) | {family.listed}, f"{family.name}: {sorted(found)}")
            hand = found - {family.listed}
            check(len(hand) == 2, f"{family.name}: {len(hand)} files by hand")
            print(f"{family.name}: {len(hand)} files by hand, {family.listed} generated", flush=True)
        if "--build" in sys.argv[1:]:
            build(folder)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


def build(folder):
    """Builds the pure modules with the samples, generates their documents, and runs their tests."""
    command = ["swift", "test", "--disable-default-traits", "--scratch-path", str(ROOT / ".build-families")]
    filters = "|".join(family.test for family in FAMILIES if family.test)
    run(folder, *command, "--filter", "ReferencePage", SLUICE_UPDATE_DOCS="1")
    status, text = run(folder, *command, "--skip-build", "--filter", filters)
    check(status == 0, f"the tests of the samples: {text[-4000:]}")
    for family in FAMILIES:
        for path, word in family.documents.items():
            check(word in (folder / path).read_text(), f"{family.name}: {path} lacks {word}")


if __name__ == "__main__":
    raise SystemExit(main())
