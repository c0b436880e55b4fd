import Foundation
import SluiceJSON
import Testing

@testable import SluiceStreams

/// Checkpoints that earlier versions wrote, in `Tests/Golden`: each resumes and gives what it gave when it was written.
///
/// An operator whose state changes keeps its old lines, gains a migration, and adds lines of the new version:
/// `SLUICE_GOLDEN=FILE swift test --filter GoldenCheckpointTests` writes the lines of the current version to a file.
struct GoldenCheckpointTests {
    static let folder = DiagramTests.root.appending(path: "Tests/Golden")

    /// A checkpoint of a run of an operator's own example, and what came after it.
    struct Golden {
        let kind: String
        /// The version of the state of the kind; `nil` if the kind has no state.
        let version: Int?
        let document: StreamDocument
        let others: [StreamDocument]
        let checkpoint: JSON
        let until: Double
        let then: [String]

        init(_ json: JSON) throws {
            func field(_ name: String) throws -> JSON { try #require(json[name]) }
            kind = try #require(json["kind"]?.string)
            document = try StreamDocument(parsing: field("document").text())
            others = try field("others").array?.map { try StreamDocument(parsing: $0.text()) } ?? []
            checkpoint = try field("checkpoint")
            until = try #require(json["until"]?.double)
            then = try field("then").array?.compactMap(\.string) ?? []
            let operators = document.pipeline.operators
            let part = checkpoint["parts"]?["parts"]?[StageKey.keys(of: operators).last ?? StageKey.source]
            version = part.map { $0["version"]?.int ?? 1 }
        }

        /// Returns the events of a run that resumes from the checkpoint.
        func resumed() throws -> [String] {
            let run = try StreamRun(
                document,
                from: StreamCheckpoint(parsing: checkpoint.text()),
                in: StreamLibrary(others)
            )
            return try GoldenCheckpointTests.rest(of: run, until: until)
        }
    }

    static func rest(of run: StreamRun, until end: Double) throws -> [String] {
        var lines: [String] = []
        run.advance(to: try #require(StreamTime(seconds: end)))
        while let event = run.next() { lines.append(event.line) }
        run.close()
        return lines
    }

    /// The golden checkpoints of each file. No line of any of them may be unreadable.
    static let files = Result {
        var files: [String: [Golden]] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.lastPathComponent.hasPrefix("checkpoints-") {
            files[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map { try Golden(JSON(parsing: String($0))) }
        }
        return files
    }

    static func goldens() throws -> [Golden] {
        try files.get().sorted { $0.key < $1.key }.flatMap(\.value)
    }

    @Test func noLineIsMissing() throws {
        let counts = ["checkpoints-1.jsonl": 109, "checkpoints-2.jsonl": 127]
        #expect(try Self.files.get().mapValues(\.count) == counts)
    }

    @Test func everyGoldenCheckpointResumes() throws {
        for golden in try Self.goldens() {
            #expect(try golden.resumed() == golden.then, "\(golden.kind): \(golden.checkpoint)")
        }
    }

    /// The sources that give all at one instant, so that a run of them alone is never saved, and those that read from
    /// outside, of which there are no examples, and `schedule`, which reads the clock on the wall in live time.
    static let withoutGoldens: Set<String> = [
        "source empty", "source fail", "source generate", "source range", "source values", "source events",
        "source lines", "source outside", "source poll", "source request", "source schedule",
        "source subject", "source subscribe", "source webhook",
    ]

    /// Each kind has a line of each version of its state, from the first one to the current one.
    @Test func everyVersionOfEveryKindHasAGoldenCheckpoint() throws {
        var versions: [String: Set<Int>] = [:]
        for golden in try Self.goldens() {
            let name = golden.document.pipeline.operators.isEmpty ? "source \(golden.kind)" : "operator \(golden.kind)"
            versions[name, default: []].insert(golden.version ?? 1)
        }
        var wanted: [String: Set<Int>] = [:]
        for kind in OperatorKind.all { wanted["operator \(kind.name)"] = Set(1...kind.migrations.count + 1) }
        for kind in SourceKind.all { wanted["source \(kind.name)"] = Set(1...kind.migrations.count + 1) }
        for name in Self.withoutGoldens { #expect(versions[name] == nil && wanted[name] != nil, "\(name)") }
        for (name, versionsOfKind) in wanted.sorted(by: { $0.key < $1.key }) where !Self.withoutGoldens.contains(name) {
            #expect(versions[name] == versionsOfKind, "\(name)")
        }
    }

    /// The kinds of the examples, each with its document, at the instant at which the most is saved.
    static func current() throws -> [String] {
        var lines: [String] = []
        for block in DiagramTests.blocks where block.file.contains("/Operators/") || block.file.contains("/Sources/") {
            let diagram = try Diagram(block.lines)
            let (document, library) = try diagram.documents()
            let kind: String =
                document.pipeline.operators.last?.name
                ?? {
                    if case .named(let source) = document.pipeline.source { source.name } else { "stream" }
                }()
            let run = try StreamRun(document, in: library)
            var best: (text: String, time: StreamTime)?
            while let due = run.nextDue, due.seconds < 30 {
                run.advance(to: due)
                while run.next() != nil {}
                if run.isEnded { break }
                let text = run.checkpoint().text
                if best.map({ $0.text.utf8.count < text.utf8.count }) ?? true { best = (text, due) }
            }
            guard let best else { continue }
            let until = 60.0
            let resumed = try StreamRun(document, from: StreamCheckpoint(parsing: best.text), in: library)
            var others: [JSON] = []
            for (name, marbles) in diagram.others {
                others.append(try JSON(parsing: Diagram.document(name, marbles).text))
            }
            if let input = diagram.input { others.append(try JSON(parsing: Diagram.document("input", input).text)) }
            let golden: JSON = [
                "kind": .string(kind), "document": try JSON(parsing: document.text), "others": .array(others),
                "checkpoint": try JSON(parsing: best.text), "until": .double(until),
                "then": .array(try rest(of: resumed, until: until).map { .string($0) }),
            ]
            lines.append(golden.text())
        }
        return lines
    }

    @Test func everyKindHasAGoldenCheckpoint() throws {
        let text = try Self.current().joined(separator: "\n") + "\n"
        if let path = ProcessInfo.processInfo.environment["SLUICE_GOLDEN"] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let kinds = Set(try Self.goldens().map(\.kind))
        let missing = Set(try Self.current().compactMap { try JSON(parsing: $0)["kind"]?.string }).subtracting(kinds)
            .filter { !Self.withoutGoldens.contains("source \($0)") }
        #expect(missing.isEmpty)
    }
}
