#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// Every code block that awaits means the same inside an async function and at the top level of a script: it compiles
/// both ways, runs both ways to its end, and gives the values that its comments say.
///
/// Addresses of example.com lead to a server of the program that runs the blocks, and those of a hub to a hub in it.
@Suite struct AwaitingBlockTests {
    typealias Block = CodeBlockTests.Block

    /// The blocks that are compiled, but can't be run, by a part of their code, each with the reason. The list may only
    /// shrink.
    static let unrun: [(part: String, reason: String)] = [
        ("hub, group: \"all\"", "a follower runs until it is canceled"),
        ("port: 8080)\ntry await server.run", "a hub runs until the process is asked to end"),
        ("hub.events(of: ", "the events of a hub end when the stream is deleted"),
        ("OAuthAuthorization(client)", "the user's answer has the state of the login, which is random"),
        (
            "arrivals: .every(.milliseconds(1))",
            "60,000 simulated calls take minutes in debug mode; bin/test scenarios has them in release mode"
        ),
    ]

    /// The lines with which a block declares what it needs in place of the prelude, by a part of its code.
    static let preludes: [(part: String, lines: [String])] = [
        (
            "clock.sleepers(1)",
            [
                "let node = AnyNode<Int, Int> { _ in",
                "    for await _ in AsyncStream(Never.self, { _ in }) {}  // until it is canceled",
                "    throw CancellationError()",
                "}",
            ]
        )
    ]

    static func isRun(_ block: Block) -> Bool { !unrun.contains { block.code.contains($0.part) } }

    /// The blocks that await, without those that declare extensions: these can only be at the top of a file.
    static func blocks(_ isIncluded: (URL) -> Bool) throws -> [Block] {
        try CodeBlockTests.files().filter(isIncluded).flatMap(CodeBlockTests.blocks).filter { block in
            block.code.contains("await ") && !block.code.contains("extension ") && !block.code.contains("protocol ")
        }
    }

    static func isClassic(_ file: URL) -> Bool { file.path.contains("/Sources/SluiceClassic/") }

    /// Returns a text whose addresses lead to the servers of the program, and whose files are in its folder.
    static func local(_ text: String) -> String {
        // Within a raw string, such as one of JSON, an interpolation has a number sign.
        text.components(separatedBy: "\n").map { line in
            line.replacing(
                /"https?:\/\/(?:[a-z]+\.)?example\.com/,
                with: line.contains("#\"{") ? "\"\\#(site)" : "\"\\(site)"
            )
        }.joined(separator: "\n")
            .replacing("AllowedHost(\"api.example.com\")", with: "AllowedHost(\"127.0.0.1\")")
            .replacing("\"http://127.0.0.1:8080", with: "\"\\(hubSite)")
            .replacing("\"/data/", with: "\"data/").replacing("\"/photos/", with: "\"photos/")
            .replacing("\"/var/cache/app\"", with: "\"cache\"")
    }

