import Foundation
import SluiceJSON
import SluiceStreams
import Testing

/// A case with an answer that no part of this project computed.
protocol OracleCase {
    /// Reads a case from a line of its file.
    init(_ json: JSON) throws

    /// The number of the case in its file.
    var id: Int { get }

    /// The names of the operators and sources in the case.
    var names: Set<String> { get }

    /// The time at which the subscriber leaves: nothing of that instant is delivered.
    var end: StreamTime { get }

    /// The document, and those to which it refers.
    func documents() throws -> (StreamDocument, StreamLibrary)

    /// A description of the difference between the expected and the actual events; `nil` when they agree.
    func problem() -> String?
}

/// The files of cases with answers from outside.
enum OracleFiles {
    /// The folder that `SLUICE_ORACLES` names, or `../shared/oracles` where it is unset.
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_ORACLES"] { return URL(fileURLWithPath: path) }
        return DiagramTests.root.deletingLastPathComponent().appending(path: "shared/oracles")
    }()

    /// The folder of the samples that the repository includes.
    static let samples = DiagramTests.root.appending(path: "Tests/SluiceStreamsTests/Oracles/Samples")

    /// The files of a folder whose names begin with `prefix`, in the order of their names.
    static func named(_ prefix: String, in folder: URL = folder) -> [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? [])
            .filter { $0.lastPathComponent.hasPrefix(prefix) && $0.pathExtension == "jsonl" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// The files of both formats whose cases other tests use: those in the folder, or the samples where it has none.
    static let forOtherTests: [URL] = {
        let given = named("stream_")
        return given.isEmpty ? named("stream_", in: samples) : given + named("stream_documents_new", in: samples)
    }()

    /// Reads a case of either format.
    static func anyCase(_ json: JSON) throws -> any OracleCase {
        if json["main"] != nil { return try StreamDocumentCase(json) }
        return try StreamCase(json)
    }

    /// Runs every case of a file, prints the counts per operator and the failed cases, and expects that none fails.
    static func check<Case: OracleCase>(_ file: URL, as _: Case.Type) throws {
        var counts: [String: (passed: Int, failed: Int)] = [:]
        var passed = 0
        var failures: [String] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let item = try Case(JSON(parsing: String(line)))
            let problem = item.problem()
            for name in item.names {
                if problem == nil { counts[name, default: (0, 0)].passed += 1 }
                if problem != nil { counts[name, default: (0, 0)].failed += 1 }
            }
            if let problem { failures.append("\(item.id): \(problem): \(line)") } else { passed += 1 }
        }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            print("\(name): \(count.passed) passed, \(count.failed) failed")
        }
        for failure in failures { print("\(file.lastPathComponent) failed: \(failure)") }
        print("\(file.lastPathComponent): \(passed) passed, \(failures.count) failed")
        #expect(passed > 0, "\(file.lastPathComponent) has no case that passes")
        #expect(failures.isEmpty, "failed: \(failures.map { $0.prefix { $0 != ":" } }.joined(separator: ", "))")
    }

    /// The names of the operators and sources in all cases of some files.
    static func names<Case: OracleCase>(in files: [URL], as _: Case.Type) throws -> Set<String> {
        var names: Set<String> = []
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                names.formUnion(try Case(JSON(parsing: String(line))).names)
            }
        }
        return names
    }
}

/// Text for the messages of failed cases.
enum OracleText {
    /// Events on one line: `1:5 2|`.
    static func line(_ events: [StreamEvent<JSON>]) -> String {
        let parts = events.map { event -> String in
            switch event.kind {
            case .value(let value): "\(event.time):\(value)"
            case .completed: "\(event.time)|"
            case .failed(let error): "\(event.time)#\(error.message == "error" ? "" : "(\(error))")"
            case .reported: "\(event.time)!"
            }
        }
        return parts.joined(separator: " ")
    }

    /// Events from entries such as `[1, "N", 5]`, `[2, "C"]`, and `[2, "E"]`.
    static func events(_ json: JSON?) -> [StreamEvent<JSON>] {
        (json?.array ?? []).map { entry in
            let fields = entry.array ?? []
            let time = StreamTime(seconds: fields.first?.double ?? 0) ?? .zero
            return switch fields.dropFirst().first?.string {
            case "N": StreamEvent(time: time, kind: .value(fields.dropFirst(2).first ?? .null))
            case "C": StreamEvent(time: time, kind: .completed)
            default: StreamEvent(time: time, kind: .failed(StreamError(message: "error")))
            }
        }
    }
}
