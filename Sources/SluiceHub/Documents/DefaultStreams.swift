#if Hub
import SluiceJSON
import SluiceStore
import SluiceStreams

/// The streams of the seed's program, which an empty store begins with.
///
/// `StreamImport` makes nearly the same of that program's own JSON: here the values are numbers from the beginning.
/// Their ids are their names in small letters, and they refer to each other by id: people rename streams, and copies
/// have the same name.
enum DefaultStreams {
    /// Two sources, 1 2 3 4 a second apart and A B C D two seconds apart, and what can be made of them.
    static func make() throws -> [StreamDraft] {
        let sources = [
            stream("Serial Stream A", (1...4).map { item(.int($0), after: 1) }),
            stream("Serial Stream B", ["A", "B", "C", "D"].map { item(.string($0), after: 2) }),
        ]
        let basic = [
            stream("Filter Stream", "filter { $0 != 3 }", source: a, [["filter": ["expression": "x != 3"]]]),
            stream("Drop Stream", "dropFirst(2)", source: a, [["dropFirst": ["count": 2]]]),
            stream("Map Stream", "map { $0 * 2 }", source: a, [double]),
            stream("Scan Stream", "scan(0) { $0 + $1 }", source: a, [sum]),
            stream("Map then Scan", "map { $0 * 2 }.scan(0) { $0 + $1 }", source: a, [double, sum]),
        ]
        let unifying = [
            stream("Merge Stream", "Publishers.merge(A, B)", source: ["merge": [a, b]]),
            stream("FlatMap Stream", "A.flatMap { _ in B }", source: a, [["mergeMap": ["to": b]]]),
            stream("Append Stream", "A.append(B)", source: ["append": [a, b]]),
        ]
        let joining = [
            stream("Zip Stream", "Publishers.Zip(A, B)", source: ["zip": [a, b]]),
            stream("CombineLatest Stream", "Publishers.CombineLatest(A, B)", source: ["combineLatest": [a, b]]),
        ]
        return try (sources + basic + unifying + joining).map(draft)
    }

    private static let a: JSON = ["ref": "serial-stream-a"]
    private static let b: JSON = ["ref": "serial-stream-b"]
    private static let double: JSON = ["map": ["expression": "x * 2"]]
    private static let sum: JSON = ["scan": ["initialValue": 0, "expression": "acc + x"]]

    private static func item(_ value: JSON, after seconds: Int64) -> JSON {
        ["value": value, "operators": [["delay": ["seconds": .int(seconds)]]]]
    }

    private static func stream(_ name: String, _ items: [JSON]) -> JSON {
        ["name": .string(name), "isDefault": true, "stream": .array(items)]
    }

    private static func stream(_ name: String, _ about: String, source: JSON, _ operators: [JSON] = []) -> JSON {
        var document: JSON = ["name": .string(name), "description": .string(about), "isDefault": true]
        document["source"] = source
        if !operators.isEmpty { document["operators"] = .array(operators) }
        return document
    }

    private static func draft(_ json: JSON) throws -> StreamDraft {
        let id = (json["name"]?.string ?? "").lowercased().replacing(" ", with: "-")
        let document = try StreamDocument(preserving: Array(json.description.utf8)).identified(as: id)
        return StreamDraft(id: id, name: document.name, text: document.text)
    }
}
#endif
