internal import Sluice

/// A ``RateGate`` for each key, for a bounded number of keys.
///
/// If there is no room for a new key, the least recently used one is removed if its bucket is full, so that nothing is
/// lost. Otherwise all new keys share one gate until there is room, so that inventing keys gains no additional calls.
final class KeyedGates<Key: Hashable & Sendable>: Sendable {
    fileprivate struct Entry {
        let key: Key
        let gate: RateGate
        var older: Int?
        var newer: Int?
    }

    /// The entries in a list by last use.
    fileprivate struct State {
        var places: [Key: Int] = [:]
        var entries: [Entry] = []
        var oldest: Int?
        var newest: Int?
    }

    private let state = Locked(State())
    private let capacity: Int
    private let makeGate: @Sendable () -> RateGate
    private let shared: RateGate

    /// Creates gates for at most `capacity` keys; below 1 counts as 1.
    init(capacity: Int, makeGate: @escaping @Sendable () -> RateGate) {
        self.capacity = max(capacity, 1)
        self.makeGate = makeGate
        shared = makeGate()
    }

    /// The number of keys with a gate of their own.
    var count: Int { state.withLock { $0.entries.count } }

    /// Enters the gate of a key.
    ///
    /// - Complexity: O(1).
    func enter(_ key: Key, at now: Int64, latest: Int64) -> (RateGate, RateGate.Admission) {
        state.withLock { state in
            let gate = gate(of: key, at: now, &state)
            // Under the lock, so that the gate is not removed before it is entered.
            return (gate, gate.enter(at: now, latest: latest))
        }
    }

    private func gate(of key: Key, at now: Int64, _ state: inout State) -> RateGate {
        if let place = state.places[key] {
            state.unlink(place)
            state.linkNewest(place)
            return state.entries[place].gate
        }
        let entry = Entry(key: key, gate: makeGate())
        var place = state.entries.count
        if place < capacity {
            state.entries.append(entry)
        } else {
            guard let oldest = state.oldest, state.entries[oldest].gate.isIdle(at: now) else { return shared }
            state.places[state.entries[oldest].key] = nil
            state.unlink(oldest)
            state.entries[oldest] = entry
            place = oldest
        }
        state.places[key] = place
        state.linkNewest(place)
        return entry.gate
    }
}

extension KeyedGates.State {
    mutating func unlink(_ place: Int) {
        let (older, newer) = (entries[place].older, entries[place].newer)
        if let older { entries[older].newer = newer } else { oldest = newer }
        if let newer { entries[newer].older = older } else { newest = older }
    }

    mutating func linkNewest(_ place: Int) {
        entries[place].older = newest
        entries[place].newer = nil
        if let newest { entries[newest].newer = place } else { oldest = place }
        newest = place
    }
}
