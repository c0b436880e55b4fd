public import SluiceJSON

extension StreamDocument {
    /// Runs a test of the document in virtual time.
    ///
    /// ```swift
    /// let document = try StreamDocument(parsing: #"""
    ///     {"source": {"ref": "numbers"}, "operators": [{"filter": {"expression": "x % 2 == 0"}}],
    ///      "tests": [{"name": "evens", "inputs": {"numbers": "-1-2-|"}, "expect": "---2-|"}]}
    ///     """#)
    /// try document.outcome(of: document.tests[0]).isPassed   // true
    /// ```
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - library: The documents that references lead to, unless an input of the test replaces them.
    /// - Throws: `JSONErrors` if the document cannot run; ``MarbleError`` if a diagram of the test is invalid.
    public func outcome(of test: StreamTest, in library: StreamLibrary = StreamLibrary()) throws -> StreamTest.Outcome {
        guard let frame = StreamTime(seconds: test.frame) else {
            throw MarbleError(message: "a frame lasts from 1e-9 to \(Int(StreamTime.maximumSeconds)) seconds")
        }
        var values = JSON.Object()
        for (key, value) in test.values { values[key] = value }
        var library = library
        var length = StreamTime.zero
        for (number, input) in test.inputs.sorted(by: { $0.key < $1.key }).enumerated() {
            let isHot = input.value.contains("^")
            let marbles = try Marbles(parsing: input.value, isHot ? .hot : .cold, frame: frame, values: values)
            let timeline = try Timeline(marbles)
            library.add(isHot ? .hot(timeline, number: number) : .cold(timeline), as: input.key)
            length = max(length, marbles.length)
        }
        let expected = try Marbles(parsing: test.expect, frame: frame, values: values)
        // A stream without an expected end runs for the length of the diagrams.
        let isEnded = expected.events.last?.isLast ?? false
        let limit = isEnded ? nil : max(length, expected.length)
        var events: [StreamEvent<JSON>] = []
        for event in try virtualEvents(until: limit, in: library) {
            if case .reported = event.kind { continue }
            if let limit, event.time >= limit { break }
            events.append(event)
            // More events than expected are enough to fail.
            if events.count > expected.events.count + 100 { break }
        }
        return StreamTest.Outcome(test: test, expected: expected.events, actual: events, frame: frame)
    }
}

extension StreamTest {
    /// The result of a test.
    public struct Outcome: Sendable {
        /// The test.
        public let test: StreamTest
        /// The events that the test expects.
        public let expected: [StreamEvent<JSON>]
        /// The events of the stream.
        public let actual: [StreamEvent<JSON>]
        /// The duration of one character of its diagrams.
        public let frame: StreamTime

        /// A comparison of the expected and the actual events.
        public var comparison: MarbleComparison {
            MarbleComparison(expected: expected, actual: actual, frame: frame)
        }

        /// A Boolean value that indicates whether both are equal, as ``MarbleComparison`` defines it.
        public var isPassed: Bool { comparison.isEqual }
    }
}
