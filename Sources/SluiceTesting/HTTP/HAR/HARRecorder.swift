#if HTTP
public import Foundation
internal import HTTPTypes
public import Sluice
internal import SluiceFilters
public import SluiceHTTP

/// A filter that records exchanges as an archive that browsers can show.
///
/// ```swift
/// let recorder = HARRecorder()
/// let transport = recorder.andThen(HTTPTransport())
/// // calls
/// try recorder.har.write(to: "calls.har")  // secrets are redacted now
/// ```
///
/// It changes nothing: bodies that arrive in chunks pass on as they come, and request bodies that are files or streams
/// are not recorded. A request without a response is recorded with the status 0, as in browsers. Bodies are held in
/// memory.
public final class HARRecorder: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let timer: CallTimer
    private let began: Date
    private let origin: Int64
    private let maximumBodyBytes: Int
    private let slots = Locked([RecordedExchange?]())

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures the times.
    ///   - date: The date that corresponds to the clock's current time.
    ///   - maximumBodyBytes: The maximum size of a recorded body; longer ones pass without being recorded. 64 MiB by
    ///     default.
    public init(clock: any Clock<Duration> = .continuous, date: Date = Date(), maximumBodyBytes: Int = 64 << 20) {
        timer = .of(clock)
        began = date
        origin = timer.now
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// The exchanges so far, in the order of the requests, including secrets. A response whose body was not read to its
    /// end has no body.
    public var har: HAR { HAR(slots.withLock { $0.compactMap(\.self) }) }

    /// Calls `next` and records its response; throws the error of `next`; canceled with the calling task.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let index = slots.withLock { slots in
            slots.append(nil)
            return slots.count - 1
        }
        let start = timer.now
        var exchange = RecordedExchange(request, TransportResponse())
        exchange.started = began.addingTimeInterval(Double(start - origin) / 1e9)
        do {
            let response = try await next.process(request)
            exchange.waited = .nanoseconds(timer.now - start)
            exchange.response = TransportResponse(status: response.status, headers: response.headers)
            if let bytes = response.body.bytes, bytes.count <= maximumBodyBytes {
                exchange.response.body = ByteStream(bytes)
            }
            keep(exchange, at: index)
            return response.body.bytes == nil ? recording(response, of: exchange, at: index) : response
        } catch {
            exchange.waited = .nanoseconds(timer.now - start)
            let reason = (error as? HTTPError)?.message ?? "\(type(of: error))"
            exchange.response.status = HTTPResponse.Status(code: 0, reasonPhrase: reason)
            keep(exchange, at: index)
            throw error
        }
    }

    /// Returns the response, whose chunks are recorded as they pass.
    private func recording(
        _ response: TransportResponse,
        of exchange: RecordedExchange,
        at index: Int
    ) -> TransportResponse {
        var passed = response
        let (timer, limit, head) = (timer, maximumBodyBytes, timer.now)
        passed.body = ByteStream {
            var chunks = response.body.makeAsyncIterator()
            var bytes: [UInt8]? = []
            return {
                if let chunk = try await chunks.next() {
                    if let count = bytes?.count, count + chunk.count <= limit { bytes? += chunk } else { bytes = nil }
                    return chunk
                }
                var exchange = exchange
                exchange.received = .nanoseconds(timer.now - head)
                exchange.response.body = ByteStream(bytes ?? [])
                self.keep(exchange, at: index)
                return nil
            }
        }
        return passed
    }

    private func keep(_ exchange: RecordedExchange, at index: Int) {
        slots.withLock { $0[index] = exchange }
    }

    /// The text `HARRecorder`.
    public var description: String { "HARRecorder" }
}
#endif
