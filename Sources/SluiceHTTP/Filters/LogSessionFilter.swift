#if HTTP
public import Sluice

/// A filter that collects the log records of a call, and passes them on in the order of their stages when the call has
/// ended.
///
/// ```swift
/// let node = LogSessionFilter<TransportRequest, TransportResponse>(excluding: ["cache"]) { records in
///     for record in records { print(record.metadata["stage"] ?? "", record.message) }
/// }.andThen(HTTPLogFilter(stage: "transport", order: 49)).andThen(HTTPTransport())
/// ```
///
/// Put it at the head of a chain. Records have their `stage` and their `order` as metadata; those without an order
/// count as 0, and those with the same order stay as they were made. At most ten thousand are kept. An existing log of
/// the call also gets all of them as they are made.
public struct LogSessionFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let level: LogHook.Level
    private let excluded: Set<String>
    private let handler: @Sendable ([LogHook.Record]) -> Void

    private final class Records: Sendable {
        let list = Locked<[LogHook.Record]>([])
    }

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - level: the minimum level of a record.
    ///   - excluded: the stages whose records are left out.
    ///   - handler: a closure that gets the records; called once for each call that has records, at its end, on the
    ///     thread that ended it. Keep it short.
    public init(
        from level: LogHook.Level = .debug,
        excluding excluded: Set<String> = [],
        _ handler: @escaping @Sendable ([LogHook.Record]) -> Void
    ) {
        self.level = level
        self.excluded = excluded
        self.handler = handler
    }

    /// Calls `next`, and passes on the collected records.
    ///
    /// - Throws: the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        var context = CallContext.current
        let (records, outer, level) = (Records(), context.log, self.level)
        context.log = LogHook(from: min(level, outer?.level ?? level)) { [excluded] record in
            if let outer, record.level >= outer.level { outer.pass(record) }
            guard record.level >= level, !excluded.contains(record.metadata["stage"] ?? "") else { return }
            records.list.withLock { if $0.count < 10_000 { $0.append(record) } }
        }
        defer { deliver(records.list.withLock { $0 }) }
        return try await withCallContext(context) { try await next.process(request) }
    }

    private func deliver(_ records: [LogHook.Record]) {
        if records.isEmpty { return }
        let orders = records.map { Double($0.metadata["order"] ?? "") ?? 0 }
        handler(records.indices.sorted { (orders[$0], $0) < (orders[$1], $1) }.map { records[$0] })
    }

    /// The description `LogSessionFilter`.
    public var description: String { "LogSessionFilter" }
}
#endif
