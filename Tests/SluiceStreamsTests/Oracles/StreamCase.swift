import Foundation
import SluiceJSON
import SluiceStreams

/// A case of `stream_pipelines*.jsonl`, translated into documents; a frame is a second.
struct StreamCase: OracleCase {
    let id: Int
    /// The names of the operators in the vocabulary of the file.
    let names: Set<String>
    private let unsubscribed: Int
    /// The events that RxJS gives with an explicit scheduler.
    let answer: [StreamEvent<JSON>]
    private let sources: [JSON]
    private let combine: String?
    private let pipeline: [JSON]
    private let fanout: [JSON]?
    private let subscribeAt: [Int]

    init(_ json: JSON) throws {
        id = json["id"]?.int ?? 0
        unsubscribed = json["unsub"]?.int ?? 0
        sources = json["sources"]?.array ?? []
        combine = json["combine"]?.string
        pipeline = json["pipeline"]?.array ?? []
        fanout = json["fanout"]?.array
        subscribeAt = (json["subscribeAt"]?.array ?? []).map { $0.int ?? 0 }
        let operators = pipeline + (fanout ?? []).flatMap { $0.array ?? [] }
        names = Set([combine].compactMap(\.self) + operators.compactMap { $0["op"]?.string })
        answer = OracleText.events(Self.alternatives?[String(id)] ?? json["expected"])
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
        let events = try document.virtualEvents(until: end, in: library)
        return events.filter { $0.time < end }
    }

    var end: StreamTime { StreamTime(seconds: Double(unsubscribed)) ?? .zero }

    func documents() throws -> (StreamDocument, StreamLibrary) {
        var library = StreamLibrary()
        for index in sources.indices { library.add(try document("s\(index)", source(index))) }
        let operators = try pipeline.map(translated)
        let document: StreamDocument
        if let fanout {
            library.add(try self.document("shared", main, operators))
            let branches = try fanout.enumerated().map { index, branch -> JSON in
                let operators = JSON.array(try (branch.array ?? []).map(translated))
                let stream: JSON = ["source": ["ref": "shared"], "operators": operators]
                let time = index < subscribeAt.count ? subscribeAt[index] : 0
                if time == 0 { return stream }
                return [
                    "source": ["timer": ["seconds": .int(Int64(time))]], "operators": [["flatMap": ["to": stream]]],
                ]
            }
            document = try self.document("main", ["merge": .array(branches)])
        } else {
            document = try self.document("main", main, operators)
        }
        return (document, library)
    }

    private func document(_ name: String, _ source: JSON, _ operators: [JSON] = []) throws -> StreamDocument {
        let json: JSON = ["name": .string(name), "source": source, "operators": .array(operators)]
        return try StreamDocument(parsing: json.text())
    }

    private func source(_ index: Int) -> JSON {
        let isHot = sources[index]["kind"]?.string == "hot"
        return [
            "marbles": ["text": sources[index]["marbles"] ?? "", "frame": 1, "hot": .bool(isHot)]
        ]
    }

    private func reference(_ index: Int) -> JSON { ["ref": .string("s\(index)")] }

    /// The sources joined, in order.
    private var main: JSON {
        guard let combine else { return reference(0) }
        let rest = sources.indices.dropFirst().map(reference)
        switch combine {
        case "withLatestFrom":
            return ["withLatestFrom": .array(sources.indices.map(reference))]
        case "takeUntil", "skipUntil", "catchError":
            let names = ["takeUntil": "prefixUntil", "skipUntil": "dropUntil", "catchError": "catch"]
            let operators = rest.map { source -> JSON in .object([names[combine] ?? "": ["source": source]]) }
            return ["source": reference(0), "operators": .array(operators)]
        default: return .object([combine == "concat" ? "append" : combine: .array(sources.indices.map(reference))])
        }
    }

    private func translated(_ json: JSON) throws -> JSON {
        guard case .object(var fields) = json, let short = fields["op"]?.string else { return json }
        fields["op"] = nil
        guard let name = Self.names[short] else { throw StreamError(message: "no operator for \(short)") }
        var arguments: JSON.Object = [:]
        for (key, value) in fields.map({ ($0.key, $0.value) }) {
            switch (short, key) {
            case ("groupBy", "key"): arguments["key"] = value
            case ("groupBy", "then"):
                arguments["operators"] = .array(try (value.array ?? []).map(translated))
            case (_, "expr"): arguments["expression"] = value
            case (_, "ms"), ("repeat", "delay"), ("retry", "delay"): arguments["seconds"] = value
            case (_, "initial"): arguments["initialValue"] = value
            case (_, "maxSize"): arguments["count"] = value
            case (_, "notifier"): arguments["source"] = reference(value.int ?? 0)
            case (_, "to"), (_, "else"): arguments[key] = reference(value.int ?? 0)
            default: arguments[key] = value
            }
        }
        if short == "find" { arguments["default"] = .null }
        return .object([name: .object(arguments)])
    }

    /// The answers of an explicit scheduler of RxJS where the file has those of its `run` mode, by the numbers of cases.
    private static let alternatives: JSON? = {
        let url = OracleFiles.samples.appending(path: "alternatives.json")
        return (try? String(contentsOf: url, encoding: .utf8)).flatMap { try? JSON(parsing: $0) }
    }()

    /// The short names of the oracle files, and ours.
    static let names: [String: String] = [
        "first": "first", "last": "last", "single": "single", "elementAt": "outputAt", "find": "firstWhere",
        "findIndex": "firstIndexWhere", "every": "allSatisfy", "isEmpty": "isEmpty", "max": "max", "min": "min",
        "reduce": "reduce", "mapTo": "mapTo", "scan": "scan", "takeWhile": "prefixWhile",
        "timeInterval": "timeInterval", "timestamp": "timestamp", "map": "map", "filter": "filter", "take": "prefix",
        "skip": "dropFirst", "takeLast": "suffix", "skipLast": "dropLast", "skipWhile": "dropWhile",
        "distinctUntilChanged": "removeDuplicates", "distinct": "distinct", "startWith": "prepend",
        "endWith": "append", "defaultIfEmpty": "replaceEmpty", "count": "count", "toArray": "collect",
        "pairwise": "pairwise", "bufferCount": "collect", "ignoreElements": "ignoreOutput", "delay": "delay",
        "debounceTime": "debounce", "auditTime": "audit", "sampleTime": "sampleTime", "throttleTime": "throttle",
        "bufferTime": "collectByTime", "windowTime": "windowTime", "timeout": "timeout", "repeat": "repeat",
        "retry": "retry", "windowCount": "windowCount", "groupBy": "groupBy", "sample": "sample",
        "buffer": "collectBySource", "window": "window", "takeUntil": "prefixUntil", "skipUntil": "dropUntil",
        "delayWhen": "delayWhen", "mergeMap": "flatMap", "concatMap": "concatMap", "switchMap": "switchMap",
        "exhaustMap": "exhaustMap", "share": "share", "shareReplay": "shareReplay",
    ]
}
