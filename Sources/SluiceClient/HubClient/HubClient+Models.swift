import Foundation
public import SluiceJSON
public import SluiceStreams

extension HubClient {
    /// What a list says of a stream.
    public struct Head: Sendable, Decodable, Hashable {
        /// Who it is, through all edits.
        public let id: String
        /// What people call it.
        public let name: String?
        /// What it is for.
        public let description: String?
        /// Whether it came with the program.
        public let isDefault: Bool?
        /// The revision that is stored.
        public let revision: Int
        /// The revision that its run has; `nil` where there is none.
        public let runs: Int?
        /// What its run does.
        public let state: State?
        /// Why its run failed.
        public let error: String?
        /// What is wrong with it, and keeps it from running.
        public let errors: [Issue]?
    }

    /// The text of a stream at a revision.
    public struct Document: Sendable, Hashable {
        /// Who it is.
        public let id: String
        /// How often it has been written, from 1.
        public let revision: Int
        /// The document as its author wrote it.
        public let text: String
    }

    /// A line of the history of a stream.
    public struct Revision: Sendable, Decodable, Hashable {
        /// Its number, from 1.
        public let revision: Int
        /// When it was written, as ISO 8601 has it.
        public let time: String
        /// Who wrote it, where that was said.
        public let author: String?
        /// What people called the stream.
        public let name: String?
        /// Whether it removed the stream.
        public let isDeleted: Bool?
    }

    /// Something that is wrong with a document, at its place.
    public struct Issue: Sendable, Decodable, Hashable, CustomStringConvertible {
        /// The place in the document, empty for its root.
        public let path: String?
        /// The line, from 1.
        public let line: Int
        /// The column in Unicode scalars, from 1.
        public let column: Int
        /// What is wrong.
        public let message: String
        /// What to do about it.
        public let hint: String?

        /// As compilers print it: `FILE:LINE:COLUMN: error: PATH: text`, and the hint on a line of its own.
        public func diagnostic(file: String) -> String {
            let place = path.flatMap { $0.isEmpty ? nil : "\($0): " } ?? ""
            return "\(file):\(line):\(column): error: \(place)\(message)" + (hint.map { "\n  hint: \($0)" } ?? "")
        }

        /// `LINE:COLUMN: PATH: text (hint)`.
        public var description: String {
            let place = path.flatMap { $0.isEmpty ? nil : "\($0): " } ?? ""
            return "\(line):\(column): \(place)\(message)" + (hint.map { " (\($0))" } ?? "")
        }
    }

    /// What an edit would do.
    public struct Plan: Sendable, Decodable {
        /// The revision that it would edit.
        public let revision: Int?
        /// What becomes of each stage.
        public let steps: [StreamPlan.Step]
        /// What is wrong with the text, which could not be put in place then.
        public let errors: [Issue]?

        /// Whether nothing loses its state, and nothing begins.
        public var keepsAll: Bool { steps.allSatisfy { $0.action == .kept } }
    }

    /// What a run does; hubs of later versions may know more states.
    public struct State: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
        /// The word of the hub.
        public let rawValue: String
        /// A state by its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It has not begun.
        public static let idle = State(rawValue: "idle")
        /// It goes on.
        public static let running = State(rawValue: "running")
        /// Its time stands still.
        public static let paused = State(rawValue: "paused")
        /// It has failed, and waits for its next try.
        public static let restarting = State(rawValue: "restarting")
        /// It has ended well.
        public static let completed = State(rawValue: "completed")
        /// It has ended with an error.
        public static let failed = State(rawValue: "failed")
        /// Its document has errors.
        public static let blocked = State(rawValue: "blocked")

        /// The word of the hub.
        public var description: String { rawValue }
    }

    /// The run of a stream.
    public struct Run: Sendable, Decodable, Hashable {
        /// The stream.
        public let stream: String
        /// How many runs there have been, this one included.
        public let run: Int
        /// The revision that runs.
        public let revision: Int?
        /// What it does.
        public let state: State
        /// Its time in seconds.
        public let time: Double
        /// How fast it goes; 1 is as the clock does.
        public let speed: Double
        /// Its stages; the last is the output.
        public let stages: [Stage]?
        /// Why it failed.
        public let error: String?
        /// Why its output cannot be stored.
        public let warning: String?
    }

    /// A stage of a run.
    public struct Stage: Sendable, Decodable, Hashable {
        /// The name of its operator or source.
        public let name: String
        /// The id of the operator, where it has one.
        public let id: String?
        /// Where it stands in the document.
        public let path: String?
        /// Its expression, where it has one.
        public let expression: String?
        /// The stages that it reads, by their index.
        public let inputs: [Int]?
    }

    /// A value that a run gave, its end, or an item that it left out, from the hub's store.
    public struct Output: Sendable, Decodable, Hashable {
        /// The place of the output, after which reading continues.
        public let cursor: Cursor
        /// The number of the run.
        public let run: Int
        /// The place of the output in its run.
        public let sequence: Int
        /// The time of the run in seconds.
        public let time: Double
        /// The value; `null` for an output without a value.
        public let value: JSON
        /// A Boolean value that indicates whether the run completed here.
        public let isCompleted: Bool
        /// The error with which the run failed here.
        public let error: String?
        /// The error with which an item was left out.
        public let reported: String?

        /// Reads an output.
        public init(from decoder: any Decoder) throws {
            let output = try decoder.container(keyedBy: Key.self)
            cursor = Cursor(try output.decode(String.self, forKey: .cursor))
            run = try output.decode(Int.self, forKey: .run)
            sequence = try output.decode(Int.self, forKey: .sequence)
            time = try output.decode(Double.self, forKey: .time)
            value = try output.decodeIfPresent(JSON.self, forKey: .value) ?? .null
            isCompleted = try output.decodeIfPresent(Bool.self, forKey: .completed) ?? false
            error = try output.decodeIfPresent(String.self, forKey: .error)
            reported = try output.decodeIfPresent(String.self, forKey: .reported)
        }

        private enum Key: String, CodingKey {
            case cursor, run, sequence, time, value, completed, error, reported
        }
    }

    /// A place in the outputs of a stream, across its runs. Its text is opaque: it names a run and an output of it.
    public struct Cursor: Sendable, Hashable, CustomStringConvertible {
        /// The text, which a reader stores to continue later.
        public let description: String

        /// Creates a cursor of a text that a hub gave.
        public init(_ text: String) { description = text }

        /// The place before all outputs that the hub keeps.
        public static let start = Cursor("start")
    }
}
