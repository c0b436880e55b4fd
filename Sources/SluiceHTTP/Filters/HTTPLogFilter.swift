#if HTTP
import Foundation
import HTTPTypes
public import Sluice
import SluiceFilters

/// A filter that writes requests and answers to the log of the call, without secrets.
///
/// ```swift
/// let node = HTTPLogFilter(stage: "transport").andThen(HTTPTransport())
/// // GET https://example.com/users?token=*** [accept: application/json, authorization: ***]
/// // 200 OK after 12 ms [content-type: application/json]
/// ```
///
/// Records go to ``Sluice/CallContext/log`` and have the stage and its order as metadata (`stage`, `order`), by which a
/// ``LogSessionFilter`` excludes and sorts them. If no log is set, no record is made, and nothing is allocated.
///
/// Bodies are logged only if you set a number of bytes; a streamed body never is, since reading it would take it from
/// the caller.
public struct HTTPLogFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let stage: String
    private let order: Double
    private let level: LogHook.Level
    private let redaction: LogRedaction
    private let bodyBytes: Int
    private let timer: CallTimer

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - stage: the `stage` of the records.
    ///   - order: the `order` of the records: their position among those of other stages.
    ///   - level: the level of the records; for failures, at least a warning.
    ///   - redaction: the data that is not logged.
    ///   - bodyBytes: the number of bytes of a body that are logged; 0 by default.
    ///   - clock: the clock that measures the duration of calls.
    public init(
        stage: String = "http",
        order: Double = 0,
        level: LogHook.Level = .info,
        redaction: LogRedaction = LogRedaction(),
        bodyBytes: Int = 0,
        clock: any Clock<Duration> = .continuous
    ) {
        self.stage = stage
        self.order = order
        self.level = level
        self.redaction = redaction
        self.bodyBytes = max(bodyBytes, 0)
        timer = .of(clock)
    }

    /// Calls `next`, and logs the request and its answer.
    ///
    /// - Throws: the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        guard let hook = CallContext.current.log, max(level, .warning) >= hook.level else {
            return try await next.process(request)
        }
        log(
            level,
            "\(request.method.rawValue) \(redaction.text(of: request.url)) \(redaction.text(of: request.headers))\(body(request.body))"
        )
        let start = timer.now
        do {
            let response = try await next.process(request)
            log(
                level,
                "\(response.status.summary) after \(time(since: start)) \(redaction.text(of: response.headers))\(body(response.body))"
            )
            return response
        } catch {
            if error is CancellationError {
                log(level, "canceled after \(time(since: start))")
            } else {
                log(max(level, .warning), "failed after \(time(since: start)): \(error)")
            }
            throw error
        }
    }

    private func log(_ level: LogHook.Level, _ message: @autoclosure () -> String) {
        var context = CallContext.current
        guard let hook = context.log, level >= hook.level else { return }
        context.metadata["stage"] = stage
        context.metadata["order"] = "\(order)"
        withCallContext(context) { CallContext.log(level, message()) }
    }

    private func time(since start: Int64) -> String { "\((timer.now - start) / 1_000_000) ms" }

    private func body(_ body: RequestBody?) -> String {
        guard bodyBytes > 0, let body else { return "" }
        switch body {
        case .bytes(let bytes): return text(bytes)
        case .file: return " (a file)"
        case .stream: return " (a stream)"
        }
    }

    private func body(_ body: ByteStream) -> String {
        guard bodyBytes > 0 else { return "" }
        return body.bytes.map(text) ?? " (a stream)"
    }

    private func text(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "" }
        let head = bytes.prefix(bodyBytes)
        let rest = bytes.count > head.count ? " and \(bytes.count - head.count) bytes more" : ""
        // The text is quoted and escaped, so that a body can't look like another record.
        return " \(String(decoding: head, as: UTF8.self).debugDescription)\(rest)"
    }

    /// The description `HTTPLogFilter(transport)`.
    public var description: String { "HTTPLogFilter(\(stage))" }
}
#endif
