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
#endif
