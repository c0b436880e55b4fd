extension SharedStreamStore {
    // MARK: Documents

    /// As ``DefinitionStore/list()``, from the copies.
    public func list() async throws -> [StoredStream] { try await runs.list() }

    /// As ``DefinitionStore/read(_:)``, from the copies.
    public func read(_ id: String) async throws -> StoredStream? { try await runs.read(id) }

    /// As ``DefinitionStore/history(of:)``, with the copies that runs need longer than the shared store keeps them; the
    /// copies alone while it is away.
    public func history(of id: String) async throws -> [StreamRevision] {
        let copies = try await runs.history(of: id)
        // An attempt may take seconds.
        guard isAvailable else { return copies }
        let shared: [StreamRevision]
        do { shared = try await definitions.history(of: id) } catch is StoreError { return copies }
        let known = Set(shared.map(\.revision))
        let kept = copies.filter { !known.contains($0.revision) }
        return kept.isEmpty ? shared : (shared + kept).sorted { $0.revision > $1.revision }
    }

    /// As ``DefinitionStore/revision(_:of:)``.
    public func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        if let copy = try await runs.revision(number, of: id) { return copy }
        return try await definitions.revision(number, of: id)
    }

    /// As ``DefinitionStore/create(_:replacing:by:)``.
    @discardableResult
    public func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        try await copying(try await share { try await $0.create(drafts, replacing: replacing, by: author) })
    }

    /// As ``DefinitionStore/replace(_:by:)``.
    @discardableResult
    public func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] {
        try await copying(try await share { try await $0.replace(edits, by: author) })
    }

    /// As ``DefinitionStore/remove(_:ifRevision:by:)``.
    public func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        try await share { try await $0.remove(id, ifRevision: revision, by: author) }
        try await runs.takeOverRemoval(of: id, at: revision + 1)
    }

    private nonisolated(nonsending) func copying(_ stored: [StoredStream]) async throws -> [StoredStream] {
        try await runs.takeOver(stored)
        return stored
    }

    // MARK: Groups

    /// As ``DefinitionStore/groups()``, from the copies.
    public func groups() async throws -> [StoredGroup] { try await runs.groups() }

    /// As ``DefinitionStore/createGroup(_:)``.
    public func createGroup(_ name: String) async throws {
        try await share { try await $0.createGroup(name) }
        try await runs.createGroup(name)
    }

    /// As ``DefinitionStore/removeGroup(_:)``.
    public func removeGroup(_ name: String) async throws {
        try await share { try await $0.removeGroup(name) }
        try await runs.removeGroup(name)
    }

    /// As ``DefinitionStore/assign(_:to:)``.
    public func assign(_ stream: String, to group: String) async throws {
        try await share { try await $0.assign(stream, to: group) }
        // Another hub may have removed either meanwhile.
        do { try await runs.assign(stream, to: group) } catch is StoreError {}
    }

    /// As ``DefinitionStore/unassign(_:from:)``.
    public func unassign(_ stream: String, from group: String) async throws {
        try await share { try await $0.unassign(stream, from: group) }
        try await runs.unassign(stream, from: group)
    }

    // MARK: The store itself

    /// As ``DefinitionStore/trim(_:)``. The shared history is not trimmed while it is away.
    public func trim(_ retention: Retention) async throws {
        try await runs.trim(retention)
        try await share { try await $0.trim(retention) }
    }

    /// As ``DefinitionStore/check()``, of the runs: the hub holds while the shared store is away.
    public func check() async throws { try await runs.check() }
}