    /// Returns the body of a block: each `let` of a block whose comment is a literal is compared with it, and each value
    /// that is awaited must not be an Observer.
    static func body(_ block: Block) -> [String] {
        let value = /^(?:let|var) (\w+)(?:: [^=]+)? = .*?\s\/\/ (-?\d[\d.]*|"[^"]*"|true|false|\[[^\]]*\])$/
        let awaited = /^(?:let|var) (\w+)(?:: [^=]+)? = try await [^{}]*$/
        let lines = local(block.code).components(separatedBy: "\n")
        let checked = lines.enumerated().flatMap { index, line -> [String] in
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
        let before = preludes.first { block.code.contains($0.part) }?.lines ?? []
        return ["try await begin()"] + before + checked + ["note(\"\(block.place): ended\")"]
    }

    static func imports(_ blocks: [Block]) -> [String] {
        let lines = blocks.flatMap { $0.code.components(separatedBy: "\n") }
        return Set(lines.filter { $0.hasPrefix("import ") }).sorted()
    }

    /// Returns the sources of a program that runs each block twice: in its `main.swift`, and in an async function.
    static func program(_ blocks: [Block], prelude: String) -> [String: String] {
        let header = imports([Block(place: "", code: prelude)] + blocks)
        var (script, functions) = (header, header)
        script.append("try await startServers()")
        for (number, block) in blocks.enumerated() {
            let body = body(block).map { "    " + $0 }
            let condition = isRun(block) ? "" : "if isRunInFull { "
            script += ["\(condition)do {"] + body + ["} catch { note(\"\(block.place): failed: \\(error)\") }"]
            if !isRun(block) { script.append("}") }
            functions += ["func block\(number)() async throws {"] + body + ["}"]
        }
        script += blocks.enumerated().filter { isRun($0.element) }.map { number, block in
            "do { try await block\(number)() } catch { note(\"\(block.place): failed: \\(error)\") }"
        }
        return [
            "Prelude.swift": local(prelude), "Checks.swift": BlockProgram.checks, "Servers.swift": BlockProgram.servers,
            "Functions.swift": functions.joined(separator: "\n"), "main.swift": script.joined(separator: "\n"),
        ]
    }

    /// Compiles and runs blocks both ways.
    ///
    /// - Parameter least: The least number of values that are compared with their comments.
    func expectToRun(_ blocks: [Block], prelude: String, values least: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appendingPathComponent("blocks")
        let compiled = try await BlockProgram.compile(Self.program(blocks, prelude: prelude), to: program)
        // A block shows values without using them; an `await` with nothing to wait for is a fault.
        let faults = compiled.errors.components(separatedBy: "\n").filter {
            ($0.contains("error:") || $0.contains("no 'async' operations")) && !$0.contains("`- ")
        }
        for fault in faults { Issue.record("\(fault)") }
        try #require(compiled.status == 0, "\(compiled.errors.suffix(2000))")
        let outcome = try await Tool(program).run([folder.path])
        let notes = outcome.errors.split(separator: "\n").map(String.init)
        #expect(outcome.status == 0, "\(outcome.errors.suffix(2000))")
        let run = blocks.filter(Self.isRun).map { "\($0.place): ended" }
        let ends = notes.filter { $0.hasSuffix(": ended") }
        for place in run {
            #expect(ends.count { $0 == place } == run.count { $0 == place } * 2, "\(place)")
        }
        let passed = notes.filter { $0.hasSuffix(": passed") }
        #expect(passed.count.isMultiple(of: 2) && passed.count >= 2 * least, "\(passed.count)")
        #expect(notes.filter { $0.contains(": failed") } == [])
    }

    @Test func everyAwaitingBlockRunsBothWays() async throws {
        // Beside SluiceClassic, which has the seeds' `process`, the others would not be what their readers compile.
        let prelude = CodeBlockTests.prelude.replacing("import SluiceClassic\n", with: "")
        let blocks = try Self.blocks { !Self.isClassic($0) }
        #expect(blocks.count > 140)
        try await expectToRun(blocks, prelude: prelude, values: 20)
    }

    @Test func everyAwaitingBlockOfSluiceClassicRunsBothWays() async throws {
        let blocks = try Self.blocks(Self.isClassic)
        #expect(!blocks.isEmpty)
        try await expectToRun(blocks, prelude: CodeBlockTests.prelude, values: 2)
    }

    /// The list of blocks that aren't run names no others, and may only shrink.
    @Test func fewBlocksAreNotRun() throws {
        let blocks = try Self.blocks { _ in true }
        for (part, reason) in Self.unrun {
            #expect(blocks.contains { $0.code.contains(part) }, "\(part): \(reason)")
        }
        for (part, _) in Self.preludes { #expect(blocks.contains { $0.code.contains(part) }, "\(part)") }
        #expect(blocks.filter { !Self.isRun($0) }.count <= 8)
    }
}
#endif
