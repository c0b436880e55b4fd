#if Hub
import Logging
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

/// Changes of documents, with what a compiler has found out about them and their dependents.
struct CheckedChange: Sendable {
    let changes: [DocumentChange]
    let job: CompileJob
    let checks: [String: DocumentCheck]

    /// Returns the revisions of the documents that a document was compiled from besides itself.
    func versions(of id: String) -> [String: Int] {
        var versions: [String: Int] = [:]
        for other in checks[id]?.references ?? [] {
            if case .stored(let stored)? = job.sources[other] { versions[other] = stored.revision }
        }
        return versions
    }
}

extension StreamHub {
    /// Compiles documents outside of the actor: those that change with all that depend on them, and others.
    ///
    /// - Parameters:
    ///   - changes: changes that are not made yet.
    ///   - ids: more documents to check.
    ///   - kept: those of them whose compiled form is wanted; that of documents with a run is always kept.
    func checked(
        _ changes: [DocumentChange],
        _ ids: [String] = [],
        keeping kept: Set<String> = [],
        includesDependents: Bool = true
    ) async throws -> CheckedChange {
        var job = set.job(changes, checking: ids, includesDependents: includesDependents)
        var result = CheckedChange(changes: changes, job: job, checks: [:])
        // If documents change meanwhile, the change is compiled again, three times at most; after that, the write itself
        // is checked.
        for _ in 0..<3 {
            let kept = kept.union(job.targets.filter { runs[$0] != nil })
            result = CheckedChange(changes: changes, job: job, checks: try await compiler.run(job, keeping: kept))
            if set.changes == job.changes { break }
            let now = set.job(changes, checking: ids, includesDependents: includesDependents)
            if now.matches(job), Set(now.targets) == Set(job.targets) { break }
            job = now
        }
        return result
    }

    /// Returns the errors of a document, were it stored here.
    func check(_ bytes: [UInt8]) async throws -> [JSONError] {
        do {
            let document = try await compiler.perform(size: bytes.count) { try StreamDocument(reading: bytes) }
            let id = document.id ?? "\u{0}"
            let change = try await checked([.put(id, document)], includesDependents: false)
            return change.checks[id]?.all ?? []
        } catch let error as JSONErrors {
            return error.errors
        }
    }

    /// Returns the fields that the expressions of a document may name, by the paths of the expressions; empty for a text
    /// that is no document.
    func fieldNames(_ bytes: [UInt8]) async throws -> [String: [String]] {
        // Only a document with schemas has any.
        guard String(decoding: bytes, as: UTF8.self).contains("\"item\"") else { return [:] }
        do {
            return try await compiler.perform(size: bytes.count) { try StreamDocument(reading: bytes).fieldNames }
        } catch is JSONErrors {
            return [:]
        }
    }

    /// Refuses changes by which documents that can run now no longer can.
    ///
    /// - Parameter authored: the documents that the author edits, whose errors the author sees anyway.
    /// - Throws: ``Problem`` that lists them.
    func refuseBroken(by change: CheckedChange, besides authored: Set<String>) async throws {
        let unchecked = change.job.targets.filter { set[$0]?.isChecked == false }
        if !unchecked.isEmpty { await recheck(Set(unchecked)) }
        let broken = change.job.targets.filter { id in
            guard !authored.contains(id), let check = change.checks[id], let document = set[id] else { return false }
            return check.isBlocked && !document.isBlocked
        }
        guard !broken.isEmpty else { return }
        throw Problem.breaking(
            broken.map { ($0, set[$0]?.stored.name, change.checks[$0]?.all ?? []) },
            canKeep: !change.changes.contains { change in
                if case .put(_, let document) = change { document.isStack } else { set[change.id]?.isStack ?? false }
            }
        )
    }

    /// Takes over what was found out about documents after the changes were made, and edits their runs.
    ///
    /// - Parameter texts: the ids and names under which references find what has changed.
    /// - Returns: whether it is still so; if not, the documents are compiled again in the background.
    @discardableResult
    func settle(_ change: CheckedChange, _ texts: Set<String>) -> Bool {
        let changed = Set(change.changes.map(\.id))
        let targets = change.job.targets.filter { set[$0] != nil }
        let isCurrent = set.job(checking: targets).matches(change.job)
        let dependents = set.graph.dependents(of: texts).subtracting(changed)
        var open = dependents
        if isCurrent {
            for id in targets where !changed.contains(id) {
                if let check = change.checks[id] { take(check, id) }
                open.remove(id)
            }
        } else {
            open.formUnion(changed)
            open.formUnion(targets)
        }
        if !open.isEmpty { recheckSoon(open) }
        return isCurrent
    }

    /// Compiles documents as they are stored now, and edits their runs.
    func recheck(_ ids: Set<String>) async {
        let ids = ids.filter { set[$0] != nil }.sorted()
        do {
            let change = try await checked([], ids)
            if set.job(checking: ids.filter { set[$0] != nil }).matches(change.job) {
                for id in ids { if let check = change.checks[id] { take(check, id) } }
            } else if !isEnding {
                recheckSoon(Set(ids))
            }
        } catch is CancellationError {
            // The caller is gone, and the documents are still to be checked.
            if !isEnding { recheckSoon(Set(ids)) }
        } catch {
            around.settings.logger.error("documents can't be checked: \(error)")
        }
    }

    /// Compiles documents as they are stored now in the background.
    func recheckSoon(_ ids: Set<String>) {
        around.perform {
            await DocumentCompiler.$background.withValue(BackgroundWork()) { await self.recheck(ids) }
        }
    }

    /// Takes over what was found out about a document, and edits its run.
    private func take(_ check: DocumentCheck, _ id: String) {
        if set.note(check, of: id), let document = set[id] { publishChange(document) }
        guard let compiled = check.compiled, runs[id] != nil, let program = program(id, compiled, check.references)
        else { return }
        around.perform {
            await self.edit(id, to: program)
            // It may have ended before.
            if await self.namesStacks(id) { await self.editIdleSinks(of: [id]) }
        }
    }

    /// Tells subscribers that a document has changed.
    func publishChange(_ document: HubDocument) {
        if document.isStack {
            return around.bus.publish("stack", stackHead(document).description, of: document.id)
        }
        around.bus.publish("changed", head(document).description, of: document.id)
        around.subscriptions.noteDocument(document.id)
    }
}
#endif
