#if HTTP
import Foundation
public import SluiceJSON
public import SluiceStreams

extension HubClient {
    /// A stream's entry in a list.
    public struct Head: Sendable, Decodable, Hashable {
        /// The id of the stream, which edits keep.
        public let id: String
        /// The name for display.
        public let name: String?
        /// The description of the stream.
        public let description: String?
        /// A Boolean value that indicates whether it is a sample that came with the program.
        public let isDefault: Bool?
        /// The stored revision.
        public let revision: Int
        /// The revision that its run has; `nil` if it has no run.
        public let runs: Int?
        /// The state of its run.
        public let state: State?
        /// The error with which its run failed.
        public let error: String?
        /// The errors of its document, which can't run with them.
        public let errors: [Issue]?
    }

    /// The text of a stream at a revision.
    public struct Document: Sendable, Hashable {
        /// The id of the stream.
        public let id: String
        /// The number of the revision, from 1.
        public let revision: Int
        /// The document as its author wrote it.
        public let text: String
    }

    /// An entry in the history of a stream.
    public struct Revision: Sendable, Decodable, Hashable {
        /// Its number, from 1.
        public let revision: Int
        /// The time at which it was written, in ISO 8601.
        public let time: String
        /// The author, if known.
        public let author: String?
        /// The name of the stream at that revision.
        public let name: String?
        /// A Boolean value that indicates whether this revision removed the stream.
        public let isDeleted: Bool?
    }

    /// An error in a document, with its location.
    public struct Issue: Sendable, Decodable, Hashable, CustomStringConvertible {
        /// The path in the document; empty for the root.
        public let path: String?
        /// The line, from 1.
        public let line: Int
        /// The column in Unicode scalars, from 1.
        public let column: Int
        /// A text that says what is wrong.
        public let message: String
        /// A suggestion for a fix.
        public let hint: String?
        /// The name of the test that fails; `nil` for another error.
        public let test: String?
        /// The diagrams of the test that fails, one below the other.
        public let report: String?

        /// Returns the error in the form of compilers: `FILE:LINE:COLUMN: error: PATH: text`, with the hint on the next
        /// line.
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

    /// The effect of an edit on a run.
    public struct Plan: Sendable, Decodable {
        /// The revision that the edit replaces.
        public let revision: Int?
        /// The effects on the stages.
        public let steps: [StreamPlan.Step]
        /// The effects of a change of `partition`, where workers run the stream; `nil` without one.
        public let division: StreamPlan.Division?
        /// The errors of the text, which can't be applied with them.
        public let errors: [Issue]?
        /// The tests that fail, if the text has a gate: it can't be applied with them.
        public let tests: [Issue]?

        /// A Boolean value that indicates whether all stages keep their state and no stage is added.
        public var keepsAll: Bool { steps.allSatisfy { $0.action == .kept } }
    }

    /// The state of a run. A newer hub may have more states.
    public struct State: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
        /// The hub's name of the state.
        public let rawValue: String
        /// Makes a state with the hub's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The run has not begun.
        public static let idle = State(rawValue: "idle")
        /// The run is running.
        public static let running = State(rawValue: "running")
        /// The run is paused.
        public static let paused = State(rawValue: "paused")
        /// The run has failed, and waits for a restart.
        public static let restarting = State(rawValue: "restarting")
        /// The run has completed.
        public static let completed = State(rawValue: "completed")
        /// The run has failed.
        public static let failed = State(rawValue: "failed")
        /// The document has errors.
        public static let blocked = State(rawValue: "blocked")

        /// The stream has sinks, and does not run on this member of a group: another one holds its lease.
        public static let waiting = State(rawValue: "waiting")

        /// The hub's name of the state.
        public var description: String { rawValue }
    }

    /// The run of a stream.
    public struct Run: Sendable, Decodable, Hashable {
        /// The id of the stream.
        public let stream: String
        /// The number of the run, from 1.
        public let run: Int
        /// The revision that runs.
        public let revision: Int?
        /// The state of the run.
        public let state: State
        /// The time of the run in seconds.
        public let time: Double
        /// The speed; 1 is real time.
        public let speed: Double
        /// The stages; the last is the output.
        public let stages: [Stage]?
        /// The error with which the run failed.
        public let error: String?
        /// The reason why its output can't be stored.
        public let warning: String?
    }

    /// A stage of a run.
    public struct Stage: Sendable, Decodable, Hashable {
        /// The name of its operator or source.
        public let name: String
        /// The id of the operator, if it has one.
        public let id: String?
        /// The path of the stage in the document.
        public let path: String?
        /// The expression, if it has one.
        public let expression: String?
        /// The indices of the stages that it reads.
        public let inputs: [Int]?
    }

    /// An output of a run in the hub's store: a value, an error of an item, or the end.
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
        /// The error with which an item was dropped.
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
#endif
