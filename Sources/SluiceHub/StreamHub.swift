import SluiceJSON
import SluiceStore
import SluiceStreams

/// The streams of a store, and their runs.
actor StreamHub {
    /// What a list says of a stream.
    struct Head: Sendable {
        let stored: StoredStream
        let description: String?
        let state: HubRun.State
        /// Why the stream cannot run.
        let trouble: String?
    }

    private let store: any StreamStore
    private var runs: [String: HubRun] = [:]
    private var isShutDown = false

    init(store: any StreamStore) { self.store = store }

    /// Gives an empty store the streams of the seed's program.
    func loadDefaults() async throws {
        guard try await store.list().isEmpty else { return }
        try await store.create(DefaultStreams.make(), by: nil)
    }

    /// All streams. One that does not check is listed with the reason and does not hide its neighbors.
    func heads() async throws -> [Head] {
        var heads: [Head] = []
        for stored in try await store.list() {
            do {
                let document = try StreamDocument(parsing: stored.text)
                let state = await runs[stored.id]?.state ?? .idle
                heads.append(Head(stored: stored, description: document.description, state: state, trouble: nil))
            } catch {
                heads.append(Head(stored: stored, description: nil, state: .failed, trouble: "\(error)"))
            }
        }
        return heads
    }

    /// The stream with an id; `nil` when there is none.
    func stored(_ id: String) async throws -> StoredStream? { try await store.read(id) }

    /// The run of a stream, made when it is first asked for; `nil` when there is no such stream.
    ///
    /// - Throws: `JSONErrors` when the document does not check.
    func run(_ id: String) async throws -> HubRun? {
        if let run = runs[id] { return run }
        guard let stored = try await store.read(id) else { return nil }
        let document = try StreamDocument(parsing: stored.text)
        // References lead to the other streams of the store.
        var library = StreamLibrary([document])
        if !document.pipeline.references.isEmpty {
            for other in try await store.list() where other.id != id {
                if let document = try? StreamDocument(preserving: Array(other.text.utf8)) { library.add(document) }
            }
        }
        let flow = try document.flow(in: library)
        if let run = runs[id] { return run }  // made by another while this one waited
        let run = HubRun(flow: flow)
        if isShutDown { await run.shutDown() } else { runs[id] = run }
        return run
    }

    /// Keeps the connections of those who listen open.
    func keepAlive() async {
        for run in runs.values { await run.keepAlive() }
    }

    /// Ends all runs and tells all who listen.
    func shutDown() async {
        isShutDown = true
        for run in runs.values { await run.shutDown() }
    }
}
