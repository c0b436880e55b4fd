#if Hub
import Foundation
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

/// The options of a write besides the document.
struct WriteOptions: Sendable {
    /// The author, for the history.
    var author: String?
    /// A Boolean value that indicates whether dependents that no longer compile continue with their old texts.
    var keepsDependents = false
    /// A Boolean value that indicates whether references to the old name of a renamed document become its id.
    var rewritesReferences = false
}

extension StreamHub {
    /// Stores a new document.
    ///
    /// - Parameter id: its id, where the request names one.
    func create(
        _ bytes: [UInt8],
        id: String? = nil,
        as kind: DocumentKind = .stream,
        _ options: WriteOptions
    ) async throws -> HubDocument {
        let documents = try await create([bytes], id: id, as: kind, options)
        guard let document = documents.first else { throw Problem.noStream(id ?? "") }
        return document
    }

    /// Stores documents, all or none.
    ///
    /// - Parameter bytes: an array of documents.
    func importAll(_ bytes: [UInt8], _ options: WriteOptions) async throws -> [HubDocument] {
        let texts = try await compiler.perform(size: bytes.count) {
            let root = try JSONDocument(parsing: bytes).root
            guard root.kind == .array else {
                throw Problem(.unprocessableContent, "an import is an array of documents")
            }
            return root.elements.map { Array(JSONSlice($0).text.utf8) }
        }
        return try await create(texts, id: nil, as: nil, options)
    }

    private func create(
        _ texts: [[UInt8]],
        id: String?,
        as kind: DocumentKind?,
        _ options: WriteOptions
    ) async throws -> [HubDocument] {
        let drafts = try await drafts(texts, id: id, as: kind)
        let size = drafts.reduce(0) { $0 + $1.document.text.utf8.count }
        guard set.count + drafts.count <= limits.documents, set.totalSize + size <= limits.totalSize else {
            throw Problem.noRoom
        }
        var change = try await checked(drafts)
        // Streams and stacks share their ids.
        for draft in drafts {
            if let other = set[draft.id], other.isStack != draft.document.isStack { throw Problem.taken(other) }
        }
        if drafts.allSatisfy({ set[$0.id] == nil }) {
            if !options.keepsDependents { try await refuseBroken(by: change, besides: Set(drafts.map(\.id))) }
            change = try await passGates(drafts, change, options)
        }
        if let id = drafts.first(where: { removing.contains($0.id) })?.id {
            throw Problem(.conflict, "the stream '\(Problem.shown(id))' is being removed: repeat this when it is gone")
        }
        return try await writing(Set(drafts.map(\.id))) {
            await self.apply(try await self.store.create(drafts.map(\.draft), by: options.author), drafts, change)
        }
    }

    /// Replaces a document.
    func replace(
        _ id: String,
        _ bytes: [UInt8],
        ifRevision revision: Int,
        as kind: DocumentKind = .stream,
        _ options: WriteOptions
    ) async throws -> HubDocument {
        try await refresh(id, ifNotAt: revision)
        _ = try document(id, kind)
        guard let draft = try await drafts([bytes], id: id, as: kind).first else { throw Problem.none(id, kind) }
        let old = try document(id, kind)
        guard set.totalSize - old.stored.text.utf8.count + draft.document.text.utf8.count <= limits.totalSize else {
            throw Problem.noRoom
        }
        let others = options.rewritesReferences ? try await rewritten(for: draft, renaming: old) : []
        let drafts = [draft] + others.map(\.draft)
        var change = try await checked(drafts)
        // If the author has read another revision, the store refuses the write.
        if set[id]?.stored.revision == revision {
            if !options.keepsDependents { try await refuseBroken(by: change, besides: [id]) }
            change = try await passGates([draft], change, options)
        }
        let edits =
            [StreamEdit(draft.draft, ifRevision: revision)]
            + others.map { StreamEdit($0.draft.draft, ifRevision: $0.revision) }
        do {
            let documents = try await writing(Set(drafts.map(\.id))) {
                await self.apply(try await self.store.replace(edits, by: options.author), drafts, change)
            }
            guard let document = documents.first else { throw Problem.none(id, kind) }
            return document
        } catch let error as StoreError {
            throw try await conflict(error, yours: draft, revision)
        }
    }

