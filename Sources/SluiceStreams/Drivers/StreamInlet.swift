/// The inlet to which a source of the outside world sends its items, from any thread.
public struct StreamInlet<Value: Sendable>: Sendable {
    let send: @Sendable (Value) async throws -> Void
    let push: @Sendable (Value) -> Bool
    var report: @Sendable (String?) -> Void = { _ in }

    /// Sends an item to the buffer; waits for room if the buffer's policy is ``StreamBuffer/WhenFull/block``.
    ///
    /// - Throws: `CancellationError` when the stream has ended or the task is canceled; ``StreamError`` when the buffer
    ///   is full and its policy is ``StreamBuffer/WhenFull/fail``, or when a stream can't hold the item.
    public func send(_ value: Value) async throws { try await send(value) }

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
