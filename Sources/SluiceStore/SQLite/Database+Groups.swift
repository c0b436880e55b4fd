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

    private func group(_ name: String) throws -> Int? {
        try rows("SELECT number FROM clientGroup WHERE name = ?", [name.key.value]) { try $0.integer(0) }.first
    }
}
#endif
