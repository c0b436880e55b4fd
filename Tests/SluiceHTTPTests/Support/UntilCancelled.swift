#if HTTP
/// Waits without end; throws `CancellationError` when its task is canceled.
func untilCancelled() async throws {
    for await _ in AsyncStream(Never.self, { _ in }) {}
    try Task.checkCancellation()
}
#endif
