import Foundation
import SluiceJSON
import SluiceStreams
import Testing

/// Expects a diagram to hold: its lines as in the documents of operators.
func expectDiagram(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let diagram = try Diagram(text.split(separator: "\n").map(String.init))
    let (expected, actual) = try diagram.result()
    if !areAlike(expected.events, actual) {
        let text = (try? Marbles(actual, frame: StreamTime(seconds: 1)).text) ?? "\(actual.map { ($0.time, $0.kind) })"
        Issue.record("\(diagram.json)\nexpected \(diagram.output)\nactual   \(text)", sourceLocation: sourceLocation)
    }
}

/// Expects a stream to give what a diagram says, a second a character.
///
/// - Parameter leaving: when the subscriber leaves, in seconds: nothing of that instant is delivered.
func expect(
    _ source: String,
    _ operators: String = "[]",
    gives output: String,
    leaving: Double? = nil,
    others: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    var library = StreamLibrary()
    for (name, marbles) in others { library.add(try Diagram.document(name, marbles)) }
    library.add(try Diagram.document("input", source))
    let document = try StreamDocument(
        parsing: #"{"source": {"ref": "input"}, "operators": \#(operators)}"#
    )
    let expected = try Marbles(parsing: output, frame: #require(StreamTime(seconds: 1)))
    var events = Array(try document.virtualEvents(until: StreamTime(seconds: leaving ?? 1000), in: library))
    if let leaving { events.removeAll { $0.time.seconds >= leaving } }
    if !areAlike(expected.events, events) {
        let text = (try? Marbles(events, frame: StreamTime(seconds: 1)).text) ?? "\(events)"
        Issue.record("\(operators)\nexpected \(output)\nactual   \(text)", sourceLocation: sourceLocation)
    }
}

/// Returns whether both are equal, as ``MarbleComparison`` defines it, regardless of the errors of the streams.
func areAlike(_ a: [StreamEvent<JSON>], _ b: [StreamEvent<JSON>]) -> Bool {
    let a = a.map { event -> StreamEvent<JSON> in
        guard case .failed = event.kind else { return event }
        return StreamEvent(time: event.time, kind: .failed(Marbles.defaultError))
    }
    return MarbleComparison(expected: a, actual: b).isEqual
}