    /// Returns the documents that refer to the old name of one that is renamed, with references to its id instead.
    private func rewritten(
        for draft: DocumentDraft,
        renaming old: HubDocument
    ) async throws -> [(draft: DocumentDraft, revision: Int)] {
        guard let name = old.stored.name, name != draft.document.name, set.graph.targets(of: name) == [draft.id],
            name != draft.id
        else { return [] }
        let others = set.graph.referrers(of: name).subtracting([draft.id]).sorted().compactMap { set[$0]?.stored }
        let size = others.reduce(0) { $0 + $1.text.utf8.count }
        return try await compiler.perform(size: size) { [parsed = compiler.parsed] in
            try others.map { stored in
                let document = try parsed.document(stored).referring(to: draft.id, insteadOf: name)
                return (DocumentDraft(document, id: stored.id), stored.revision)
            }
        }
    }

    /// Removes a document, its run, and its outputs.
    func remove(
        _ id: String,
        ifRevision revision: Int,
        as kind: DocumentKind = .stream,
        _ options: WriteOptions
    ) async throws {
        try await refresh(id, ifNotAt: revision)
        let old = try document(id, kind)
        guard !old.isDefault else { throw Problem.default(old.stored.name ?? id) }
        var change = try await checked([.remove(id)])
        if !options.keepsDependents, set[id]?.stored.revision == revision {
            try await refuseBroken(by: change, besides: [id])
            change = try await passGates([], change, options)
        }
        // Another stream of this id would lose its sinks and its status with what remains to be removed.
        guard removing.insert(id).inserted else { throw Problem.none(id, kind) }
        do {
            try await writing([id]) {
                defer { self.removing.remove(id) }
                try await self.store.remove(id, ifRevision: revision, by: options.author)
                self.noteRemoval(of: id, at: revision + 1)
                await self.forget(id, change)
            }
        } catch let error as StoreError {
            throw try await conflict(error, yours: nil, revision)
        }
    }

    /// Forgets a document that was removed from the store, with its run and all that belongs to it.
    func forget(_ id: String, _ change: CheckedChange) async {
        guard let isStack = set[id]?.isStack else { return }
        let texts = set.texts(of: change.changes)
        set.remove(id)
        waiting[id] = nil
        let run = runs.removeValue(forKey: id)
        await run?.command { await run?.shutDown(isRemoved: true) }
        await around.deliveries?.remove(id)
        hasFreedMemory = hasFreedMemory || run != nil
        around.bus.forget(id)
        around.outputs.forget(id)
        if isStack { around.settings.host.stacks.update(id, nil) }
        around.bus.publish(
            isStack ? "stackRemoved" : "removed",
            JSON.object(["id": .string(id)]).description,
            of: id
        )
        around.subscriptions.noteDocument(id)
        forgetInGroups(id, texts)
        settle(change, texts)
    }

    // MARK: Steps

    /// Parses documents and looks at their shape.
    private func drafts(_ texts: [[UInt8]], id: String?, as kind: DocumentKind?) async throws -> [DocumentDraft] {
        let size = texts.reduce(0) { $0 + $1.count }
        return try await compiler.perform(size: size) { [limits] in
            try texts.map { text in
                let draft = try DocumentDraft(text, id: id, limits, as: kind)
                try draft.checkShape(limits)
                return draft
            }
        }
    }

    /// Compiles documents that are to be stored, and all that depend on them.
    ///
    /// - Throws: `JSONErrors` where one of them has errors of its own.
    private func checked(_ drafts: [DocumentDraft]) async throws -> CheckedChange {
        let change = try await checked(drafts.map(\.change))
        let size = drafts.reduce(0) { $0 + $1.original.text.utf8.count }
        let refused = drafts.filter { draft in
            change.checks[draft.id]?.own.contains { $0.code != .unknownKey } ?? false
        }
        if !refused.isEmpty {
            try await compiler.perform(size: size) { for draft in refused { try draft.check(change.checks[draft.id]) } }
        }
        return change
    }

