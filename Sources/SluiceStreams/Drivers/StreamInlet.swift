/// Where a source of the outside world puts its items, from any thread.
public struct StreamInlet<Value: Sendable>: Sendable {
    let send: @Sendable (Value) async throws -> Void
    let push: @Sendable (Value) -> Bool
    var report: @Sendable (String?) -> Void = { _ in }

    /// Puts an item into the buffer; waits for room where the buffer says ``StreamBuffer/WhenFull/block``.
    ///
    /// - Throws: `CancellationError` when the stream is over or the task is cancelled; ``StreamError`` when the buffer
    ///   is full and says ``StreamBuffer/WhenFull/fail``, or the item is no value that a stream can hold.
    public func send(_ value: Value) async throws { try await send(value) }

    /// Puts an item into the buffer, for sources that cannot be slowed down.
    ///
    /// Where the buffer says ``StreamBuffer/WhenFull/block`` and there is no room, the stream fails: choose another.
    ///
    /// - Returns: whether the stream wants more.
    @discardableResult
    public func push(_ value: Value) -> Bool { push(value) }

    /// Reports why the source has nothing to give: it waits for a server that can't be reached, and tries again. The next
    /// item, or `nil`, takes the report back.
    ///
    /// - Complexity: O(1)
    public func report(waiting reason: String?) { report(reason) }
}
