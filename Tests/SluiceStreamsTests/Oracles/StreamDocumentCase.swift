import SluiceJSON

@testable import SluiceStreams

/// A case of `stream_documents*.jsonl`: a document, the documents to which it refers, and the events that RxJS gives.
struct StreamDocumentCase: OracleCase {
    let id: Int
    let names: Set<String>
    let end: StreamTime
    /// The events that RxJS gives with an explicit scheduler. `alternative`, the order of its `run` mode, isn't accepted.
    let answer: [StreamEvent<JSON>]
    private let main: JSON
    private let others: [JSON]

    init(_ json: JSON) throws {
        id = json["id"]?.int ?? 0
        main = json["main"] ?? .null
        others = json["library"]?.array ?? []
        end = StreamTime(seconds: json["unsub"]?.double ?? 0) ?? .zero
        answer = Self.withoutErrors(OracleText.events(json["expected"]))
        names = Set(([main] + others).flatMap(Self.names))
    }

    func problem() -> String? {
        do {
            let events = try run()
            if areAlike(answer, events) { return nil }
            return "expected \(OracleText.line(answer)), got \(OracleText.line(events))"
        } catch {
            return "\(error)"
        }
    }

    private func run() throws -> [StreamEvent<JSON>] {
        let (document, library) = try documents()
        let events = try document.virtualEvents(until: end, in: library).filter { $0.time < end }
        return Self.withoutErrors(events)
    }

    /// The document, and those to which it refers.
    func documents() throws -> (StreamDocument, StreamLibrary) {
        var library = StreamLibrary()
        for json in others { library.add(try StreamDocument(parsing: json.text())) }
        return (try StreamDocument(parsing: main.text()), library)
    }

    /// Returns the events with the same text in place of each error: an object with the single key `error` represents
    /// any error.
    private static func withoutErrors(_ events: [StreamEvent<JSON>]) -> [StreamEvent<JSON>] {
        events.map { event in
            guard case .value(let value) = event.kind else { return event }
            return StreamEvent(time: event.time, kind: .value(withoutErrors(value)))
        }
    }

    private static func withoutErrors(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): .array(elements.map(withoutErrors))
        case .object(let object) where object.count == 1 && object["error"] != nil: ["error": "error"]
        case .object(let object): .object(JSON.Object(object.map { ($0.key, withoutErrors($0.value)) }))
        default: json
        }
    }

    /// The names of the sources and operators of a stream and of the streams within it, under their canonical names.
    private static func names(_ json: JSON) -> [String] {
        guard let object = json.object else { return [] }
        if let source = object["source"] {
            return names(source) + names(operators: object["operators"])
        }
        return object.flatMap { key, value -> [String] in
            let sources = (value.array ?? value["sources"]?.array ?? []).flatMap { element -> [String] in
                key == "stream" ? names(operators: element["operators"]) : names(element)
            }
            return [(SourceKind.named[key]?.name ?? key) + "()"] + sources
        }
    }

    private static func names(operators json: JSON?) -> [String] {
        (json?.array ?? []).flatMap { element -> [String] in
            (element.object ?? [:]).flatMap { key, value -> [String] in
                let sources = ["source", "to", "else"].compactMap { value[$0] } + (value["sources"]?.array ?? [])
                let inner = sources.flatMap(names) + names(operators: value["operators"])
                return [OperatorKind.named[key]?.name ?? key] + inner
            }
        }
    }
}
