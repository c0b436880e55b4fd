import Foundation
import HTTPTypes
import Logging
import NIOCore
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

/// The streams of a store, and their runs.
///
/// The documents are held in memory as the store has them; this hub alone writes them.
actor StreamHub {
    nonisolated let around: HubEnvironment
    private(set) var documents: [String: HubDocument] = [:] { didSet { changes += 1 } }
    /// How often the documents have changed.
    private var changes = 0
    /// The heads of all as they were last written, and what they were of.
    private var list: (changes: Int, statuses: Int, text: ByteBuffer)?
    /// The ids in the order in which they came.
    private var order: [String] = []
    private var known: Set<String> = []
    /// The ids that have a name.
    private var named: [String: Set<String>] = [:]
    /// The ids of those that refer to others, by what they refer to: ids and names.
    private var referring: [String: Set<String>] = [:]
    private var totalSize = 0
    private var runs: [String: RunSupervisor] = [:]
    /// The groups, and who listens to them; see StreamHub+Groups.
    var groups: [String: HubGroup] = [HubGroup.all: HubGroup(name: HubGroup.all)]
    var lastGroupListener = 0
    private var isShutDown = false
    /// A Boolean value that indicates whether runs have ended whose memory was not returned to the system yet.
    var hasFreedMemory = false
    /// When old revisions and outputs were last thrown away.
    var lastTrim: Int64?

    init(_ around: HubEnvironment) { self.around = around }

    private var store: any StreamStore { around.store }
    private var limits: HubLimits { around.settings.limits }

    // MARK: The beginning and the end

    /// Reads the store, gives an empty one the streams of the seed's program, and has what ran go on.
    func load() async throws {
        var streams = try await store.list()
        if streams.isEmpty { streams = try await store.create(DefaultStreams.make(), by: "sluice") }
        for document in await Self.documents(of: streams) { insert(document) }
        for id in Set(referring.values.joined()) { checkReferences(of: id) }
        for group in try await store.groups() {
            groups[group.name] = HubGroup(name: group.name, streams: group.streams)
        }
        for run in try await store.runs() { await resume(run) }
    }

    /// Documents are parsed and checked before anything is served, and thousands take a while: all processors share them.
    private static func documents(of streams: [StoredStream]) async -> [HubDocument] {
        let starts = stride(from: 0, to: streams.count, by: 256)
        return await withTaskGroup(of: (start: Int, documents: [HubDocument]).self) { group in
            for start in starts {
                let part = streams[start...].prefix(256)
                group.addTask { (start, part.map(HubDocument.init)) }
            }
            let parts = await group.reduce(into: [:]) { $0[$1.start] = $1.documents }
            return starts.flatMap { parts[$0] ?? [] }
        }
    }

    /// One that cannot go on says so, and takes no other along.
    private func resume(_ head: StoredRun) async {
        guard around.settings.isDurable, let document = documents[head.stream] else { return }
        do {
            guard let stored = try await store.run(of: head.stream) else { return }
            // What ran goes on as the revision that it was, and is then edited to what is stored.
            var text = document.stored
            if stored.revision != text.revision {
                text = try await store.revision(stored.revision, of: head.stream) ?? text
            }
            let was = try StreamDocument(preserving: Array(text.text.utf8))
            let program = RunProgram(document: was, revision: stored.revision, library: library(for: was))
            let run = RunSupervisor(head.stream, program, around.runs)
            runs[head.stream] = run
            guard RunState(rawValue: stored.state)?.goesOn ?? false else { return await run.recall(stored) }
            do {
                try await run.resume(stored, journal: try await store.journal(of: head.stream))
            } catch {
                await run.fail("it cannot go on where it was: \(error)")
            }
            if stored.revision != document.stored.revision, !document.isBlocked {
                try await run.edit(to: self.program(document))
            }
        } catch {
            around.settings.logger.error("\(head.stream): it cannot go on where it was: \(error)")
        }
    }

    /// Ends all runs and tells all who listen; what the runs have done is stored first.
    func shutDown() async {
        isShutDown = true
        around.bus.close()
        closeGroups()
        await withTaskGroup { group in
            for run in runs.values { group.addTask { await run.shutDown() } }
        }
    }

    // MARK: Documents

    /// The heads of all streams as JSON: pages and programs ask for them over and over, and they are written anew only
    /// where something may have changed.
    var headsText: ByteBuffer {
        // A status that changes while they are written is seen the next time.
        let statuses = around.bus.statusCount
        if let list, list.changes == changes, list.statuses == statuses { return list.text }
        let text = ByteBuffer(string: JSON.array(heads("")).description)
        list = (changes, statuses, text)
        return text
    }

    /// The heads of all streams that a search finds.
    func heads(_ search: String) -> [JSON] {
        let search = search.lowercased()
        return order.compactMap { id in
            guard let document = documents[id], search.isEmpty || document.isFound(by: search) else { return nil }
            return document.head(around.bus.status(of: id))
        }
    }

    /// A document.
    ///
    /// - Throws: ``Problem`` where there is none.
    func document(_ id: String) throws(Problem) -> HubDocument {
        guard let document = documents[id] else { throw .noStream(id) }
        return document
    }

    /// All documents, in the order in which they came.
    var all: [HubDocument] { order.compactMap { documents[$0] } }

    /// What a list says of a document.
    func head(_ document: HubDocument) -> JSON { document.head(around.bus.status(of: document.id)) }

    /// Whether no more is begun.
    var isEnding: Bool { isShutDown }

    /// Stores a new document.
    ///
    /// - Parameter id: its id, where the request names one.
    func create(_ bytes: [UInt8], id: String? = nil, by author: String?) async throws -> HubDocument {
        let draft = try draft(bytes, id: id)
        try checkRoom(for: [draft])
        let stored = try await store.create([draft], by: author)
        let document = adopt(stored[0])
        tellGroups()
        return document
    }

    /// Stores documents, all or none.
    func importAll(_ texts: [[UInt8]], by author: String?) async throws -> [HubDocument] {
        let drafts = try texts.map { try draft($0, id: nil) }
        try checkRoom(for: drafts)
        let documents = try await store.create(drafts, by: author).map { adopt($0) }
        tellGroups()
        return documents
    }

    /// Replaces a document.
    func replace(_ id: String, _ bytes: [UInt8], ifRevision revision: Int, by author: String?) async throws
        -> HubDocument
    {
        guard let old = documents[id] else { throw Problem.noStream(id) }
        let draft = try draft(bytes, id: id)
        guard totalSize - old.stored.text.utf8.count + draft.text.utf8.count <= limits.totalSize else {
            throw Problem.noRoom
        }
        do {
            let stored = try await store.replace(with: draft, ifRevision: revision, by: author)
            let document = adopt(stored)
            tellGroups()
            await edit(document)
            return document
        } catch let error as StoreError {
            throw conflict(error, yours: draft, revision)
        }
    }

    /// Removes a document, its run and what it gave.
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        guard let old = documents[id] else { throw Problem.noStream(id) }
        guard !old.isDefault else { throw Problem.default(old.stored.name ?? id) }
        do { try await store.remove(id, ifRevision: revision, by: author) } catch let error as StoreError {
            throw conflict(error, yours: nil, revision)
        }
        guard let gone = documents[id] else { return }
        withdraw(gone)
        order.removeAll { $0 == id }
        known.remove(id)
        let run = runs.removeValue(forKey: id)
        await run?.shutDown()
        hasFreedMemory = hasFreedMemory || run != nil
        around.bus.forget(id)
        around.bus.tell("removed", JSON.object(["id": .string(id)]).description, of: id)
        forgetInGroups(id)
        recheck(dependentsOf: gone)
    }

    /// What is wrong with a document, were it stored here.
    func check(_ bytes: [UInt8]) -> [JSONError] {
        do throws(JSONErrors) {
            let document = try StreamDocument(preserving: bytes)
            return errors(of: document)
        } catch {
            return error.errors
        }
    }

    /// Returns what putting a document in place of the stored one would do to its run, or to a run where there is none.
    func plan(_ id: String, _ bytes: [UInt8]) async throws -> (revision: Int, plan: StreamPlan, errors: [JSONError]) {
        let old = try document(id)
        let (was, now) = (try old.document(), try StreamDocument(preserving: bytes))
        var plan = StreamPlan(from: was, in: library(for: was), to: now, in: library(for: now))
        let program = RunProgram(document: now, revision: old.stored.revision, library: library(for: now))
        // A document with errors has no plan for the run.
        if let run = runs[id], let live = try? await run.plan(to: program) { plan = live }
        return (old.stored.revision, plan, errors(of: now))
    }

    /// The document and those that it refers to, and so on.
    func library(for document: StreamDocument) -> StreamLibrary {
        var library = StreamLibrary([document])
        var seen: Set<String> = []
        var open = document.pipeline.references
        while let name = open.popLast() {
            var found = named[name] ?? []
            if documents[name] != nil { found.insert(name) }
            for id in found where id != document.id && seen.insert(id).inserted {
                guard let other = try? documents[id]?.document() else { continue }
                library.add(other)
                open += other.pipeline.references
            }
        }
        return library
    }

    /// The ids of all documents that a document refers to, and so on.
    func referenced(by ids: [String]) -> Set<String> {
        var (seen, open) = (Set<String>(), ids)
        while let id = open.popLast() {
            for name in documents[id]?.references ?? [] {
                let found = documents[name] != nil ? [name] : Array(named[name] ?? [])
                for other in found where seen.insert(other).inserted { open.append(other) }
            }
        }
        return seen
    }

    // MARK: Runs

    /// The run of a stream, made when it is first asked for.
    ///
    /// - Throws: ``Problem`` where there is no such stream, or its document cannot run.
    func run(_ id: String) throws -> RunSupervisor {
        let document = try document(id)
        if let run = runs[id] { return run }
        guard !isShutDown else { throw Problem.ending }
        let run = RunSupervisor(id, try program(document), around.runs)
        runs[id] = run
        return run
    }

    /// The run of a stream for somebody who wants it to run: one whose document has errors says so, unless it runs.
    func runnable(_ id: String) async throws -> RunSupervisor {
        let document = try document(id)
        if document.isBlocked {
            if let run = runs[id], around.bus.status(of: id)?.state.goesOn ?? false { return run }
            throw Problem(JSONErrors(document.errors + document.referenceErrors))
        }
        return try run(id)
    }

    /// The run of a stream as it is told of.
    func status(_ id: String) throws -> JSON {
        let document = try document(id)
        let now = around.timer.now
        if let status = around.bus.status(of: id) { return status.json(at: now) }
        var status = RunStatus(stream: id, pace: Pace(at: now, isPaused: true))
        status.revision = document.stored.revision
        if document.isBlocked {
            status.state = .blocked
        } else if let whole = try? document.document() {
            status.stages = stages(of: whole)
        }
        return status.json(at: now)
    }

    /// The stages that a run of a document has.
    private func stages(of document: StreamDocument) -> [StageWatch.Stage] {
        let watch = StageWatch()
        let run = try? StreamRun(driving: document, from: nil, watch: watch, in: library(for: document), host: nil)
        return run == nil ? [] : watch.stages
    }

    private func program(_ document: HubDocument) throws(JSONErrors) -> RunProgram {
        let whole = try document.document()
        return RunProgram(document: whole, revision: document.stored.revision, library: library(for: whole))
    }

    // MARK: Storing

    /// What is to be stored of a text: with its ids.
    private func draft(_ bytes: [UInt8], id: String?) throws -> StreamDraft {
        guard bytes.count <= limits.bodySize else { throw Problem.tooLong(limits.bodySize) }
        let document = try StreamDocument(preserving: bytes)
        // What nobody here knows may be known elsewhere: it is kept, and shared. All else is a mistake.
        if let errors = document.errors, !errors.errors.allSatisfy({ $0.code == .unknownKey }) { throw errors }
        if let given = document.id, let id, given != id {
            throw Problem(.unprocessableContent, "the document is of the id '\(given)', the request of '\(id)'")
        }
        let id = id ?? document.id ?? UUID().uuidString
        guard Self.isName(id, upTo: 200) else {
            let text = "an id has 1 to 200 bytes, and no control characters; '.' and '..' are none"
            throw Problem(.unprocessableContent, text)
        }
        var count = 0
        document.pipeline.forEachStage { count += 1 }
        guard count <= limits.operators else {
            throw Problem(
                .unprocessableContent,
                "the document has \(count) operators and sources; this hub takes \(limits.operators)"
            )
        }
        return StreamDraft(id: id, name: document.name, text: document.identified(as: id).text)
    }

    /// Whether a text can be a part of a path, up to a length in bytes. Clients take `.` and `..` for steps in a path,
    /// also where they are percent-encoded.
    static func isName(_ text: String, upTo length: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= length && text != "." && text != ".."
            && !text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
    }

    private func checkRoom(for drafts: [StreamDraft]) throws {
        let size = drafts.reduce(0) { $0 + $1.text.utf8.count }
        guard documents.count + drafts.count <= limits.documents, totalSize + size <= limits.totalSize else {
            throw Problem.noRoom
        }
    }

    /// Takes up what was stored, unless something newer was faster.
    private func adopt(_ stored: StoredStream) -> HubDocument {
        let old = documents[stored.id]
        if let old {
            if old.stored.revision >= stored.revision { return old }
            withdraw(old)
        }
        insert(HubDocument(stored))
        checkReferences(of: stored.id)
        let document = documents[stored.id] ?? HubDocument(stored)
        tellChanged(document)
        recheck(dependentsOf: document, was: old)
        return document
    }

    private func insert(_ document: HubDocument) {
        if known.insert(document.id).inserted { order.append(document.id) }
        documents[document.id] = document
        totalSize += document.stored.text.utf8.count
        if let name = document.stored.name { named[name, default: []].insert(document.id) }
        for reference in document.references { referring[reference, default: []].insert(document.id) }
    }

    private func withdraw(_ document: HubDocument) {
        documents[document.id] = nil
        totalSize -= document.stored.text.utf8.count
        for reference in document.references {
            referring[reference]?.remove(document.id)
            if referring[reference]?.isEmpty ?? false { referring[reference] = nil }
        }
        guard let name = document.stored.name else { return }
        named[name]?.remove(document.id)
        if named[name]?.isEmpty ?? false { named[name] = nil }
    }

    /// Puts what was stored in place of what runs; where it cannot run the old revision runs on.
    private func edit(_ document: HubDocument) async {
        guard !document.isBlocked, let run = runs[document.id] else { return }
        do { try await run.edit(to: program(document)) } catch {
            around.settings.logger.error("\(document.id): revision \(document.stored.revision) does not run: \(error)")
        }
    }

    private func tellChanged(_ document: HubDocument) {
        let head = document.head(around.bus.status(of: document.id))
        around.bus.tell("changed", head.description, of: document.id)
    }

    // MARK: References

    /// Returns the errors of a document, those of its references included, in the order of its text.
    private func errors(of document: StreamDocument) -> [JSONError] {
        document.pipeline.references.isEmpty ? document.errors?.errors ?? [] : referenceErrors(document)
    }

    private func referenceErrors(_ document: StreamDocument) -> [JSONError] {
        if document.pipeline.references.isEmpty { return [] }
        do throws(JSONErrors) {
            _ = try document.flow(in: library(for: document))
            return []
        } catch {
            // The library has what the document refers to; that is not all that the hub has.
            return error.errors.map { error in
                var error = error
                if error.hint?.hasPrefix("known: ") ?? false { error.hint = nil }
                return error
            }
        }
    }

    private func checkReferences(of id: String) {
        guard let document = documents[id], document.errors.isEmpty else { return }
        let errors = (try? document.document()).map { referenceErrors($0) } ?? []
        documents[id]?.referenceErrors = errors
    }

    /// Those that refer to a document, by its id or by its name as it is or was, see it as it is now; so do those that
    /// refer to them.
    private func recheck(dependentsOf document: HubDocument, was: HubDocument? = nil) {
        var found: Set<String> = [document.id]
        var open = [document.id, document.stored.name, was?.stored.name].compactMap { $0 }
        while let text = open.popLast() {
            for id in referring[text] ?? [] where found.insert(id).inserted {
                open.append(id)
                if let name = documents[id]?.stored.name { open.append(name) }
            }
        }
        for id in found where id != document.id { refresh(id) }
    }

    private func refresh(_ id: String) {
        let was = documents[id]?.isBlocked
        checkReferences(of: id)
        guard let other = documents[id] else { return }
        if other.isBlocked != was { tellChanged(other) }
        if runs[id] != nil { around.perform { await self.edit(other) } }
    }

    // MARK: Problems

    /// What an author is told whose revision is not the stored one: both, and what theirs would do to it.
    private func conflict(_ error: StoreError, yours: StreamDraft?, _ revision: Int) -> any Error {
        guard case .conflict(_, _, let current) = error.kind else { return error }
        var problem = Problem(.preconditionFailed, error.reason)
        if let current {
            problem["current"] = ["revision": .int(Int64(current.revision)), "text": .string(current.text)]
        }
        if let yours {
            problem["yours"] = ["revision": .int(Int64(revision)), "text": .string(yours.text)]
            if let current, let was = try? StreamDocument(preserving: Array(current.text.utf8)),
                let now = try? StreamDocument(preserving: Array(yours.text.utf8))
            {
                problem["plan"] = StreamPlan(from: was, in: library(for: was), to: now, in: library(for: now)).json
            }
        }
        return problem
    }
}
