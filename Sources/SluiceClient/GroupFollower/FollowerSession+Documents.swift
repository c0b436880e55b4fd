#if HTTP
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The documents of a group, and their runs. One change at a time is made.
extension FollowerSession {
    /// The number of documents that are compiled at once, so that the end of the follower never waits long.
    private static var batch: Int { 64 }

    /// Applies what the hub has published.
    func apply(_ event: GroupEvent) async {
        let limit = follower.settings.maximumDocuments
        switch event {
        case .set(let list):
            hasSet = true
            if list.count > limit { feed.push(.problem("the group has \(list.count) documents: \(limit) run here")) }
            await replaceAll(list.prefix(limit))
        case .put(let document):
            guard known[document.id] != nil || known.count < limit else {
                return feed.push(
                    .problem("the group has more than \(limit) documents: \(document.id) does not run here")
                )
            }
            await update(put(document))
        case .remove(let id):
            await update(await remove(id))
        case .leases(let waiting, let holding):
            return hear(waiting: waiting, holding: holding)
        }
        feed.changes.notify()
    }

    /// Has streams with sinks ask for their leases, or renew them, now.
    func hear(waiting: some Sequence<String>, holding: some Sequence<String>) {
        for id in waiting { leased[id]?.news.waiting.notify() }
        for id in holding { leased[id]?.news.holding.notify() }
    }

    /// Resumes all stored runs, with the texts that they were compiled from.
    func resumeStored() async {
        guard let store, !hasSet else { return }
        var documents: [String: GroupEvent.Document] = [:]
        do {
            for id in stored.keys.sorted() {
                for (place, text) in (try await store.run(of: id)?.documents ?? []).enumerated() {
                    let known = documents[text.id]
                    guard place == 0 || known?.revision ?? .min < text.revision && known?.isRun != true else {
                        continue
                    }
                    documents[text.id] = GroupEvent.Document(
                        id: text.id,
                        revision: text.revision,
                        name: text.name,
                        text: text.text,
                        isReference: place > 0
                    )
                }
            }
        } catch {
            feed.push(.problem("\(error)"))
        }
        feed.push(.restored(documents: documents.count))
        await replaceAll(documents.values.sorted { $0.id < $1.id }, isWhole: false)
    }

    private func replaceAll(_ list: some Collection<GroupEvent.Document>, isWhole: Bool = true) async {
        var targets: Set<String> = []
        if isWhole {
            let ids = Set(list.map(\.id))
            for id in Set(known.keys).union(kept) where !ids.contains(id) { targets.formUnion(await remove(id)) }
        }
        for document in list { targets.formUnion(put(document)) }
        await update(targets)
    }

    /// Puts a document in place of the one with its id.
    ///
    /// - Returns: the ids of the documents that may run differently now.
    private func put(_ document: GroupEvent.Document) -> Set<String> {
        let id = document.id
        guard known[id] != document else { return [] }
        known[id] = document
        let limit = follower.settings.maximumDocumentBytes
        guard document.text.utf8.count <= limit else {
            refuse(id, [JSONError(.limitExceeded, "the document is longer than \(limit) bytes", at: .start)])
            return []
        }
        let (old, new) = (set[id], document.entry)
        if old?.stored == new.stored { return [id] }
        let texts = [id, old?.referenceName, new.referenceName].compactMap { $0 }
        let before = set.graph.dependents(of: texts)
        set.put(new)
        noteStack(id)
        return before.union(set.graph.dependents(of: texts)).union([id])
    }

    /// Removes a document with its run.
    ///
    /// - Returns: the ids of the documents that may run differently now.
    private func remove(_ id: String) async -> Set<String> {
        let texts = [id, set[id]?.referenceName].compactMap { $0 }
        let dependents = set.graph.dependents(of: texts)
        let wasRun = known.removeValue(forKey: id)?.isRun ?? false
        set.remove(id)
        noteStack(id)
        await endRun(of: id)
        if wasRun { feed.push(.removed(stream: id)) }
        return dependents
    }

    /// Makes a filter stack the one that running sources name.
    private func noteStack(_ id: String) {
        environment.settings.host.stacks.update(id, set[id]?.stack)
    }

    /// Ends the run of a stream that is not run here any more, and removes it from the store.
    private func endRun(of id: String) async {
        (refusals[id], stored[id], programs[id]) = (nil, nil, nil)
        await leased.removeValue(forKey: id)?.end()
        await runs.removeValue(forKey: id)?.shutDown()
        feed.forget(id)
        guard let store, kept.remove(id) != nil else { return }
        do {
            guard let stream = try await store.read(id) else { return }
            try await store.remove(id, ifRevision: stream.revision, by: nil)
        } catch {
            feed.push(.problem("\(error)"))
        }
    }

    // MARK: Runs