    /// Takes over what was stored, and has runs and sinks take it up.
    ///
    /// - Returns: the documents.
    func apply(
        _ stored: [StoredStream],
        _ drafts: [DocumentDraft],
        _ change: CheckedChange
    ) async -> [HubDocument] {
        let (documents, isCurrent) = adopt(stored, drafts, change)
        if isCurrent {
            let revisions = Dictionary(stored.map { ($0.id, $0.revision) }) { $1 }
            for draft in drafts {
                guard let check = change.checks[draft.id], let compiled = check.compiled, runs[draft.id] != nil,
                    let program = program(draft.id, compiled, check.references)
                else { continue }
                await edit(draft.id, to: program)
            }
            for draft in drafts {
                await editSinks(of: draft.id, at: revisions[draft.id] ?? 0, check: change.checks[draft.id])
            }
        }
        if drafts.contains(where: \.document.isStack) {
            let written = Set(drafts.map(\.id))
            await editIdleSinks(of: change.job.targets.filter { !written.contains($0) })
        }
        return documents
    }

    /// Takes over what was stored, unless something newer was faster.
    ///
    /// - Returns: the documents, and whether what the compiler found out is still so.
    private func adopt(
        _ stored: [StoredStream],
        _ drafts: [DocumentDraft],
        _ change: CheckedChange
    ) -> (documents: [HubDocument], isCurrent: Bool) {
        let texts = set.texts(of: change.changes)
        var documents: [HubDocument] = []
        for (stored, draft) in zip(stored, drafts) {
            if let old = set[stored.id], old.stored.revision >= stored.revision {
                documents.append(old)
                continue
            }
            compiler.parsed.hold(draft.document, as: stored)
            var document = HubDocument(stored, draft.document)
            if let check = change.checks[stored.id] { document.note(check) }
            set.put(document)
            noteStack(document)
            publishChange(document)
            documents.append(document)
        }
        let isCurrent = settle(change, texts)
        publishToGroups(Set(drafts.map(\.id)), texts)
        return (documents, isCurrent)
    }

    /// Returns the problem of an author whose revision is not the stored one: both, and what theirs would do to it.
    private func conflict(_ error: StoreError, yours: DocumentDraft?, _ revision: Int) async throws -> any Error {
        guard case .conflict(let id, _, let current) = error.kind else { return error }
        var problem = Problem(.preconditionFailed, error.reason)
        // Another document, whose references were to be rewritten, was edited meanwhile: the author tries again.
        if let yours, yours.id != id { return problem }
        if let current {
            problem["current"] = ["revision": .int(Int64(current.revision)), "text": .string(current.text)]
        }
        guard let yours else { return problem }
        problem["yours"] = ["revision": .int(Int64(revision)), "text": .string(yours.document.text)]
        if let current, !yours.document.isStack {
            let (old, new) = (set.job(checking: [id]), set.job([yours.change], includesDependents: false))
            problem["plan"] = try await plan(id, old, new, size: current.text.utf8.count).json
        }
        return problem
    }
}

extension Problem {
    /// The refusal of a document whose id one of another kind has.
    fileprivate static func taken(_ other: HubDocument) -> Problem {
        Problem(.conflict, "'\(shown(other.id))' is the id of a \(other.isStack ? "stack" : "stream"): choose another")
    }

    /// The refusal of a change that breaks documents that depend on the changed one.
    ///
    /// - Parameter canKeep: A Boolean value that indicates whether they may keep running as they are.
    static func breaking(
        _ dependents: [(id: String, name: String?, errors: [JSONError])],
        canKeep: Bool
    ) -> Problem {
        let names = names(of: dependents.map { ($0.name, $0.id) })
        let advice =
            canKeep
            ? ", or repeat this with ?dependents=keep: those that run keep running on the texts that they were started with"
            : ""
        return refusal(
            "streams that refer to it would no longer run: \(names); edit them first\(advice)",
            of: dependents.map { ($0.id, $0.name, $0.errors.map(\.json)) }
        )
    }

    /// Returns a refusal of a change with the dependents for which it is refused, and their errors.
    static func refusal(_ text: String, of dependents: [(id: String, name: String?, errors: [JSON])]) -> Problem {
        var problem = Problem(.conflict, text)
        problem["dependents"] = .array(
            dependents.prefix(100).map { dependent in
                var object: JSON.Object = ["id": .string(dependent.id)]
                object["name"] = dependent.name.map(JSON.string)
                object["errors"] = .array(dependent.errors)
                return .object(object)
            }
        )
        return problem
    }

    /// Returns the first names of streams, and the number of the others.
    static func names(of streams: [(name: String?, id: String)]) -> String {
        streams.prefix(5).map { "'\(shown($0.name ?? $0.id))'" }.joined(separator: ", ")
            + (streams.count > 5 ? " and \(streams.count - 5) more" : "")
    }
}
#endif
