#if NATS
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The documents of a worker's group.
extension WorkerSession {
    /// Follows the documents and groups of the cluster, until the task is canceled.
    ///
    /// While the server is away the last documents count; what was written meanwhile comes when it is back.
    func follow() async throws {
        while true {
            do {
                var waiting: Set<String> = []
                for try await change in try await definitions.changes() {
                    await changing.lock()
                    defer { changing.unlock() }
                    switch change {
                    case .stored(let document):
                        let ids = put(document)
                        if isComplete { await compile(ids) } else { waiting.formUnion(ids) }
                    case .removed(let id, let revision): await compile(try await remove(id, at: revision))
                    case .group(settings.group), .groupRemoved(settings.group):
                        if isComplete { await compile(try await readGroup()) }
                    case .group, .groupRemoved: break
                    case .current:
                        _ = try await readGroup()
                        isComplete = true
                        await compile(Set(set.ids).union(waiting))
                        wake()
                    }
                }
                // The connection was closed.
                try Task.checkCancellation()
                throw NATSError.closed
            } catch let error as StoreError {
                report(.problem("the documents can't be read: \(error.reason)"))
            }
            try await clock.sleep(for: .seconds(1))
        }
    }

    /// Compares the documents and the group with those of the bucket: a while after the beginning, and after the server was
    /// away, and then every five minutes, until the task is canceled.
    ///
    /// A server that was started again may answer, for a while, with what it had long ago.
    func check() async {
        var pauses = [300, 30, 10, 2]
        while !Task.isCancelled {
            let begun = environment.timer.now
            let pause = Duration.seconds(pauses.last ?? 300)
            await checking.wait(for: pause, by: clock)
            if Task.isCancelled { return }
            if environment.timer.now - begun < pause.wholeNanoseconds - 1_000_000 {
                pauses = [300, 30, 10, 2]
                continue
            }
            do {
                guard isComplete else { continue }
                try await compareWithBucket()
                if pauses.count > 1 { pauses.removeLast() }
            } catch {}  // the server is away: the next comparison follows
        }
    }

    private func compareWithBucket() async throws {
        await changing.lock()
        defer { changing.unlock() }
        let documents = try await definitions.list()
        var ids: Set<String> = []
        for document in documents { ids.formUnion(put(document)) }
        for id in Set(set.ids).subtracting(documents.map(\.id)) {
            // The list may be an old one; the removal of a document is not.
            guard try await definitions.read(id) == nil,
                let removal = try await definitions.history(of: id).first(where: { $0.isRemoved })
            else { continue }
            ids.formUnion(try await remove(id, at: removal.revision))
        }
        ids.formUnion(try await readGroup())
        await compile(ids)
    }

    private func isOwn(_ id: String) -> Bool { members?.contains(id) ?? true }

    /// Reads the streams of the group.
    ///
    /// - Returns: The ids of the streams that have come or gone.
    private func readGroup() async throws -> Set<String> {
        if settings.group == "all" { return [] }
        let next = Set(try await definitions.groups().first { $0.name == settings.group }?.streams ?? [])
        let changed = next.symmetricDifference(members ?? [])
        members = next
        return changed
    }

    /// Puts a document in place of the one with its id.
    ///
    /// - Returns: The ids of the documents that may run differently now.
    private func put(_ stored: StoredStream) -> Set<String> {
        let (old, new) = (set[stored.id], SetDocument(reading: stored))
        if let old, old.stored.revision >= stored.revision { return [] }
        let texts = [stored.id, old?.referenceName, new.referenceName].compactMap { $0 }
        let before = set.graph.dependents(of: texts)
        set.put(new)
        environment.settings.host.stacks.update(stored.id, new.stack)
        return before.union(set.graph.dependents(of: texts)).union([stored.id])
    }

    /// Removes a document with all that is kept of its runs.
    private func remove(_ id: String, at revision: Int) async throws -> Set<String> {
        let texts = [id, set[id]?.referenceName].compactMap { $0 }
        let dependents = set.graph.dependents(of: texts)
        set.remove(id)
        environment.settings.host.stacks.update(id, nil)
        await use(nil, of: id)
        await forget(id, removedAt: revision)
        return dependents
    }

    /// Compiles documents, and has their units take them up.
    private func compile(_ ids: Set<String>) async {
        for id in ids where set[id] == nil || !isOwn(id) || set[id]?.isStack ?? false {
            if programs[id] != nil { await use(nil, of: id) }
        }
        var open = ids.filter { isOwn($0) && set[$0].map { !$0.isStack } ?? false }.sorted()[...]
        while !open.isEmpty {
            // So many at once that the end of the worker never waits long.
            let part = Array(open.prefix(64))
            open = open.dropFirst(64)
            do {
                let checks = try await compiler.run(set.job(checking: part), keeping: Set(part))
                for id in part { if let check = checks[id] { await take(check, id) } }
            } catch is CancellationError { return } catch {
                report(.problem("documents can't be compiled: \(error)"))
            }
        }
    }

    private func take(_ check: DocumentCheck, _ id: String) async {
        guard let compiled = check.compiled, let program = set.program(id, compiled, check.references) else {
            return refuse(id, check.all)
        }
        let missing = program.document.missingSources(in: environment.settings.host)
        guard missing.isEmpty else { return refuse(id, missing) }
        if program.document.partition != nil, program.document.subjectOfSource == nil {
            let start = JSONPosition(line: 1, column: 1, offset: 0)
            let message = "\"partition\" divides the messages of a subject, and this stream has another source"
            let hint = "have another stream publish the items to a subject, or remove \"partition\""
            return refuse(id, [JSONError(.invalidValue, message, hint: hint, at: start)])
        }
        if program.document.partition != nil, program.document.outsideSource?.arguments["consumer"] != nil {
            let start = JSONPosition(line: 1, column: 1, offset: 0)
            let message = "a stream with \"partition\" has no \"consumer\": its partitions read the messages together"
            return refuse(id, [JSONError(.invalidValue, message, hint: "remove one of the two", at: start)])
        }
        if programs[id]?.versions != program.versions { await use(program.withoutCompiled, of: id) }
    }

    private func refuse(_ id: String, _ errors: [JSONError]) {
        report(.refused(stream: id, revision: set[id]?.stored.revision ?? 0, errors: JSONErrors(errors)))
    }
}

extension StreamDocument {
    /// The subject that its source reads; `nil` where it reads something else.
    var subjectOfSource: String? {
        guard let outside = outsideSource, outside.name == "subject" else { return nil }
        return outside.arguments["subject"]?.string
    }
}
#endif
