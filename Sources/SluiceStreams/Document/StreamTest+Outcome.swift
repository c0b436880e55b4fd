import Foundation
import SluiceJSON

extension StreamTest {
    /// Returns the wall time of a text, in nanoseconds since 1970; `nil` unless it is a time from 1970 to 2200.
    static func wallTime(_ text: String) -> Int64? {
        guard text.utf8.count <= 40, let date = try? Date(text, strategy: .iso8601) else { return nil }
        let seconds = date.timeIntervalSince1970
        return (0...7_258_118_400).contains(seconds) ? Int64(seconds) * 1_000_000_000 : nil
    }

    /// The result of a test.
    public struct Outcome: Sendable {
        /// The test.
        public let test: StreamTest
        /// The duration of one character of its diagrams.
        public let frame: StreamTime
        /// A comparison of the expected and the actual events of the stream; `nil` if the test expects none.
        public let stream: MarbleComparison?
        /// The comparisons of the expected and the actual deliveries, in the order of the sinks' ids.
        public let deliveries: [Delivery]
        /// A Boolean value that indicates whether the run had more work to do than a test may.
        public let isEndedEarly: Bool
        /// The remarks that help to find the cause of a failure.
        let notes: [String]

        /// A Boolean value that indicates whether the stream and its sinks do what the test expects, as
        /// ``MarbleComparison`` defines it.
        public var isPassed: Bool {
            !isEndedEarly && stream?.isEqual ?? true && deliveries.allSatisfy(\.comparison.isEqual)
        }

        /// The differences: the diagrams of the stream and of each sink that differ, one below the other, and the events
        /// in words.
        public var report: String {
            var parts: [String] = []
            if let stream, !stream.isEqual { parts.append("\(stream)") }
            for delivery in deliveries where !delivery.comparison.isEqual {
                parts.append("the sink \(JSON.string(delivery.sink)):\n\(delivery.comparison)")
            }
            if !isPassed { parts += notes }
            return parts.joined(separator: "\n")
        }

        /// The differences in one line each, with the members of the test that they are about.
        var differences: [(key: [String], text: String)] {
            var all: [(key: [String], text: String)] = []
            if let stream, !stream.isEqual { all.append((["expect"], stream.firstDifferenceInWords)) }
            for delivery in deliveries where !delivery.comparison.isEqual {
                let text = "the sink \(JSON.string(delivery.sink)): \(delivery.comparison.firstDifferenceInWords)"
                all.append((["delivers", delivery.sink], text))
            }
            if isEndedEarly, let note = notes.first { return [([], note)] }
            if let note = notes.first, let first = all.first { all[0].text = "\(first.text); \(note)" }
            return all
        }
    }

    /// The deliveries of a sink in a test.
    public struct Delivery: Sendable {
        /// The id of the sink.
        public let sink: String
        /// A comparison of the expected and the actual deliveries.
        public let comparison: MarbleComparison
    }
}

/// The diagrams of the events that a test expects.
struct ExpectedEvents {
    /// The events of one diagram.
    struct Diagram {
        let events: [StreamEvent<JSON>]
        /// The id of the sink; empty for the stream.
        let sink: String
        let length: StreamTime

        /// A Boolean value that indicates whether the diagram has an end.
        var isEnded: Bool { events.last?.isLast ?? false }

        /// Returns the comparison with actual events: those before a time if the diagram has no end.
        func comparison(_ actual: [StreamEvent<JSON>], before end: StreamTime, frame: StreamTime) -> MarbleComparison {
            let actual = isEnded ? actual : actual.filter { $0.time < end }
            return MarbleComparison(expected: events, actual: actual, frame: frame)
        }

        /// Returns the comparison with the deliveries of a sink.
        func outcome(
            _ actual: [StreamEvent<JSON>],
            before end: StreamTime,
            frame: StreamTime
        ) -> StreamTest.Delivery {
            StreamTest.Delivery(sink: sink, comparison: comparison(actual, before: end, frame: frame))
        }
    }

    /// The duration of one character.
    let frame: StreamTime
    /// The values of characters.
    let values: JSON.Object
    /// The diagram of the stream; `nil` for none.
    private(set) var stream: Diagram?
    /// The diagrams of the sinks, in the order of their ids.
    private(set) var deliveries: [Diagram] = []

    /// Reads the diagrams of a test.
    ///
    /// - Parameter sinks: The ids of the document's sinks.
    /// - Throws: ``MarbleError`` for an invalid diagram, and for a sink that doesn't exist.
    init(_ test: StreamTest, sinks: [String]) throws(MarbleError) {
        guard let frame = StreamTime(seconds: test.frame) else {
            throw MarbleError(message: "a frame lasts from 1e-9 to \(Int(StreamTime.maximumSeconds)) seconds")
        }
        self.frame = frame
        var values = JSON.Object()
        for (key, value) in test.values { values[key] = value }
        self.values = values
        if let text = test.expect {
            let marbles = try Marbles(parsing: text, frame: frame, values: values)
            stream = Diagram(events: marbles.events, sink: "", length: marbles.length)
        }
        let known = Set(sinks)
        for (id, text) in test.delivers.sorted(by: { $0.key < $1.key }) {
            guard known.contains(id) else {
                let near = nearestName(to: id, among: sinks).map { "did you mean \(JSON.string($0))?" }
                throw MarbleError(message: "there is no sink with the id \(JSON.string(id))", hint: near)
            }
            do throws(MarbleError) {
                let marbles = try Marbles(parsing: text, frame: frame, values: values)
                deliveries.append(Diagram(events: marbles.events, sink: id, length: marbles.length))
            } catch {
                let place = "the deliveries of \(JSON.string(id)): "
                throw MarbleError(column: error.column, message: place + error.message, hint: error.hint)
            }
        }
    }

    private var diagrams: [Diagram] { (stream.map { [$0] } ?? []) + deliveries }

    /// The length of the longest diagram.
    var length: StreamTime { diagrams.map(\.length).max() ?? .zero }

    /// A Boolean value that indicates whether the run continues to the end of the stream.
    var isEnded: Bool { diagrams.contains(where: \.isEnded) }
}
