import Sluice

/// The connection between a source of the outside world, which has its own task, and a run.
final class SourceBuffer<Value: Sendable>: Sendable {
    private let name: String
    private let drops: DropCounter
    /// The largest estimated size of an item that a sender waits for, in bytes.
    let valueSize: Int
    /// A closure that notifies the run of new items.
    private let announce: @Sendable () -> Void
    private let state: Locked<State>

    private struct State {
        var buffer: SourceBufferState<Value>
        var waiting: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var lastID = 0
        var reason: String?
        var position: String?

        /// Removes and returns the continuations that wait for room, if there is any.
        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            guard !waiting.isEmpty, buffer.hasRoom else { return [] }
            defer { waiting = [] }
            return waiting.map(\.continuation)
        }
    }

    /// - Parameters:
    ///   - skipped: The number of items to skip, since the run has had them before.
    ///   - valueSize: The largest estimated size of an item that a sender waits for, in bytes.
    init(
        _ buffer: StreamBuffer,
        skipping skipped: Int = 0,
        valueSize: Int = .max,
        name: String,
        drops: DropCounter,
        announce: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.valueSize = valueSize
        self.drops = drops
        self.announce = announce
        state = Locked(State(buffer: SourceBufferState(buffer, skipping: skipped)))
    }

    // MARK: The source's side

    /// The position after which the source is to begin; `nil` for its start.
    var position: String? {
        get { state.withLock { $0.position } }
        set { state.withLock { $0.position = newValue } }
    }

    /// Adds an item; waits for room if the buffer's policy says so.
    ///
    /// - Parameters:
    ///   - position: The item's position in the source, for sources that can continue after it.
    ///   - delivery: The item on its way; `nil` where nobody waits for it.
    func send(_ value: Value, at position: String? = nil, _ delivery: StreamDelivery? = nil) async throws {
        while try offer(value, at: position, delivery) == .full {
            await waitForRoom()
            try Task.checkCancellation()
        }
    }

    /// Adds an item; returns `true` if more are wanted.
    func push(_ value: Value) -> Bool {
        do {
            if try offer(value) != .full { return true }
            finish(.failed(overflow("it cannot be slowed down")))
            return false
        } catch {
            finish(.failed(error))
            return false
        }
    }

    /// Adds an item whose sender waits until the run has taken it; returns `false` if there is no room, or nothing more is
    /// wanted.
    func deliver(_ value: Value, _ delivery: StreamDelivery) -> Bool {
        let (offer, isNew) = state.withLock { state in
            // The sender of a refused item sends it again, so that no other item is dropped for it.
            guard state.buffer.hasRoom else { return (SourceBufferState<Value>.Offer.full, false) }
            return (state.buffer.offer(value, at: nil, delivery), state.buffer.announce())
        }
        if isNew { announce() }
        return offer == .taken(dropped: false)
    }

    /// Adds a position without an item, or replaces the one that waits after the last item.
    func mark(_ position: String) {
        let isNew = state.withLock { state in
            state.buffer.mark(position)
            return state.buffer.announce()
        }
        if isNew { announce() }
    }

    /// Ends the source, after the waiting items.
    func finish(_ end: StreamEnd) {
        let isNew = state.withLock { state in
            state.buffer.finish(end)
            return state.buffer.announce()
        }
        if isNew { announce() }
    }

    /// Reports why nothing comes, or takes that back.
    func report(_ reason: String?) {
        let isNew = state.withLock { state in
            defer { state.reason = reason }
            return state.reason != reason
        }
        if isNew { announce() }
    }

    /// The reason for which nothing comes, where the source has reported one.
    var waiting: String? { state.withLock { $0.reason } }

    private func offer(
        _ value: Value,
        at position: String? = nil,
        _ delivery: StreamDelivery? = nil
    ) throws -> SourceBufferState<Value>.Offer {
        let (offer, isNew) = state.withLock { state in
            state.reason = nil
            let offer = state.buffer.offer(value, at: position, delivery)
            return (offer, state.buffer.announce())
        }
        if isNew { announce() }
        switch offer {
        case .taken(let dropped): if dropped { drops.add(name) }
        case .full: break
        case .overflown: throw overflow("the stream does not keep up")
        case .closed: throw CancellationError()
        }
        return offer
    }

    private func overflow(_ reason: String) -> StreamError {
        StreamError(
            message: "the buffer of the source \(name) is full, and \(reason): "
                + "give it a larger \"size\", or let \"whenFull\" be one that drops"
        )
    }

    private func waitForRoom() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.buffer.hasRoom || Task.isCancelled { return true }
                    state.waiting.append((id, continuation))
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiting.remove(at: index).continuation
            }
            continuation?.resume()
        }
    }

    // MARK: The run's side

    /// Removes and returns the oldest item, then the end; resumes the senders that wait for room.
    func take() -> (step: SourceBufferState<Value>.Step, delivery: StreamDelivery?)? {
        let (step, isNew, waiting) = state.withLock { state in
            let step = state.buffer.take()
            return (step, state.buffer.announce(), state.takeWaiting())
        }
        for continuation in waiting { continuation.resume() }
        if isNew { announce() }
        return step
    }

    /// Skips one more item.
    func skip() {
        let waiting = state.withLock { state in
            state.buffer.skip()
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Leaves out the items that wait, but for the newest; returns how many they were.
    func keepNewest() -> Int {
        let (count, waiting) = state.withLock { state in (state.buffer.keepNewest(), state.takeWaiting()) }
        for continuation in waiting { continuation.resume() }
        return count
    }

    /// Closes the connection, since nothing more is wanted, and resumes the senders that wait for room.
    func close() {
        let waiting = state.withLock { state in
            state.buffer.close()
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }
}
