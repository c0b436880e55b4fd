/// Waits until the task is canceled, then throws.
func untilCancelled<T>() async throws -> T {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}
