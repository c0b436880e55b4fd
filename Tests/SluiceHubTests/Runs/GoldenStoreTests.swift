#if Hub
import Foundation
import GRDB
import HTTPTypes
import SluiceJSON
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// A hub continues the runs of a store that an earlier version has written: the file's schema and the checkpoints in it
/// migrate together.
@Suite(.timeLimit(.minutes(20))) struct GoldenStoreTests {
    /// A checkpoint of an earlier version, and what came after it.
    private struct Golden {
        let document: JSON
        let others: [JSON]
        let checkpoint: JSON
        /// The number of outputs before the checkpoint.
        let outputs: Int
        let then: [String]
    }

    /// The golden checkpoints of every version.
    private func goldens() throws -> [Golden] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Golden")
        return try ["checkpoints-1.jsonl", "checkpoints-2.jsonl"].flatMap { name in
            try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map { line in
                let json = try JSON(parsing: String(line))
                let checkpoint = try #require(json["checkpoint"])
                return Golden(
                    document: try #require(json["document"]),
                    others: json["others"]?.array ?? [],
                    checkpoint: checkpoint,
                    outputs: Int(try #require(checkpoint["outputs"]?.int)),
                    then: json["then"]?.array?.compactMap(\.string) ?? []
                )
            }
        }
    }

    /// Writes a store as schema 4 had it, in which every golden checkpoint is a run.
    private func write(_ goldens: [Golden], to path: String) async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Golden")
        let schema = folder.appending(path: "store-4.sql")
        let sql = try String(contentsOf: schema, encoding: .utf8)
        try await DatabaseQueue(path: path).write { database in
            try database.execute(sql: sql)
            for (index, golden) in goldens.enumerated() {
                let (number, id) = (index + 1, "golden-\(index)")
                let text = golden.document.text()
                try database.execute(
                    sql: """
                        INSERT INTO stream VALUES (?1, ?2, 1, ?1);
                        """,
                    arguments: [number, id]
                )
                try database.execute(
                    sql: "INSERT INTO revision (stream, revision, text) VALUES (?, 1, ?)",
                    arguments: [number, text]
                )
                try database.execute(
                    sql: "INSERT INTO run VALUES (?, 1, 1, 'running', 0, 1.0, NULL, 1000000000, ?)",
                    arguments: [number, golden.outputs]
                )
                try database.execute(
                    sql: "INSERT INTO checkpoint VALUES (?, ?)",
                    arguments: [number, golden.checkpoint.text()]
                )
                for (place, document) in ([golden.document] + golden.others).enumerated() {
                    try database.execute(
                        sql: "INSERT INTO runDocument VALUES (?, ?, ?, 1, ?, ?)",
                        arguments: [
                            number, place, place == 0 ? id : "\(id)-\(place)", document["name"]?.string,
                            place == 0 ? nil : document.text(),
                        ]
                    )
                }
            }
        }
    }

    @Test func everyCheckpointContinuesInTheHub() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-golden-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "hub.sqlite").path
        let goldens = try goldens()
        try #require(goldens.count > 200)
        try await write(goldens, to: path)
        let hub = try await Hub(on: SQLiteStreamStore(path: path), clock: TestClock())
        try await hub.pass(70)
        for (index, golden) in goldens.enumerated() {
            let id = "golden-\(index)"
            let outputs = try await hub.store.outputs(of: id, run: 1, after: 0, limit: 1000)
            #expect(outputs.map(\.sequence) == (0..<golden.then.count).map { golden.outputs + 1 + $0 }, "\(id)")
            let lines = outputs.map { output in
                let text = output.text
                return switch output.kind {
                case .value: #"{"time": \#(output.time), "value": \#(text)}"#
                case .reported: #"{"time": \#(output.time), "reported": \#(JSON.string(text))}"#
                case .completed: #"{"time": \#(output.time), "completed": true}"#
                case .failed: #"{"time": \#(output.time), "error": \#(JSON.string(text))}"#
                }
            }
            #expect(lines == golden.then, "\(id): \(golden.document) \(String(describing: hub.state(id)))")
        }
        await hub.hub.shutDown()
    }

    /// A checkpoint of a version that is newer than this one is refused with a reason, and the others continue.
    @Test func aCheckpointOfANewerVersionIsNamed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-golden-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "hub.sqlite").path
        try await write(Array(try goldens().prefix(2)), to: path)
        try await DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: """
                    UPDATE checkpoint SET text = replace(text, 'sluice.checkpoint/1', 'sluice.checkpoint/99')
                    WHERE stream = 1
                    """
            )
        }
        let hub = try await Hub(on: SQLiteStreamStore(path: path), clock: TestClock())
        let error = try await hub.ask(.get, "/streams/golden-0/run").json["error"]?.string
        #expect(error?.hasPrefix("it can't be resumed: ") == true, "\(error ?? "-")")
        #expect(hub.state("golden-0") == .failed)
        // The other one continues on a thread of the hub, some time after the start.
        try await hub.pass(70)
        #expect(hub.state("golden-1") == .completed)
        await hub.hub.shutDown()
    }
}
#endif
