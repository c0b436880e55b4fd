package import SluiceJSON
import SluiceStreams

/// The state of a stream that runs on a member of a group, as the member reports it when it renews the stream's lease.
package struct LeasedReport: Sendable, Codable {
    /// A sink.
    package struct Sink: Sendable, Codable {
        /// The figures.
        package let figures: SinkFigures
        /// The state as the API shows it, without the number of dead letters.
        package let json: JSON
    }

    /// The sinks in the order of the document.
    package var sinks: [Sink] = []
    /// The sources that wait for a server that can't be reached, and why.
    package var waiting: String?
    /// A problem of the surroundings, while the run continues.
    package var warning: String?
    /// The time by which the run is late, in nanoseconds, where it is behind.
    package var lag: Int64?
    /// The number of overdue ticks that were left out.
    package var skipped = 0
    /// The figures of the stream since the member took it up.
    package var counts = RunFigures.Counts()

    /// Creates a report of nothing.
    package init() {}

    /// Creates the report of a run.
    ///
    /// - Parameters:
    ///   - status: The status of the run; `nil` before it has one.
    ///   - counts: The figures of the run.
    ///   - sinks: The sinks in the order of the document.
    package init(of stream: String, _ status: RunStatus?, _ counts: RunFigures.Counts?, sinks: [SinkStatus]) {
        (waiting, warning, lag) = (status?.waiting, status?.warning, status?.lag?.nanoseconds)
        (skipped, self.counts) = (status?.skipped ?? 0, counts ?? RunFigures.Counts())
        self.sinks = sinks.map { Sink(figures: SinkFigures(stream, $0), json: Self.short($0.json)) }
    }

    /// Returns the state of a sink without the request that has failed, where that is long.
    private static func short(_ json: JSON) -> JSON {
        guard case .object(var object) = json, json.description.utf8.count > longestSink else { return json }
        object["request"] = nil
        return .object(object)
    }

    /// The longest text of a sink's state, in bytes.
    private static let longestSink = 16 << 10
    /// The longest report, in bytes. A longer one is not sent, since a renewal must not fail for it.
    package static let longest = 256 << 10

    /// Adds to a status what the hub doesn't learn from the commits of the run.
    package func complete(_ status: inout RunStatus) {
        (status.waiting, status.warning, status.skipped) = (waiting, warning, skipped)
        status.lag = lag.map { StreamTime(nanoseconds: max(0, $0)) }
    }

    /// Returns the sinks as the API shows them.
    ///
    /// - Parameter letters: The numbers of dead letters that the hub has, by sink.
    package func json(deadLetters letters: [String: Int]) -> JSON {
        .array(
            sinks.map { sink in
                guard case .object(var object) = sink.json else { return sink.json }
                object["deadLetters"] = .int(Int64(letters[sink.figures.sink] ?? 0))
                return .object(object)
            }
        )
    }
}
