#if SQLite
import GRDB
import SluiceRuns

/// The statements for groups.
extension Database {
    func groups() throws -> [StoredGroup] {
        var streams: [Int: [String]] = [:]
        let assignments = try rows(
            "SELECT clientGroup, id FROM assignment JOIN stream ON stream.number = assignment.stream ORDER BY place"
        ) { (group: try $0.integer(0), stream: try $0.text(1)) }
        for assignment in assignments { streams[assignment.group, default: []].append(assignment.stream) }
        return try rows("SELECT number, name FROM clientGroup ORDER BY number") {
            StoredGroup(name: try $0.text(1), streams: streams[try $0.integer(0)] ?? [])
        }
    }

    func createGroup(_ name: String) throws {
        try run("INSERT INTO clientGroup (name) VALUES (?) ON CONFLICT DO NOTHING", [name.key.value])
    }

    func removeGroup(_ name: String) throws {
        guard let number = try group(name) else { return }
        try run("DELETE FROM assignment WHERE clientGroup = ?", [number])
        try run("DELETE FROM clientGroup WHERE number = ?", [number])
    }

    func assign(_ stream: String, to name: String) throws {
        guard let head = try head(stream), !head.isRemoved else { throw StoreError(.missing(id: stream)) }
        guard let number = try group(name) else { throw StoreError(.missingGroup(name: name)) }
        try run(
            "INSERT INTO assignment (clientGroup, stream) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [number, head.number]
        )
    }

    func unassign(_ stream: String, from name: String) throws {
        guard let head = try head(stream), let number = try group(name) else { return }
        try run("DELETE FROM assignment WHERE clientGroup = ? AND stream = ?", [number, head.number])
    }

    /// Makes the groups those of another store, without the streams that are missing here.
    func takeOver(_ others: [StoredGroup]) throws {
        let present = try groups()
        if present == others { return }
        let names = Set(others.map(\.name.key))
        for group in present where !names.contains(group.name) { try removeGroup(group.name) }
        for group in others {
            try createGroup(group.name)
            let streams = try group.streams.filter { try head($0).map { !$0.isRemoved } ?? false }
            let old = present.first { $0.name == group.name.key }?.streams ?? []
            if old == streams { continue }
            // In the order of the other store.
            for stream in old { try unassign(stream, from: group.name) }
            for stream in streams { try assign(stream, to: group.name) }
        }
    }

    private func group(_ name: String) throws -> Int? {
        try rows("SELECT number FROM clientGroup WHERE name = ?", [name.key.value]) { try $0.integer(0) }.first
    }
}
#endif
