public import Sluice

/// Collects the log records of a call, and hands them over in the order of their stages when it has ended.
///
/// ```swift
/// let node = LogSessionFilter<TransportRequest, TransportResponse>(excluding: ["cache"]) { records in
///     for record in records { print(record.metadata["stage"] ?? "", record.message) }
/// }.andThen(HTTPLogFilter(stage: "transport", order: 49)).andThen(HTTPTransport())
/// ```
///
/// Put it at the head of a chain. Records bear their `stage` and their `order` as metadata; those without an order stand
/// at 0, those of one order as they were made. At most ten thousand are kept. A log that the call has already gets all
/// of them besides, as they are made.
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
    ///   - level: the least level of a record.
    ///   - excluded: the stages whose records are left out.
    ///   - handler: called once for each call that has records, at its end, where it ended; keep it short.
    public init(
        from level: LogHook.Level = .debug,
        excluding excluded: Set<String> = [],
        _ handler: @escaping @Sendable ([LogHook.Record]) -> Void
    ) {
        self.level = level
        self.excluded = excluded
        self.handler = handler
    }

    /// Calls `next`, and hands over what was logged.
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

    /// `LogSessionFilter`.
    public var description: String { "LogSessionFilter" }
}
