#if Hub
import Logging
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams

/// The streams of a store, and their runs.
///
/// The documents are held in memory as the store has them; this hub alone writes them. They are parsed and compiled
/// outside of the actor; see ``DocumentCompiler``. The texts are read outside of it too; see ``PublishedDocuments``.
actor StreamHub {
    nonisolated let around: HubEnvironment
    nonisolated let compiler = DocumentCompiler()
    /// The documents as they are read outside of the actor.
    nonisolated let published = PublishedDocuments()
    var set: DocumentSet
    /// The list of all streams.
    nonisolated let list = HeadList()
    var runs: [String: RunSupervisor] = [:]
    /// The stored runs that were not opened yet.
    var waiting: [String: StoredRun] = [:]
    /// The runs that are being opened, with the work of those that nobody has asked for.
    var opening: [String: (task: Task<RunSupervisor, any Error>, work: BackgroundWork?)] = [:]
    /// The ids of the streams that are being removed.
    var removing: Set<String> = []
    /// The number of writes of each document that are in progress, and what others have written meanwhile; see
    /// StreamHub+Following.
    var writes: [String: Int] = [:]
    var late: [String: DefinitionChange] = [:]
    /// The revisions of the last removals in a shared store, and their order.
    var removals: [String: Int] = [:]
    var removalOrder: [String] = []
    /// The number of plans whose tests run or wait.
    var testedPlans = 0
    /// The number of trials of sources and sinks that run.
    var trials = 0
    /// The leases of streams that run, or have run, on members of groups; see StreamHub+Leases.
    var leases: [String: StreamLease] = [:]
    /// The states of streams that run on members, as the holders of their leases have reported them.
    var leasedReports: [String: LeasedReport] = [:]
    /// The last writes under the leases, and their answers.
    var lastWrites: [String: (write: Int, answer: [UInt8])] = [:]
    /// The places of the last outputs that were stored under the leases, as far as they were asked for.
    var lastOutputs: [String: OutputPlace] = [:]
    /// The work on each stream's lease that was begun last.
    var leaseLine: [String: Task<Void, Never>] = [:]
    /// The alarms at the ends of leases.
    var leaseAlarms: [String: any RunAlarm] = [:]
    /// The commands that wait for members; see StreamHub+Orders.
    var orders: [String: [WaitingOrder]] = [:]
    var lastOrder = 0
    /// The streams of whose outputs the members that wait are not informed yet.
    var newOutputs: Set<String> = []
    var outputAlarm: (any RunAlarm)?
    /// The groups, and their subscribers; see StreamHub+Groups.
    var groups: [String: HubGroup] = [HubGroup.all: HubGroup(name: HubGroup.all)]
    var lastGroupSubscriber = 0
    private(set) var isShutDown = false
    /// A Boolean value that indicates whether runs have ended whose memory was not returned to the system yet.
    var hasFreedMemory = false
    /// The time at which old revisions and outputs were last removed.
    var lastTrim: Int64?
    /// The workers of the cluster as they were last seen.
    var lastWorkers: [WorkerReport] = []
    /// The streams that they run.
    var workedStreams: Set<String> = []

    init(_ around: HubEnvironment) {
        self.around = around
        set = DocumentSet(publishedIn: published)
    }

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
        around.subscriptions.endClients()
        for id in orders.keys { endOrders(of: id) }
        for alarm in leaseAlarms.values { alarm.cancel() }
        outputAlarm?.cancel()
        await withTaskGroup { group in
            for run in runs.values { group.addTask { await run.command { await run.shutDown() } } }
        }
        await around.deliveries?.close()
    }

    // MARK: Reading

    /// Returns the documents that have changed since the last call, for the list of all streams.
    ///
    /// - Parameter statuses: the streams whose statuses have changed; `nil` for all.
    func takeChanges(_ statuses: Set<String>?) -> HeadList.Changes {
        guard let statuses, let ids = set.takeChanged() else {
            _ = set.takeChanged()
            let documents = set.all.map { ($0.id, set.arrival(of: $0.id) ?? 0, Optional($0)) }
            return HeadList.Changes(areAll: true, documents: documents)
        }
        let documents = ids.union(statuses).map { ($0, set.arrival(of: $0) ?? 0, set[$0]) }
        return HeadList.Changes(areAll: false, documents: documents)
    }

    /// Returns the heads of all streams that a search finds.
    nonisolated func heads(_ search: String) async -> [JSON] {
        let search = search.lowercased()
        return await all.compactMap { document in
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

    /// Returns a stream, or a filter stack, as it is stored.
    ///
    /// - Throws: ``Problem`` when no document has that id.
    nonisolated func stored(_ id: String, _ kind: DocumentKind = .stream) throws(Problem) -> StoredStream {
        guard let entry = published[id], entry.isStack == (kind == .stack) else { throw .none(id, kind) }
        return entry.stored
    }

    /// Returns a Boolean value that indicates whether an id is that of a document of another kind.
    func isOther(_ id: String, than kind: DocumentKind) -> Bool {
        set[id].map { $0.isStack != (kind == .stack) } ?? false
    }

    /// All documents, in the order in which they came.
    var all: [HubDocument] { Array(set.all) }

    /// Returns the entry of a document in a list.
    func head(_ document: HubDocument) -> JSON { document.head(around.bus.status(of: document.id)) }
}
#endif
