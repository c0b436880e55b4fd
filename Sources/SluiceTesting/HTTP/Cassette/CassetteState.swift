#if HTTP
import SluiceHTTP

/// The contents of a cassette and their playback state; not locked.
struct CassetteState {
    /// An exchange, or a placeholder for one whose answer has not ended.
    private struct Slot {
        var exchange: RecordedExchange?
        var key: RequestMatching.Key
        var isPlayed: Bool
    }
    private var slots: [Slot] = []
    /// The unplayed slots of each request, in reverse order.
    private var waiting: [RequestMatching.Key: [Int]] = [:]
    private var next = 0
    private let order: Cassette.Order
    private let name: String
    /// A version number that grows with each change, to detect whether the file is up to date.
    private(set) var version = 0

    /// The answer of a cassette to a request.
    enum Answer {
        case play(RecordedExchange)
        case refuse(CassetteError)
    }

    init(_ exchanges: [(RecordedExchange, RequestMatching.Key)], order: Cassette.Order, name: String) {
        self.order = order
        self.name = name
        slots = exchanges.map { Slot(exchange: $0.0, key: $0.1, isPlayed: false) }
        for (index, slot) in slots.enumerated().reversed() { waiting[slot.key, default: []].append(index) }
    }

    /// The complete exchanges, in the order of the requests.
    var exchanges: [RecordedExchange] { slots.compactMap(\.exchange) }

    /// The exchanges that have not been requested yet.
    var unplayed: [RecordedExchange] { slots.compactMap { $0.isPlayed ? nil : $0.exchange } }

    /// Answers a request, once for each time it was recorded.
    mutating func play(_ key: RequestMatching.Key, _ summary: String) -> Answer {
        switch order {
        case .any:
            guard let index = waiting[key]?.popLast() else { return .refuse(refusal(key, summary)) }
            return play(index)
        case .strict:
            while next < slots.count, slots[next].isPlayed { next += 1 }
            guard next < slots.count else { return .refuse(refusal(key, summary)) }
            if slots[next].key == key { return play(next) }
            let place = "exchange \(next + 1) of \(slots.count), \(slots[next].key.method) \(slots[next].key.url)"
            let text = "\(summary) is out of order on \(name)\nnext is \(place):" + differences(key, slots[next].key)
            return .refuse(CassetteError(.outOfOrder, text))
        }
    }

    private mutating func play(_ index: Int) -> Answer {
        slots[index].isPlayed = true
        guard let exchange = slots[index].exchange else {
            return .refuse(CassetteError(.notRecorded, "\(slots[index].key.url) is being recorded on \(name)"))
        }
        return .play(exchange)
    }

    /// Reserves a slot for the answer to a request that is being sent, and returns its index.
    mutating func begin(_ key: RequestMatching.Key) -> Int {
        slots.append(Slot(exchange: nil, key: key, isPlayed: true))
        return slots.count - 1
    }

    /// Puts an exchange into its slot.
    mutating func end(_ index: Int, _ exchange: RecordedExchange) {
        slots[index].exchange = exchange
        version += 1
    }

    // MARK: Nearest requests

    private func refusal(_ key: RequestMatching.Key, _ summary: String) -> CassetteError {
        let count = slots.count { $0.key == key && $0.exchange != nil }
        if count > 0 {
            let times = count == 1 ? "once" : "\(count) times"
            return CassetteError(.alreadyPlayed, "\(summary) was recorded \(times) on \(name), and asked for once more")
        }
        var text = "\(summary) is not on \(name)"
        let recorded = slots.indices.filter { slots[$0].exchange != nil }
        let scores = recorded.map { (index: $0, score: key.likeness(slots[$0].key)) }
        if let nearest = scores.max(by: { ($0.score, $1.index) < ($1.score, $0.index) }) {
            let other = slots[nearest.index].key
            text += "\nnearest is exchange \(nearest.index + 1) of \(slots.count), \(other.method) \(other.url):"
            text += differences(key, other)
        } else {
            text += ", which is empty"
        }
        return CassetteError(.notRecorded, text)
    }

    private func differences(_ asked: RequestMatching.Key, _ recorded: RequestMatching.Key) -> String {
        var text = ""
        func compare<T: Equatable>(_ what: String, _ asked: T, _ recorded: T, _ show: (T) -> String) {
            if asked != recorded { text += "\n  \(what): \(show(asked)), recorded: \(show(recorded))" }
        }
        compare("method", asked.method, recorded.method) { $0 }
        compare("address", asked.url, recorded.url) { $0 }
        compare("header fields", asked.headers, recorded.headers) { $0.joined(separator: "; ") }
        compare("body", asked.body, recorded.body, \.text)
        return text
    }
}

extension RequestMatching.Key {
    /// Returns a measure of how much two requests have in common; larger is nearer.
    fileprivate func likeness(_ other: Self) -> Int {
        let path = url.prefix { $0 != "?" }
        let otherPath = other.url.prefix { $0 != "?" }
        var score = zip(url.utf8, other.url.utf8).prefix { $0 == $1 }.count
        if url == other.url { score += 10_000 }
        if path == otherPath { score += 5_000 }
        if method == other.method { score += 2_000 }
        if body == other.body { score += 1_000 }
        return score
    }
}
#endif
