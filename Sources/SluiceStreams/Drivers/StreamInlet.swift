/// The inlet to which a source of the outside world sends its items, from any thread.
public struct StreamInlet<Value: Sendable>: Sendable {
    let send: @Sendable (Value, String?) async throws -> Void
    var sendAwaited: (@Sendable (Value, String, StreamDelivery) async throws -> Void)?
    let push: @Sendable (Value) -> Bool
    var mark: @Sendable (String) -> Void = { _ in }
    var deliver: @Sendable (Value, StreamDelivery) throws -> Bool = { _, _ in false }
    /// The position of the last item that the run had before it was resumed, for a source that gives positions; `nil`
    /// for a run that begins.
    public var position: String?
    var report: @Sendable (String?) -> Void = { _ in }
    /// The id of the stream that reads the source; `nil` for a stream that is not of a hub.
    package var stream: String?
    /// The filter stacks that sources name.
    package var stacks = NamedStacks()

    /// Sends an item to the buffer; waits for room if the buffer's policy is ``StreamBuffer/WhenFull/block``.
    ///
    /// - Throws: `CancellationError` when the stream has ended or the task is canceled; ``StreamError`` when the buffer
    ///   is full and its policy is ``StreamBuffer/WhenFull/fail``, or when a stream can't hold the item.
    public func send(_ value: Value) async throws { try await send(value, nil) }

    /// Sends an item with its position in the source, which is saved with the run: a source that was registered with
    /// `hasPositions` finds the position of the last item in ``position`` when the run is resumed.
    ///
    /// - Throws: As ``send(_:)``.
    public func send(_ value: Value, at position: String) async throws { try await send(value, position) }

    /// Sends an item with its position, whose delivery ends when the store has it, or here where nothing is stored.
    ///
    /// - Throws: As ``send(_:)``.
    package func send(_ value: Value, at position: String, awaitedBy delivery: StreamDelivery) async throws {
        if let sendAwaited { return try await sendAwaited(value, position, delivery) }
        try await send(value, position)
        delivery.onStored?()
    }

    /// Sends an item whose sender waits until the run has taken it.
    ///
    /// - Returns: `false` if there is no room, or the stream has ended.
    /// - Throws: ``StreamError`` when a stream can't hold the item; ``StreamItemSizeError`` when it is too large.
    package func deliver(_ value: Value, awaitedBy delivery: StreamDelivery) throws -> Bool {
        try deliver(value, delivery)
    }

    /// Stores a position without an item, from which a run that resumes continues: for a source that has read something
    /// that gives no item.
    ///
    /// It never waits for room: while the run has not taken it, the next position without an item replaces it.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func mark(at position: String) async throws {
        try Task.checkCancellation()
        mark(position)
    }

    /// Sends an item to the buffer without waiting, for sources that cannot be slowed down.
    ///
    /// If the buffer is full and its policy is ``StreamBuffer/WhenFull/block``, the stream fails: choose another
    /// policy.
    ///
    /// - Returns: `true` if the stream wants more items.
    @discardableResult
    public func push(_ value: Value) -> Bool { push(value) }

    /// Reports why the source has nothing to give: it waits for a server that can't be reached, and tries again. The next
    /// item, or `nil`, takes the report back.
    ///
    /// - Complexity: O(1)
    public func report(waiting reason: String?) { report(reason) }
}
