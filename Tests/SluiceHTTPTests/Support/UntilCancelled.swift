/// Work that never ends by itself; throws `CancellationError` when its task is cancelled.
func untilCancelled() async throws {
    for await _ in AsyncStream(Never.self, { _ in }) {}
    try Task.checkCancellation()
}
