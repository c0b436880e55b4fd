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

/// Whether both are the same, whatever the streams failed with, and whether or not a whole number is a double.
func areAlike(_ a: [StreamEvent<JSON>], _ b: [StreamEvent<JSON>]) -> Bool {
    a.count == b.count
        && zip(a, b).allSatisfy { a, b in
            guard a.time == b.time else { return false }
            switch (a.kind, b.kind) {
            case (.value(let a), .value(let b)): return areAlike(a, b)
            case (.completed, .completed), (.failed, .failed), (.reported, .reported): return true
            default: return false
            }
        }
}

private func areAlike(_ a: JSON, _ b: JSON) -> Bool {
    switch (a, b) {
    case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { areAlike($0, $1) }
    case (.int, .double), (.double, .int): a.double == b.double
    default: a == b
    }
}
