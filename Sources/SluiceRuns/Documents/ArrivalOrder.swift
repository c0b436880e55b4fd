/// Ids in the order in which they came.
struct ArrivalOrder: Sequence {
    /// The ids; `nil` where one was removed.
    private var ids: [String?] = []
    private var places: [String: Int] = [:]

    /// Appends an id, unless it is there.
    mutating func insert(_ id: String) {
        guard places[id] == nil else { return }
        places[id] = ids.count
        ids.append(id)
    }

    /// Removes an id.
    ///
    /// - Complexity: O(1) on average.
    mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: id) else { return }
        ids[place] = nil
        guard ids.count > 32, places.count < ids.count / 2 else { return }
        ids.removeAll { $0 == nil }
        places = [:]
        for (place, id) in ids.enumerated() { if let id { places[id] = place } }
    }

    func makeIterator() -> some IteratorProtocol<String> { ids.lazy.compactMap { $0 }.makeIterator() }
}