    /// Has the runs of documents apply what has changed.
    private func update(_ ids: Set<String>) async {
        for id in ids where known[id]?.isRun == false && (runs[id] != nil || leased[id] != nil || kept.contains(id)) {
            await endRun(of: id)
            feed.push(.removed(stream: id))
        }
        var open = ids.filter { known[$0]?.isRun ?? false && set[$0] != nil }.sorted()[...]
        while !open.isEmpty, !feed.isClosed {
            let part = Array(open.prefix(Self.batch))
            open = open.dropFirst(Self.batch)
            do {
                let checks = try await compiler.run(set.job(checking: part), keeping: Set(part))
                for id in part { if let check = checks[id] { await take(check, id) } }
            } catch {
                feed.push(.problem("documents can't be compiled: \(error)"))
            }
        }
    }

    /// Has a stream run by a document that was compiled.
    private func take(_ check: DocumentCheck, _ id: String) async {
        do {
            if let compiled = check.compiled, let program = set.program(id, compiled, check.references) {
                // A source that no member has is found here, and not when it would be read.
                let missing = program.document.missingSources(in: environment.settings.host)
                guard missing.isEmpty else { return refuse(id, missing) }
                if !compiled.sinks.isEmpty { return try await lease(id, program) }
            }
            if check.compiled != nil, leased[id] != nil { await endRun(of: id) }
            guard leased[id] == nil else { return refuse(id, check.all) }
            try await resume(id)
            guard let compiled = check.compiled, let program = set.program(id, compiled, check.references) else {
                return refuse(id, check.all)
            }
            refusals[id] = nil
            let versions = program.versions
            if programs[id] == versions { return }
            if let store {
                let draft = StreamDraft(id: id, name: set[id]?.stored.name, text: program.document.text)
                try await store.create([draft], replacing: true, by: nil)
                kept.insert(id)
            }
            let lastRun = try await store?.lastRun(of: id) ?? 0
            let run = runs[id] ?? RunSupervisor(id, program, environment, after: lastRun)
            runs[id] = run
            try await run.take(program)
            programs[id] = versions
        } catch let errors as JSONErrors {
            refuse(id, errors.errors)
        } catch {
            feed.push(.problem("\(id): \(error)"))
        }
    }

    /// Has a stream with sinks run by a program while this member holds the stream's lease.
    private func lease(_ id: String, _ program: RunProgram) async throws {
        refusals[id] = nil
        let versions = program.versions
        if let run = leased[id] {
            if programs[id] != versions { try await run.take(program) }
        } else {
            // It had no sinks before, and ran here on its own.
            if runs[id] != nil || kept.contains(id) { await endRun(of: id) }
            let run = LeasedRun(id, program, follower, member: member, feed, environment) { [weak self] stored, store in
                guard let self else { throw CancellationError() }
                return try await resumed(stored, store)
            }
            leased[id] = run
            await run.begin()
        }
        programs[id] = versions
    }

    /// Returns the program of a run that another member may have stored in the hub.
    private func resumed(_ run: StoredRun, _ store: LeasedStore<C>) async throws -> RunProgram {
        try await compiler.program(resuming: run, set.job(checking: [run.stream]), in: store)
    }

    /// Resumes the stored run of a stream, if it has one that was not opened yet.
    private func resume(_ id: String) async throws {
        guard let store, stored[id] != nil else { return }
        let read = try await store.run(of: id)
        let program: RunProgram? =
            if let read { try await compiler.program(resuming: read, set.job(checking: [id]), in: store) } else { nil }
        // The run leaves the list only after it was read: a store that fails now may work later.
        guard stored.removeValue(forKey: id) != nil, let run = read, let program else { return }
        let supervisor = RunSupervisor(id, program, environment)
        (runs[id], programs[id]) = (supervisor, program.versions)
        guard run.goesOn || run.state == RunState.failed.rawValue else { return await supervisor.recall(run) }
        do {
            try await supervisor.resume(run, journal: try await store.journal(of: id))
        } catch  where error.isOfTheStore && run.goesOn && !run.isPaused {
            feed.push(.problem("\(id): the run is resumed when the store works again: \(error)"))
            await supervisor.resumeLater(run)
        } catch {
            feed.push(.problem("\(id): the run can't be resumed, and a new one begins: \(error)"))
            try await supervisor.start()
        }
    }

    /// Reports that a revision is invalid; the run of the one before continues.
    private func refuse(_ id: String, _ errors: [JSONError]) {
        let revision = known[id]?.revision ?? 0
        refusals[id] = (revision, errors.first.map { "\($0)" } ?? "")
        feed.push(.refused(stream: id, revision: revision, errors: JSONErrors(errors)))
    }
}

extension JSONPosition {
    /// The beginning of a document.
    fileprivate static var start: JSONPosition { JSONPosition(line: 1, column: 1, offset: 0) }
}
#endif
