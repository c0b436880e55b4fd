/// The subscriptions that read one stream, in the order in which they came.
struct Readers<Value> {
    /// The numbers grow; who has left is `nil` until half have.
    private var entries: [(id: Int, sink: Sink<Value>?)] = []
    private var lastID = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds one; answers its number.
    ///
    /// - Parameter id: the number that it had in the run before; 0 for a new one.
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

    /// Removes one; answers whether it was there.
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

    /// Takes all out.
    mutating func takeAll() -> Readers {
        defer { (entries, count) = ([], 0) }
        return self
    }

    /// Calls `body` with each of those who read now and have not left when it is their turn.
    func forEach(_ body: (Sink<Value>) -> Void) {
        for (_, sink) in entries { if let sink, !sink.isClosed { body(sink) } }
    }
}
