import SluiceExpressions
import SluiceJSON

/// The groups of a run that move to the runs of other partitions, each with the key of its items.
package struct MovingGroups: Sendable, Codable {
    /// One group, with all that belongs to it.
    fileprivate struct Group {
        let key: JSON
        /// A Boolean value that indicates whether items of the key go to it.
        var isOpen = false
        /// The times from which it closes when nothing comes, as `IdleTimers` saves them.
        var idle: [JSON]?
        /// The runs of its operators.
        var streams: [SavedStateNode] = []
    }

    /// The time of the run when the groups were taken from it.
    package let time: StreamTime
    /// The last position in the order of its timers.
    let lastOrder: Int64
    /// The state of the operator with these groups alone.
    let stage: JSON

    /// A Boolean value that indicates whether there are no groups.
    package var isEmpty: Bool { ((try? groups()) ?? []).isEmpty }

    enum CodingKeys: CodingKey { case time, lastOrder, stage }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        time = try StreamTime(saved: .int(try container.decode(Int64.self, forKey: .time)))
        lastOrder = try container.decode(Int64.self, forKey: .lastOrder)
        stage = try container.decode(JSON.self, forKey: .stage)
        guard lastOrder >= 0, lastOrder < Int64.max / 4 else {
            throw StreamError(message: "the groups have an invalid order")
        }
        _ = try groups()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time.nanoseconds, forKey: .time)
        try container.encode(lastOrder, forKey: .lastOrder)
        try container.encode(stage, forKey: .stage)
    }

    init(_ node: SavedStateNode, _ clock: SavedClock) {
        (time, lastOrder, stage) = (clock.now, clock.lastOrder, node.saved)
    }

    private init(_ groups: [Group], _ model: MovingGroups) throws {
        (time, lastOrder) = (model.time, model.lastOrder)
        var node = try SavedStateNode(saved: model.stage)
        Self.put(groups, into: &node)
        stage = node.saved
    }

    /// Returns the groups by the partitions of their keys, without those partitions that get none.
    ///
    /// - Parameter count: The number of partitions.
    package func divided(into count: Int) throws -> [Int: MovingGroups] {
        var parts: [Int: [Group]] = [:]
        for group in try groups() {
            // As ``PartitionKeys`` has it for an item.
            let key = try? CELValue(saved: group.key).json()
            let partition = count == 1 ? 0 : Int(PartitionKeys.hash(of: key ?? .null) % UInt64(count))
            parts[partition, default: []].append(group)
        }
        return try parts.mapValues { try MovingGroups($0, self) }
    }
}

/// The groups within the saved state of `groupBy`.
extension MovingGroups {
    private func groups() throws -> [Group] {
        var node = try SavedStateNode(saved: stage)
        try node.migrate(to: StateKind(name: OperatorKind.groupBy.name, migrations: OperatorKind.groupBy.migrations))
        return try Self.groups(of: node)
    }

    /// Returns the groups in the order in which they were opened.
    private static func groups(of node: SavedStateNode) throws -> [Group] {
        var groups: [Int: Group] = [:]
        let open = try [Int](saved: node.states["windows"]?["open"] ?? []).sorted()
        let keys = try [CELValue](saved: node.states["keys"] ?? [])
        guard open.count == keys.count else { throw StreamError(message: "the groups don't fit their keys") }
        for (id, key) in zip(open, keys) { groups[id] = Group(key: key.saved, isOpen: true) }
        for inner in node.inner {
            guard case .array(let item) = inner.item, item.count == 2 else {
                throw StreamError.unreadable("a group", inner.item)
            }
            groups[try Int(saved: item[0]), default: Group(key: item[1])].streams.append(inner.node)
        }
        if case .array(let entries)? = node.states["idle"] {
            for case .array(let entry) in entries where entry.count == 4 {
                groups[try Int(saved: entry[0])]?.idle = Array(entry.dropFirst())
            }
        }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Puts groups in place of those of a state.
    private static func put(_ groups: [Group], into node: inout SavedStateNode) {
        var (open, keys, idle): ([JSON], [JSON], [JSON]) = ([], [], [])
        node.inner = []
        for (index, group) in groups.enumerated() {
            let id: JSON = .int(Int64(index + 1))
            if group.isOpen {
                open.append(id)
                keys.append(group.key)
            }
            if let times = group.idle { idle.append(.array([id] + times)) }
            for stream in group.streams {
                let number = node.inner.count + 1
                node.inner.append(SavedStateNode.Inner(number: number, item: [id, group.key], node: stream))
            }
        }
        node.lastInner = 0
        node.states["windows"] = [
            "open": .array(open), "running": .int(Int64(node.inner.count)), "lastID": .int(Int64(groups.count)),
            "isCompleted": false,
        ]
        node.states["held"] = .int(Int64(open.count))
        node.states["keys"] = .array(keys)
        if node.states["idle"] != nil { node.states["idle"] = .array(idle) }
    }

    /// Removes the groups from a state; returns them, or `nil` where the operator has ended.
    static func take(from node: inout SavedStateNode, at clock: SavedClock) throws -> MovingGroups? {
        guard node.states["windows"]?["isCompleted"] == false else { return nil }
        var taken = MovingGroups(node, clock)
        taken = try MovingGroups(try taken.groups(), taken)
        try node.migrate(to: StateKind(name: OperatorKind.groupBy.name, migrations: OperatorKind.groupBy.migrations))
        put([], into: &node)
        return taken
    }

    /// Puts the groups of several runs into the state of the operator in a run that has just begun.
    ///
    /// - Parameter parts: The groups, each with the way from the clock of its run to that of this one.
    static func join(_ parts: [(groups: MovingGroups, shift: SavedShift)], into node: inout SavedStateNode) throws {
        var all: [Group] = []
        for (part, shift) in parts {
            for var group in try part.groups() {
                for index in group.streams.indices { group.streams[index].shift = shift }
                group.idle = try group.idle.map { times in
                    try SavedShift.reading(shift) {
                        [
                            try StreamTime(saved: times[0]).saved, try StreamTime(saved: times[1]).saved,
                            try SavedOrder(saved: times[2]).saved,
                        ]
                    }
                }
                all.append(group)
            }
        }
        put(all, into: &node)
    }
}
