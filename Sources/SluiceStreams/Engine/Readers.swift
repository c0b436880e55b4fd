/// The subscriptions to one stream, in the order in which they began.
struct Readers<Value> {
    /// The numbers grow; a subscription that has ended is `nil` until half have.
    private var entries: [(id: Int, sink: Sink<Value>?)] = []
    private var lastID = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a subscription and returns its number.
    ///
    /// - Parameter id: The number that it had in the previous run; 0 for a new one.
    mutating func add(_ sink: Sink<Value>, as id: Int = 0) -> Int {
        count += 1
        guard id > 0 else {
            lastID += 1
            entries.append((lastID, sink))
            return lastID
        }
        lastID = max(lastID, id)
        let place = entries.firstIndex { $0.id > id } ?? entries.endIndex
        entries.insert((id, sink), at: place)
        return id
    }

    /// Removes a subscription; returns `false` if it was not found.
    ///
    /// - Complexity: O(log *n*), amortized.
    mutating func remove(_ id: Int) -> Bool {
        var range = entries.indices
        while let low = range.first {
            let middle = low + range.count / 2
            if entries[middle].id == id {
                guard entries[middle].sink != nil else { return false }
                entries[middle].sink = nil
                count -= 1
                if entries.count > 16, count < entries.count / 2 { entries.removeAll { $0.sink == nil } }
                return true
            }
            range = entries[middle].id < id ? middle + 1..<range.upperBound : low..<middle
        }
        return false
    }

    /// Removes and returns all subscriptions.
    mutating func takeAll() -> Readers {
        defer { (entries, count) = ([], 0) }
        return self
    }

    /// Calls `body` with each current subscription that has not ended when its turn comes.
    func forEach(_ body: (Sink<Value>) -> Void) {
        for (_, sink) in entries { if let sink, !sink.isClosed { body(sink) } }
    }
}
