import Foundation

/// The sinks of a stream in memory, with its dead letters.
struct MemorySinks {
    private(set) var sinks: [String: StoredSink] = [:]
    private var deliveries: [String: [OutputPlace: StoredDelivery]] = [:]
    private var names: [Int: String] = [:]

    /// The smallest cursor; `nil` without a sink.
    var cursor: OutputPlace? { sinks.values.map(\.cursor).min() }

    var all: [StoredSink] { sinks.values.sorted { $0.id < $1.id } }

    func deliveries(of sink: String) -> [StoredDelivery] {
        (deliveries[sink] ?? [:]).values.sorted { $0.first < $1.first }
    }

    mutating func take(_ commit: SinkCommit) {
        let id = commit.sink.id.key
        sinks[id] = commit.sink
        for delivery in commit.fixed { deliveries[id, default: [:]][delivery.first] = delivery }
        for place in commit.ended { deliveries[id]?[place] = nil }
    }

    mutating func remove(_ sink: String) {
        sinks[sink] = nil
        deliveries[sink] = nil
    }

    mutating func forgetRuns() {
        (deliveries, names) = ([:], [:])
        sinks = sinks.mapValues { sink in
            StoredSink(
                stream: sink.stream,
                id: sink.id,
                cursor: sink.cursor,
                delivered: sink.delivered,
                failed: sink.failed,
                fingerprint: sink.fingerprint
            )
        }
    }

    mutating func name(ofRun run: Int, at time: Date) -> String {
        if let name = names[run] { return name }
        let name = ULID.make(at: time)
        names[run] = name
        return name
    }

    mutating func setName(_ name: String, ofRun run: Int) { names[run] = name }

    /// Writes the sinks into what is kept of a stream.
    func write(to state: inout StreamState) {
        state.sinks = all
        for id in deliveries.keys { state.deliveries[id] = deliveries(of: id) }
        state.names = names.sorted { $0.key < $1.key }.map { StreamState.RunName(run: $0.key, name: $0.value) }
    }

    init() {}

    /// Creates the sinks of what is kept of a stream.
    init(_ state: StreamState) {
        for sink in state.sinks { sinks[sink.id] = sink }
        for (id, list) in state.deliveries {
            deliveries[id] = Dictionary(list.map { ($0.first, $0) }) { $1 }
        }
        for name in state.names { names[name.run] = name.name }
    }
}

extension MemoryStreamStore: SinkStore {
    /// As ``SinkStore/sinks()``.
    public func sinks() async throws -> [StoredSink] {
        try transact { state in state.ordered.flatMap(\.sinks.all) }
    }

    /// As ``SinkStore/sinks(of:)``.
    public func sinks(of stream: String) async throws -> [StoredSink] {
        try transact { $0.streams[stream]?.sinks.all ?? [] }
    }

    /// As ``SinkStore/deliveries(of:sink:)``.
    public func deliveries(of stream: String, sink: String) async throws -> [StoredDelivery] {
        try transact { $0.streams[stream]?.sinks.deliveries(of: sink) ?? [] }
    }

    /// As ``SinkStore/commit(_:)``.
    public func commit(_ commits: [SinkCommit]) async throws {
        try transact { state in
            for commit in commits where state.streams[commit.sink.stream]?.current == nil {
                throw StoreError(.missing(id: commit.sink.stream))
            }
            for commit in commits {
                state.streams[commit.sink.stream]?.sinks.take(commit)
                for letter in commit.letters { state.add(letter) }
            }
        }
    }

    /// As ``SinkStore/removeSink(_:of:)``.
    public func removeSink(_ id: String, of stream: String) async throws {
        try transact { $0.streams[stream]?.sinks.remove(id) }
    }

    /// As ``SinkStore/deadLetters(of:sink:after:limit:)``.
    public func deadLetters(
        of stream: String,
        sink: String?,
        after number: Int,
        limit: Int
    ) async throws -> [StoredDeadLetter] {
        try transact { state in
            let wanted = state.letters.lazy.filter { letter in
                letter.stream == stream && letter.number > number && (sink == nil || letter.sink == sink)
            }
            return StoredPage(of: wanted, limit: limit, size: \.size).elements
        }
    }

    /// As ``SinkStore/deadLettersToResend(of:limit:)``.
    public func deadLettersToResend(of stream: String, limit: Int) async throws -> [Int] {
        try transact { state in
            let wanted = state.letters.lazy.filter { $0.stream == stream && $0.isResending }
            return wanted.prefix(max(0, limit)).map(\.number)
        }
    }

    /// As ``SinkStore/deadLetter(_:of:)``.
    public func deadLetter(_ number: Int, of stream: String) async throws -> StoredDeadLetter? {
        try transact { $0.letters.first { $0.number == number && $0.stream == stream } }
    }

    /// As ``SinkStore/replaceDeadLetter(_:)``.
    public func replaceDeadLetter(_ letter: StoredDeadLetter) async throws {
        try transact { state in
            let index = state.letters.firstIndex { $0.number == letter.number && $0.stream == letter.stream }
            if let index { state.letters[index] = letter.stored }
        }
    }

    /// As ``SinkStore/removeDeadLetter(_:of:)``.
    public func removeDeadLetter(_ number: Int, of stream: String) async throws {
        try transact { $0.letters.removeAll { $0.number == number && $0.stream == stream } }
    }

    /// As ``SinkStore/deadLetterCounts(of:)``.
    public func deadLetterCounts(of stream: String) async throws -> [String: Int] {
        try transact {
            $0.letters.lazy.filter { $0.stream == stream }.reduce(into: [:]) { $0[$1.sink, default: 0] += 1 }
        }
    }

    /// As ``SinkStore/name(ofRun:of:)``.
    public func name(ofRun run: Int, of stream: String) async throws -> String {
        let time = now()
        return try transact { state in
            guard state.streams[stream]?.current != nil else { throw StoreError(.missing(id: stream)) }
            return state.streams[stream]?.sinks.name(ofRun: run, at: time) ?? ""
        }
    }
}

extension MemoryStreamStore {
    /// As ``SinkStore/leases()``.
    public func leases() async throws -> [StoredLease] {
        try transact { state in state.leases.values.sorted { $0.stream < $1.stream } }
    }

    /// As ``SinkStore/storeLease(_:)``.
    public func storeLease(_ lease: StoredLease) async throws {
        try transact { state in
            guard state.streams[lease.stream]?.current != nil else { throw StoreError(.missing(id: lease.stream)) }
            state.leases[lease.stream] = lease
        }
    }
}

extension StoredDeadLetter {
    /// The letter as a store keeps it: with its time to the millisecond.
    package var stored: StoredDeadLetter {
        StoredDeadLetter(
            number: number,
            stream: stream.key,
            sink: sink.key,
            place: place,
            items: items,
            key: key,
            request: request,
            error: error,
            time: time.stored,
            round: round,
            isResending: isResending
        )
    }
}

extension MemoryState {
    /// Adds a letter, and assigns its number.
    fileprivate mutating func add(_ letter: StoredDeadLetter) {
        lastLetter += 1
        var numbered = letter.stored
        numbered.number = lastLetter
        letters.append(numbered)
    }
}
