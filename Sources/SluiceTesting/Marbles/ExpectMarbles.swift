#if canImport(Testing)
public import SluiceJSON
public import SluiceStreams
public import Testing

/// Checks what a stream did against a diagram, in a test of Swift Testing.
///
/// ```swift
/// import Testing
///
/// let events = StreamModel(stream: [StreamItem<JSON>(value: "a", operators: [.delay(seconds: 2)])]).virtualEvents()
/// expect(events, "--(a|)", frame: 1)
/// ```
///
/// Where they differ the test fails at the line of the call, with both diagrams one below the other and a caret under the
/// first difference (``MarbleComparison``). A diagram that cannot be read fails the test too. A `#` is met by any
/// failure, unless `error` says which.
///
/// - Parameters:
///   - events: What happened.
///   - marbles: What should have, as ``Marbles`` reads it.
///   - frame: How many seconds a character lasts, from a nanosecond.
///   - values: What stands for a character, or for the text of a `'…'`, instead of itself.
///   - error: What `#` stands for.
/// - Returns: Whether they are alike.
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

/// Checks what a stream document gives for inputs in marbles, in virtual time, in a test of Swift Testing.
///
/// ```swift
/// import Testing
/// let even = try StreamDocument(parsing: #"""
///     {"source": {"ref": "numbers"}, "operators": [{"filter": {"expression": "x % 2 == 0"}}]}
///     """#)
/// expect(even, inputs: ["numbers": "-1-2-4|"], "---2-4|")
/// ```
///
/// Where they differ the test fails at the line of the call, with both diagrams one below the other and a caret under the
/// first difference (``MarbleComparison``). A document that cannot run, or a diagram that cannot be read, fails it too.
///
/// - Parameters:
///   - stream: What is tested.
///   - inputs: The streams that stand in for those that it refers to, or reads of the outside world; one with a `^` is
///     hot.
///   - marbles: What it should give, as ``Marbles`` reads it.
///   - frame: How many seconds a character lasts, from a nanosecond.
///   - values: What stands for a character, or for the text of a `'…'`, instead of itself.
///   - library: Where references lead that no input stands for.
/// - Returns: Whether they are alike.
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
    let test = StreamTest(name: "expect", frame: seconds, inputs: inputs, values: values, expect: marbles)
    do {
        let outcome = try stream.outcome(of: test, in: library)
        if outcome.isPassed { return true }
        Issue.record("the stream did something else:\n\(outcome.comparison)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
    return false
}
#endif
