#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// Every code block that awaits means the same inside an async function and at the top level of a script.
@Suite struct AwaitingBlockTests {
    typealias Block = CodeBlockTests.Block

    /// The blocks that await, without those that declare extensions: these stand at the top of a file.
    static func blocks(_ isIncluded: (URL) -> Bool) throws -> [Block] {
        try CodeBlockTests.files().filter(isIncluded).flatMap(CodeBlockTests.blocks).filter { block in
            block.code.contains("await ") && !block.code.contains("extension ") && !block.code.contains("protocol ")
        }
    }

    /// The body of a block: each `let` of a block whose comment is a literal is compared with it, and each value that is
    /// awaited must not be an Observer.
    static func body(_ block: Block) -> [String] {
        let value = /^(?:let|var) (\w+)(?:: [^=]+)? = .*?\s\/\/ (-?\d[\d.]*|"[^"]*"|true|false|\[[^\]]*\])$/
        let awaited = /^(?:let|var) (\w+)(?:: [^=]+)? = try await [^{}]*$/
        let lines = block.code.components(separatedBy: "\n")
        return lines.enumerated().flatMap { index, line -> [String] in
            if line.hasPrefix("import ") { return [] }
            if let match = line.wholeMatch(of: value) {
                return [line, "expect(\(match.1), \(match.2), #\"\(block.place)\"#)"]
            }
            let isWhole = lines.count == index + 1 || !lines[index + 1].hasPrefix(" ")
            if isWhole, !line.hasSuffix("("), let match = line.wholeMatch(of: awaited) {
                return [line, "expectNoObserver(\(match.1))"]
            }
            return [line]
        }
    }

    static func imports(_ blocks: [Block]) -> [String] {
        let lines = blocks.flatMap { $0.code.components(separatedBy: "\n") }
        return Set(lines.filter { $0.hasPrefix("import ") }).sorted()
    }

    /// The sources of a program that runs each block twice: in its `main.swift`, and in an async function.
    static func program(_ blocks: [Block], prelude: String) -> [String: String] {
        let header = imports([Block(place: "", code: prelude)] + blocks)
        var (script, functions) = (header, header)
        // The folder of the files that blocks read.
        script.append("if let path = CommandLine.arguments.dropFirst().first { _ = chdir(path) }")
        for (number, block) in blocks.enumerated() {
            let body = body(block).map { "    " + $0 } + ["    note(\"\(block.place): ended\")"]
            script += ["do {"] + body + ["} catch { note(\"\(block.place): failed: \\(error)\") }"]
            functions += ["func block\(number)() async throws {"] + body + ["}"]
        }
        script += blocks.enumerated().map { number, block in
            "do { try await block\(number)() } catch { note(\"\(block.place): failed: \\(error)\") }"
        }
        let checks = """
            import Foundation
            func note(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data((text + "\\n").utf8)) }
            func expect<T: Equatable>(_ value: T, _ expected: T, _ place: String) {
                note("\\(place): \\(value == expected ? "passed" : "failed: \\(value) is not \\(expected)")")
            }
            func expectNoObserver<T>(_ value: T) {}
            @available(*, unavailable, message: "an Observer, not the value that was awaited")
            func expectNoObserver<T>(_ value: Observer<T>) {}
            """
        return [
            "Prelude.swift": prelude, "Checks.swift": "import Sluice\n" + checks,
            "Functions.swift": functions.joined(separator: "\n"), "main.swift": script.joined(separator: "\n"),
        ]
    }

    /// Compiles blocks both ways, and expects no error and no `await` with nothing to wait for.
    func expectToCompile(_ blocks: [Block], prelude: String) async throws {
        #expect(!blocks.isEmpty)
        let outcome = try await Tool.typecheck(Self.program(blocks, prelude: prelude), Tool.moduleFlags())
        let faults = outcome.errors.components(separatedBy: "\n").filter {
            ($0.contains("error:") || $0.contains("no 'async' operations")) && !$0.contains("`- ")
        }
        for fault in faults { Issue.record("\(fault)") }
        #expect(outcome.status == 0)
    }

    @Test func everyAwaitingBlockCompilesBothWays() async throws {
        // Beside SluiceClassic, which has the seeds' `process`, the others would not be what their readers compile.
        let prelude = CodeBlockTests.prelude.replacing("import SluiceClassic\n", with: "")
        try await expectToCompile(Self.blocks { !$0.path.contains("SluiceClassic") }, prelude: prelude)
    }

    @Test func everyAwaitingBlockOfSluiceClassicCompilesBothWays() async throws {
        try await expectToCompile(Self.blocks { $0.path.contains("SluiceClassic") }, prelude: CodeBlockTests.prelude)
    }

    /// The modules whose blocks reach no network, and the modules of others that they are linked with.
    static let local = ["Sluice", "SluiceJSON", "SluiceExpressions", "SluiceFilters", "SluiceStreams"]
    static let linked =
        local + [
            "CoreMetrics", "Metrics", "Instrumentation", "Tracing", "ServiceContextModule", "Logging",
            "ConcurrencyHelpers",
        ]

    /// Returns the blocks of the modules and pages that reach no network.
    static func localBlocks() throws -> [Block] {
        let pages = [
            "building.md", "core.md", "filters.md", "filters-guide.md", "flow.md", "stacks.md", "streams-running.md",
            "streams-live.md",
        ]
        return try blocks { file in
            local.contains { file.path.contains("/Sources/\($0)/") } || pages.contains(file.lastPathComponent)
        }
    }

    /// Every block that reaches no network runs both ways, comes to its end, and gives the values that its comments say.
    @Test func theBlocksWithoutANetworkRunBothWays() async throws {
        let imports = (Self.local + ["Dispatch", "Foundation"]).map { "import \($0)" }
        let prelude = (imports + [CodeBlockTests.localNames]).joined(separator: "\n")
        let blocks = try Self.localBlocks()
        #expect(blocks.count >= 40)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "1\n2\n".write(to: folder.appendingPathComponent("numbers.txt"), atomically: true, encoding: .utf8)
        var files: [String] = []
        for (name, source) in Self.program(blocks, prelude: prelude).sorted(by: { $0.key < $1.key }) {
            let file = folder.appendingPathComponent(name)
            try source.write(to: file, atomically: true, encoding: .utf8)
            files.append(file.path)
        }
        let objects = try Self.linked.flatMap { module in
            try FileManager.default
                .contentsOfDirectory(
                    at: Tool.products.appendingPathComponent("\(module).build"),
                    includingPropertiesForKeys: nil
                )
                .map(\.path).filter { $0.hasSuffix(".o") }
        }
        let program = folder.appendingPathComponent("blocks").path
        let modules = Tool.products.appendingPathComponent("Modules").path
        let compiled = try await Tool.compiler.run(
            ["swiftc", "-swift-version", "6", "-suppress-warnings", "-I", modules, "-o", program] + Tool.moduleFlags()
                + files + objects
        )
        #expect(compiled.status == 0, "\(compiled.errors)")
        let outcome = try await Tool(URL(fileURLWithPath: program)).run([folder.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let ends = outcome.lines.filter { $0.hasSuffix(": ended") }
        #expect(Set(ends).count == blocks.count && ends.count == 2 * blocks.count)
        let passed = outcome.lines.filter { $0.hasSuffix(": passed") }
        #expect(passed.count.isMultiple(of: 2) && passed.count >= 14)
        #expect(outcome.lines.filter { $0.contains(": failed") } == [])
    }
}
#endif
