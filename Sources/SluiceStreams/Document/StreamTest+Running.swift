public import SluiceJSON

extension StreamDocument {
    /// Runs one of its tests in virtual time.
    ///
    /// ```swift
    /// let document = try StreamDocument(parsing: #"""
    ///     {"source": {"ref": "numbers"}, "operators": [{"filter": {"expression": "x % 2 == 0"}}],
    ///      "tests": [{"name": "evens", "inputs": {"numbers": "-1-2-|"}, "expect": "---2-|"}]}
    ///     """#)
    /// try document.outcome(of: document.tests[0]).isPassed   // true
    /// ```
    ///
    /// - Parameter library: where references lead that no input of the test stands for.
    /// - Throws: `JSONErrors` when the document cannot run; ``MarbleError`` when a diagram of the test cannot be read.
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
        // A stream that is not said to end is looked at for as long as the diagrams reach.
        let isEnded = expected.events.last?.isLast ?? false
        let limit = isEnded ? nil : max(length, expected.length)
        var events: [StreamEvent<JSON>] = []
        for event in try virtualEvents(until: limit, in: library) {
            if case .reported = event.kind { continue }
            if let limit, event.time >= limit { break }
            events.append(event)
            // More than was asked for is enough to know.
            if events.count > expected.events.count + 100 { break }
        }
        return StreamTest.Outcome(test: test, expected: expected.events, actual: events, frame: frame)
    }
}

extension StreamTest {
    /// What came of a test.
    public struct Outcome: Sendable {
        /// The test.
        public let test: StreamTest
        /// What it says that the stream gives.
        public let expected: [StreamEvent<JSON>]
        /// What the stream gave.
        public let actual: [StreamEvent<JSON>]
        /// How long one character of its diagrams lasts.
        public let frame: StreamTime

        /// Both, side by side.
        public var comparison: MarbleComparison {
            MarbleComparison(expected: expected, actual: actual, frame: frame)
        }

        /// Whether both are alike, as ``MarbleComparison`` has it.
        public var isPassed: Bool { comparison.isEqual }
    }
}
