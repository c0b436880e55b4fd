#if Hub
import Sluice
import SluiceRuns

/// Outputs that hubs of one process share.
final class MemorySharedOutputs: SharedOutputs {
    struct Message: Sendable {
        let stream: String
        let run: String
        let output: SharedOutput
        /// The request for which it is shared; `nil` for one that all get.
        let request: SharedOutputRequest?

        func isRead(for request: SharedOutputRequest) -> Bool {
            stream == request.stream && (self.request ?? request) == request
        }
    }

    private struct State {
        var messages: [Message] = []
        var requests: [SharedOutputRequest] = []
        var isAway = false
        var failures = 0
        var first = 0
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var followers: [AsyncThrowingStream<SharedOutputRequest, any Error>.Continuation] = []
        var last = 0
    }

    private let state = Locked(State())

    /// The outputs that are shared, as text.
    var texts: [String] {
        state.withLock { state in
            state.messages.map {
                "\($0.stream) \($0.output.content)\($0.request?.isFromStart == true ? " from the start" : "")"
            }
        }
    }
    var requests: [SharedOutputRequest] { state.withLock { $0.requests } }
    var readerCount: Int { state.withLock { $0.readers.count } }

    /// Has all readings return, as they do every second or two.
    func nudge() { for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() } }

    func setAway(_ isAway: Bool) {
        state.withLock { $0.isAway = isAway }
        nudge()
    }

    /// Has the next readings fail.
    func failReads(_ count: Int) { state.withLock { $0.failures = count } }

    fileprivate func checkRead() throws {
        try check()
        let fails = state.withLock { state in
            defer { state.failures = max(0, state.failures - 1) }
            return state.failures > 0
        }
        if fails { throw StoreError(.unavailable(reason: "the reading fails")) }
    }

    /// Removes the first messages.
    func remove(_ count: Int) { state.withLock { $0.first = count } }

    private func check() throws {
        if state.withLock({ $0.isAway }) { throw StoreError(.unavailable(reason: "the cluster is away")) }
    }

    func request(_ request: SharedOutputRequest) async throws {
        try check()
        let followers = state.withLock { state in
            state.requests.append(request)
            return state.followers
        }
        for follower in followers { follower.yield(request) }
    }

    func requests() async throws -> AsyncThrowingStream<SharedOutputRequest, any Error> {
        try check()
        let (requests, continuation) = AsyncThrowingStream<SharedOutputRequest, any Error>.makeStream()
        state.withLock { state in
            for request in state.requests { continuation.yield(request) }
            state.followers.append(continuation)
        }
        return requests
    }

    func outputs(for request: SharedOutputRequest, after position: String?) async throws -> any SharedOutputReading {
        try check()
        let (notes, note) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        note.yield()
        return state.withLock { state in
            state.last += 1
            state.readers[state.last] = note
            let place = position.flatMap { Int($0) } ?? (request.isFromStart ? state.first : state.messages.count)
            return Reading(self, request, place, state.last, notes, mayMissOutputs: place < state.first)
        }
    }

    func lastShared(ofRun run: String, for request: SharedOutputRequest) async throws -> Int? {
        try check()
        return state.withLock { state in
            state.messages.last { $0.run == run && $0.isRead(for: request) }?.output.place?.sequence
        }
    }

    func share(_ output: StoredOutput, ofRun run: String, for request: SharedOutputRequest) async throws {
        if try await lastShared(ofRun: run, for: request) ?? 0 >= output.sequence { return }
        let content: SharedOutput.Content =
            output.kind == .value ? .value(output.text) : .error(output.kind, output.text)
        add(content, at: output.place, ofRun: run, of: request.stream, for: request)
    }

    /// Adds an output that another hub shares.
    func add(
        _ content: SharedOutput.Content,
        at place: OutputPlace? = nil,
        ofRun run: String = "R",
        of stream: String,
        for request: SharedOutputRequest? = nil
    ) {
        state.withLock { state in
            let position = "\(state.messages.count + 1)"
            let output = SharedOutput(position: position, content: content, place: place, run: place == nil ? nil : run)
            state.messages.append(Message(stream: stream, run: run, output: output, request: request))
        }
        nudge()
    }

    private actor Reading: SharedOutputReading {
        private let outputs: MemorySharedOutputs
        private let request: SharedOutputRequest
        private var place: Int
        private let number: Int
        private let notes: AsyncStream<Void>
        private var mayMissOutputs: Bool

        init(
            _ outputs: MemorySharedOutputs,
            _ request: SharedOutputRequest,
            _ place: Int,
            _ number: Int,
            _ notes: AsyncStream<Void>,
            mayMissOutputs: Bool
        ) {
            (self.outputs, self.request, self.place, self.number) = (outputs, request, place, number)
            (self.notes, self.mayMissOutputs) = (notes, mayMissOutputs)
        }

        var position: String { "\(place)" }

        func next() async throws -> SharedOutputPage {
            var iterator = notes.makeAsyncIterator()
            guard await iterator.next() != nil else { throw CancellationError() }
            try outputs.checkRead()
            let first = place
            let messages = outputs.state.withLock { state in Array(state.messages[max(first, state.first)...]) }
            if let last = messages.last { place = Int(last.output.position) ?? place }
            defer { mayMissOutputs = false }
            return SharedOutputPage(
                outputs: messages.filter { $0.isRead(for: request) }.map(\.output),
                position: "\(place)",
                mayMissOutputs: mayMissOutputs
            )
        }

        func close() { outputs.state.withLock { $0.readers[number] = nil } }
    }
}
#endif
