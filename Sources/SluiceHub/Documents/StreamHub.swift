#if Hub
import Logging
import NIOCore
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

/// The streams of a store, and their runs.
///
/// The documents are held in memory as the store has them; this hub alone writes them. They are parsed and compiled
/// outside of the actor, which serves every read; see ``DocumentCompiler``.
actor StreamHub {
    nonisolated let around: HubEnvironment
    nonisolated let compiler = DocumentCompiler()
    var set = DocumentSet()
    /// The list of all streams as it was last written, and the numbers of changes until then.
    private var list: (changes: Int, statuses: Int, text: ByteBuffer)?
    var runs: [String: RunSupervisor] = [:]
    /// The stored runs that were not opened yet.
    var waiting: [String: StoredRun] = [:]
    /// The runs that are being opened.
    var opening: [String: Task<RunSupervisor, any Error>] = [:]
    /// The ids of the streams that are being removed.
    var removing: Set<String> = []
    /// The number of plans whose tests run or wait.
    var testedPlans = 0
    /// The number of trials of sources and sinks that run.
    var trials = 0
    /// The groups, and their subscribers; see StreamHub+Groups.
    var groups: [String: HubGroup] = [HubGroup.all: HubGroup(name: HubGroup.all)]
    var lastGroupSubscriber = 0
    private(set) var isShutDown = false
    /// A Boolean value that indicates whether runs have ended whose memory was not returned to the system yet.
    var hasFreedMemory = false
    /// The time at which old revisions and outputs were last removed.
    var lastTrim: Int64?

    init(_ around: HubEnvironment) { self.around = around }

    var store: any StreamStore { around.store }
    var limits: HubLimits { around.settings.limits }

    /// A Boolean value that indicates whether nothing more is begun.
    var isEnding: Bool { isShutDown }

    /// Reads the store, gives an empty one the streams of the seed's program, and resumes its runs.
    func load() async throws {
        try await open()
        await resumeAll()
    }

    /// Ends all runs and subscriptions; what the runs have done is stored first.
    func shutDown() async {
        isShutDown = true
        around.bus.close()
        closeGroups()
        await withTaskGroup { group in
            for run in runs.values { group.addTask { await run.command { await run.shutDown() } } }
        }
        await around.deliveries?.close()
    }

    // MARK: Reading

    /// The heads of all streams as JSON: pages and programs ask for them again and again, and they are written only when
    /// something may have changed.
    var headsText: ByteBuffer {
        // A status that changes while they are written is seen the next time.
        let statuses = around.bus.statusCount
        if let list, list.changes == set.changes, list.statuses == statuses { return list.text }
        let text = ByteBuffer(string: JSON.array(heads("")).description)
        list = (set.changes, statuses, text)
        return text
    }

    /// Returns the heads of all streams that a search finds.
    func heads(_ search: String) -> [JSON] {
        let search = search.lowercased()
        return set.all.compactMap { document in
            guard !document.isStack, search.isEmpty || document.isFound(by: search) else { return nil }
            return document.head(around.bus.status(of: document.id))
        }
    }

    /// Returns a stream, or a filter stack.
    ///
    /// - Throws: ``Problem`` when no document has that id.
    func document(_ id: String, _ kind: DocumentKind = .stream) throws(Problem) -> HubDocument {
        guard let document = set[id], document.isStack == (kind == .stack) else { throw .none(id, kind) }
        return document
    }

    /// All documents, in the order in which they came.
    var all: [HubDocument] { Array(set.all) }

    /// Returns the entry of a document in a list.
    func head(_ document: HubDocument) -> JSON { document.head(around.bus.status(of: document.id)) }
}
#endif
