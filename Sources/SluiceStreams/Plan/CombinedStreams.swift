import SluiceJSON

/// The streams that a stage combines, before and after an edit: those that are kept keep their place in its state.
struct CombinedStreams {
    /// The stages whose state has a place for each stream, or the number of streams.
    private static let kinds: Set<String> = ["merge", "zip", "combineLatest", "withLatestFrom"]

    /// The old index of each new stream that continues, among the arguments.
    let matches: [Int: Int]
    /// The name of the stage.
    private let name: String
    /// The numbers of streams among the arguments.
    private let counts: (old: Int, new: Int)
    /// The number of streams before those of the arguments.
    private let inputs: Int

    /// Matches streams by their documents, then by the reference or an operator's id, then by kind and order.
    ///
    /// - Returns: `nil` for a stage of another kind, and for one that starts some of its streams later.
    init?(_ old: Located<Taken>, _ new: Located<Taken>, inputs: Int) {
        guard Self.kinds.contains(new.part.name), new.part.arguments["concurrency"] == nil,
            old.part.arguments["concurrency"] == nil
        else { return nil }
        (name, self.inputs) = (new.part.name, inputs)
        let (before, after) = (Self.sources(old.part), Self.sources(new.part))
        counts = (before.count, after.count)
        var matches: [Int: Int] = [:]
        var free = Array(before.indices)
        func match(_ isSame: (Int, Int) -> Bool) {
            for index in after.indices where matches[index] == nil {
                guard let place = free.firstIndex(where: { isSame($0, index) }) else { continue }
                matches[index] = free.remove(at: place)
            }
        }
        match { $0 == $1 && before[$0] == after[$1] }
        match { before[$0] == after[$1] }
        match { !before[$0].identities.isDisjoint(with: after[$1].identities) }
        match { before[$0].kind == after[$1].kind && !after[$1].isReference }
        // The first stream of this source decides when a row is emitted.
        if name == "withLatestFrom", inputs == 0, matches[0] != 0 { return nil }
        self.matches = matches
    }

    private static func sources(_ taken: Taken) -> [StreamSource] {
        var sources: [StreamSource] = []
        if case .source(let source) = taken.arguments["source"] { sources.append(source) }
        if case .sources(let others) = taken.arguments["sources"] { sources += others }
        return sources
    }

    /// A Boolean value that indicates whether a stream was moved, added, or removed.
    var isChanged: Bool { counts.old != counts.new || matches.contains { $0 != $1 } || matches.count != counts.new }

    /// The index of each stream of the stage before the edit, its input first; `nil` for a new one.
    private var places: [Int?] {
        (0..<inputs).map { $0 } + (0..<counts.new).map { index in matches[index].map { $0 + inputs } }
    }

    /// Returns the states of the stage with a place for each of its streams.
    ///
    /// - Parameter dropped: The number of running streams that are dropped.
    /// - Throws: ``StreamError`` with the reason why the state can't be kept.
    func states(_ states: [String: JSON], dropped: Int) throws(StreamError) -> [String: JSON] {
        var states = states
        let added = counts.new - matches.count
        func count(_ name: String) {
            if let running = states[name]?.int { states[name] = .int(Int64(running + added - dropped)) }
        }
        switch name {
        case "merge": count("state")
        case "zip":
            guard let waiting = states["state"]?["waiting"]?.array, let ended = states["state"]?["isCompleted"]?.array
            else { return states }
            let queues = places.map { $0.map { waiting[$0] } ?? [] }
            let lacking = queues.count { $0.array?.isEmpty ?? true }
            if lacking == 0 { throw StreamError(message: "every stream that is left has a value that waits") }
            states["state"] = [
                "waiting": .array(queues), "isCompleted": .array(places.map { $0.map { ended[$0] } ?? false }),
                "lacking": .int(Int64(lacking)),
            ]
            states["held"] = .int(Int64(queues.reduce(0) { $0 + ($1.array?.count ?? 0) }))
        default:
            if name == "combineLatest" { count("state-2") }
            guard let row = states["state"], let values = row["values"]?.array, let first = row["first"]?.array else {
                return states
            }
            // Each value as an optional: `[]` or `[value]`.
            let latest = row["lacking"]?.int == 0 ? values.map { JSON.array([$0]) } : first
            var moved = places.map { $0.map { latest[$0] } ?? [] }
            // The first stream decides when a row is emitted: it has a value only if all others have.
            if name == "withLatestFrom", moved.contains([]) { moved[0] = [] }
            let known = moved.compactMap { $0.array?.first }
            states["state"] = [
                "values": .array(known.count == moved.count ? known : []),
                "lacking": .int(Int64(moved.count - known.count)),
                "first": .array(known.count == moved.count ? [] : moved),
            ]
        }
        return states
    }
}

extension StreamSource {
    /// The name of the source, also of nested streams.
    fileprivate var kind: String {
        switch self {
        case .named(let source): source.name
        case .pipeline(let pipeline): pipeline.source.kind
        }
    }

    fileprivate var isReference: Bool { kind == SourceKind.reference.name }

    /// The documents that its source refers to, and the ids of its operators.
    fileprivate var identities: Set<String> {
        switch self {
        case .named(let source):
            guard source.name == SourceKind.reference.name, case .json(let json) = source.arguments["id"],
                let id = json.string
            else { return [] }
            return ["document \(id)"]
        case .pipeline(let pipeline):
            return pipeline.source.identities.union(pipeline.operators.compactMap { $0.id.map { "operator \($0)" } })
        }
    }
}
