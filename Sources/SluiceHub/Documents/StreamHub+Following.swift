#if Hub
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The documents and groups that other hubs of a shared store write.
///
/// They are stored already, so nothing is refused: a dependent that no longer compiles keeps running as it is.
extension StreamHub {
    /// Takes over what others write, until the task is canceled; returns at once when no other hub shares the store.
    func follow() async {
        guard let shared = store as? SharedStreamStore else { return }
        await shared.follow { [weak self] change in await self?.takeOver(change) }
    }

    /// Takes over a change that was stored, which may be this hub's own.
    func takeOver(_ change: DefinitionChange) async {
        switch change {
        case .stored(let stored):
            if !isHeld(change, stored.id) { await takeOver(stored) }
        case .removed(let id, let revision):
            if !isHeld(change, id) { await takeOverRemoval(of: id, at: revision) }
        case .group(let name): await takeOverGroup(name)
        case .groupRemoved(let name): if name != HubGroup.all { forgetGroup(name) }
        case .current: break
        }
    }

    /// Reads a document that an author has seen in another hub at a revision that this one does not have.
    func refresh(_ id: String, ifNotAt revision: Int) async throws {
        guard let shared = store as? SharedStreamStore, set[id]?.stored.revision != revision else { return }
        if let change = try await shared.refresh(id) { await takeOver(change) }
    }

    // MARK: This hub's own writes

    /// Performs a write of documents. What others write to them meanwhile is taken over when it has ended, so that each
    /// change reaches the runs once.
    func writing<Value>(_ ids: Set<String>, _ write: () async throws -> Value) async throws -> Value {
        for id in ids { writes[id, default: 0] += 1 }
        do {
            let value = try await write()
            await endWrites(of: ids)
            return value
        } catch {
            await endWrites(of: ids)
            throw error
        }
    }

    private func endWrites(of ids: Set<String>) async {
        for id in ids {
            let count = (writes[id] ?? 1) - 1
            writes[id] = count > 0 ? count : nil
        }
        for id in ids { await takeOverLate(id) }
    }

    private func takeOverLate(_ id: String) async {
        guard writes[id] == nil, !removing.contains(id), let change = late.removeValue(forKey: id) else { return }
        await takeOver(change)
    }

    /// Keeps a change for later while the document is being written or removed.
    private func isHeld(_ change: DefinitionChange, _ id: String) -> Bool {
        guard writes[id] != nil || removing.contains(id) else { return false }
        late[id] = change
        return true
    }

    /// Notes a removal, so that an earlier revision that was read meanwhile does not bring the document back.
    func noteRemoval(of id: String, at revision: Int) {
        guard store is SharedStreamStore else { return }
        if removals[id] == nil { removalOrder.append(id) }
        removals[id] = max(revision, removals[id] ?? 0)
        guard removalOrder.count > Self.notedRemovals else { return }
        // A revision that was read before these removals has been taken over by now.
        let half = Self.notedRemovals / 2
        for id in removalOrder.prefix(half) { removals[id] = nil }
        removalOrder.removeFirst(half)
    }

    private static let notedRemovals = 4096

    // MARK: Steps

    private func isNews(_ id: String, at revision: Int) -> Bool {
        revision > max(set[id]?.stored.revision ?? 0, removals[id] ?? 0)
    }

    private func takeOver(_ stored: StoredStream) async {
        let id = stored.id
        guard isNews(id, at: stored.revision) else { return }
        let document = try? await compiler.perform(size: stored.text.utf8.count) { [parsed = compiler.parsed] in
            try parsed.document(stored)
        }
        let draft = document.map { DocumentDraft($0, id: id) }
        var change: CheckedChange?
        if let draft { change = try? await checked([draft.change]) }
        // This hub's own write may have begun, or have been faster.
        guard isNews(id, at: stored.revision), !isHeld(.stored(stored), id) else { return }
        around.counters.count { $0.changesTakenOver += 1 }
        if let draft, let change {
            _ = await apply([stored], [draft], change)
            return
        }
        // It can't be read here: the run continues as it was.
        let texts = Set([id, set[id]?.referenceName, stored.name].compactMap { $0 })
        let unreadable = HubDocument(reading: stored)
        set.put(unreadable)
        publishChange(unreadable)
        publishToGroups([id], texts)
        await recheck(set.graph.dependents(of: texts).union([id]))
    }

    private func takeOverRemoval(of id: String, at revision: Int) async {
        guard isNews(id, at: revision) else { return }
        guard set[id] != nil else { return noteRemoval(of: id, at: revision) }
        let change = try? await checked([.remove(id)])
        guard set[id] != nil, isNews(id, at: revision), !isHeld(.removed(id, revision: revision), id) else { return }
        noteRemoval(of: id, at: revision)
        around.counters.count { $0.changesTakenOver += 1 }
        removing.insert(id)
        await forget(id, change ?? CheckedChange(changes: [.remove(id)], job: set.job([.remove(id)]), checks: [:]))
        removing.remove(id)
        await takeOverLate(id)
    }

    private func takeOverGroup(_ name: String) async {
        guard name != HubGroup.all, let stored = try? await store.groups().first(where: { $0.name == name }) else {
            return
        }
        _ = addGroup(name)
        let old = groups[name]?.streams ?? []
        let (gone, new) = (Set(old).subtracting(stored.streams), Set(stored.streams).subtracting(old))
        guard !gone.isEmpty || !new.isEmpty else { return }
        for stream in gone { _ = groups[name]?.change(stream, isGiven: false) }
        for stream in stored.streams { _ = groups[name]?.change(stream, isGiven: true) }
        publishToGroup(name, gone.union(new))
        publishToPages(of: name)
    }
}
#endif
