#if canImport(Testing)
public import SluiceJSON
public import SluiceStreams
public import Testing

/// Compares the events of a stream with a diagram, in a test of Swift Testing.
///
/// ```swift
/// import Testing
///
/// let events = StreamModel(stream: [StreamItem<JSON>(value: "a", operators: [.delay(seconds: 2)])]).virtualEvents()
/// expect(events, "--(a|)", frame: 1)
/// ```
///
/// If they differ, the test fails at the line of the call, with both diagrams one below the other and a caret under the
/// first difference (``SluiceStreams/MarbleComparison``). An invalid diagram fails the test too. A `#` matches any failure, unless
/// `error` is given.
///
/// - Parameters:
///   - events: The actual events.
///   - marbles: The expected events, as a diagram for ``SluiceStreams/Marbles``.
///   - values: The values of characters, or of texts of `'…'`, in place of their usual ones.
///   - error: The error that `#` represents.
///   - sourceLocation: The place in the source at which a failure is reported.
///   - seconds: The number of seconds that a character lasts, from a nanosecond.
/// - Returns: `true` if they are equal.
@discardableResult
public func expect(
    _ events: some Sequence<StreamEvent<JSON>>,
    _ marbles: String,
    frame seconds: Double = 0.001,
    values: JSON.Object = [:],
    error: StreamError = Marbles.defaultError,
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    do throws(MarbleError) {
        let frame = StreamTime(seconds: seconds) ?? .zero
        let expected = try Marbles(parsing: marbles, frame: frame, values: values, error: error)
        let comparison = MarbleComparison(expected: expected.events, actual: Array(events), frame: frame)
        if comparison.isEqual { return true }
        Issue.record("the stream did something else:\n\(comparison)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("the diagram \(marbles): \(error)", sourceLocation: sourceLocation)
    }
    return false
}

/// Compares the events of a stream document for inputs in marbles with a diagram, in virtual time, in a test of Swift
/// Testing.
///
/// ```swift
/// import Testing
/// let even = try StreamDocument(parsing: #"""
///     {"source": {"ref": "numbers"}, "operators": [{"filter": {"expression": "x % 2 == 0"}}]}
///     """#)
/// expect(even, inputs: ["numbers": "-1-2-4|"], "---2-4|")
/// ```
///
/// If they differ, the test fails at the line of the call, with both diagrams one below the other and a caret under the
/// first difference (``SluiceStreams/MarbleComparison``). A document that cannot run, or an invalid diagram, fails the test too.
///
/// - Parameters:
///   - stream: The document to test.
///   - inputs: The streams that replace those that it refers to, or reads of the outside world; one with a `^` is hot.
///   - marbles: The expected events, as a diagram for ``SluiceStreams/Marbles``.
///   - values: The values of characters, or of texts of `'…'`, in place of their usual ones.
///   - library: The documents that references lead to, unless an input replaces them.
///   - sourceLocation: The place in the source at which a failure is reported.
///   - seconds: The number of seconds that a character lasts, from a nanosecond.
/// - Returns: `true` if they are equal.
@discardableResult
public func expect(
    _ stream: StreamDocument,
    inputs: [String: String] = [:],
    _ marbles: String,
    frame seconds: Double = 0.001,
    values: [String: JSON] = [:],
    in library: StreamLibrary = StreamLibrary(),
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    let test = StreamTest(
        name: "expect",
        frame: seconds,
        inputs: inputs.mapValues { .init($0) },
        values: values,
        expect: marbles
    )
    do {
        let outcome = try stream.outcome(of: test, in: library)
        if outcome.isPassed { return true }
        Issue.record("the stream did something else:\n\(outcome.report)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
    return false
}
#endif
