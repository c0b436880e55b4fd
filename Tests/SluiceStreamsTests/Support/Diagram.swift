import Foundation
import SluiceJSON
import SluiceStreams
import Testing

/// A diagram as the documents of operators and sources have it, in a block of marbles.
///
/// Lines: the input, if there is one; other streams, `name: marbles`; one operator, an array of them, or a source, as
/// JSON; what comes out. One character is a second; a `^` makes a stream hot.
struct Diagram {
    var input: String?
    var others: [(name: String, marbles: String)] = []
    var json: JSON = .null
    var output = ""

    init(_ block: [String]) throws {
        var text = ""
        for line in block.map({ $0.trimmingCharacters(in: .whitespaces) }) where !line.isEmpty {
            if json == .null, "{[".contains(line.first ?? " ") || !text.isEmpty {
                text += line
                if let parsed = try? JSON(parsing: text) { json = parsed }
            } else if json != .null {
                output = line
            } else if let name = line.prefixMatch(of: /([A-Za-z]\w*): +/) {
                others.append((String(name.1), String(line[name.range.upperBound...])))
            } else {
                input = line
            }
        }
    }

    /// The stream of the diagram.
    func flow() throws -> Flow<JSON> {
        let (document, library) = try documents()
        return try document.flow(in: library)
    }

    /// The document of the diagram, and those to which it refers.
    func documents() throws -> (StreamDocument, StreamLibrary) {
        var library = StreamLibrary()
        for (name, marbles) in others { library.add(try Self.document(name, marbles)) }
        if let input { library.add(try Self.document("input", input)) }
        var document: JSON.Object = [:]
        if input != nil {
            document["source"] = ["ref": "input"]
            document["operators"] = if case .array = json { json } else { [json] }
        } else {
            document["source"] = json
        }
        return (try StreamDocument(parsing: JSON.object(document).text()), library)
    }

    /// Returns the events of the diagram's stream, also as marbles.
    func result() throws -> (expected: Marbles, actual: [StreamEvent<JSON>]) {
        let second = try #require(StreamTime(seconds: 1))
        let expected = try Marbles(parsing: output, frame: second)
        let isOpen = expected.events.last?.isLast != true
        let end = isOpen ? expected.length : StreamTime(seconds: 1000)
        return (expected, Array(try flow().virtualEvents(until: end)))
    }

    static func document(_ name: String, _ marbles: String) throws -> StreamDocument {
        let source: JSON = ["marbles": ["text": .string(marbles), "frame": 1]]
        return try StreamDocument(parsing: JSON.object(["name": .string(name), "source": source]).text())
    }
}
