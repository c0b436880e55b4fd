#if HTTP
import HTTPTypes
public import Sluice

/// A filter that reports the progress of the bodies of requests and answers.
///
/// ```swift
/// let upload = ProgressFilter(upload: { print($0.completed, $0.total ?? 0) })
///     .andThen(HTTPTransport())
/// ```
///
/// It counts the bytes that pass it. It must be directly outside the transport, and the transport must return streamed
/// bodies for `download` to report more than the end. For compressed bodies it counts the decompressed bytes, whose
/// total is not known in advance.
///
/// Your closures are called in a task of their own, for one body never concurrently, in order, at most once each
/// `interval` and at the end; the transfer does not wait for them, and the last call may come after the answer. A body
/// that fails has no last call. The count of a request that is sent again starts over.
public struct ProgressFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let upload: (@Sendable (TransferProgress) -> Void)?
    private let download: (@Sendable (TransferProgress) -> Void)?
    private let interval: Duration
    private let clock: any Clock<Duration>

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - interval: the shortest time between two calls of one closure.
    ///   - clock: the clock that measures the interval.
    ///   - upload: a closure that gets the progress of the request's body.
    ///   - download: a closure that gets the progress of the answer's body.
    public init(
        every interval: Duration = .milliseconds(100),
        clock: any Clock<Duration> = .continuous,
        upload: (@Sendable (TransferProgress) -> Void)? = nil,
        download: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.upload = upload
        self.download = download
        self.interval = interval
        self.clock = clock
    }

    /// Calls `next`; throws its error. Reading the body throws the error of the body.
    ///
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        var request = request
        if let upload, let body = request.body { request.body = try await counted(body, upload) }
        var response = try await next.process(request)
        guard let download else { return response }
        let reporter = ProgressReporter(every: interval, clock: clock, download)
        if let bytes = response.body.bytes {
            reporter.add(bytes.count, total: bytes.count)
            reporter.end()
            return response
        }
        let isEncoded = response.headers[.contentEncoding] != nil
        let total = isEncoded ? nil : response.headers[.contentLength].flatMap { Int($0) }
        response.body = response.body.counted(by: reporter, total: total)
        return response
    }

    /// Returns the same body as a stream whose chunks are counted when the transport requests the next one.
    nonisolated(nonsending) private func counted(
        _ body: RequestBody,
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> RequestBody {
        let count: Int?
        let chunks: @Sendable () async throws -> ByteStream
        switch body {
        case .bytes(let bytes):
            count = bytes.count
            chunks = { ByteStream(slicing: bytes) }
        case .file(let path):
            // The transport reports an unreadable file.
            guard let file = try? await BodyFile.opened(path) else { return body }
            count = file.count
            chunks = { file.stream }
        case .stream(let stream):
            count = stream.count
            chunks = stream.chunks
        }
        return .stream(
            RequestStream(count: count, isReplayable: body.isReplayable) { [interval, clock] in
                let reporter = ProgressReporter(every: interval, clock: clock, report)
                return try await chunks().counted(by: reporter, total: count)
            }
        )
    }

    /// The description `ProgressFilter`.
    public var description: String { "ProgressFilter" }
}

extension ByteStream {
    /// Makes a stream of bytes in pieces of 64 KiB, so that there is progress to report.
    fileprivate init(slicing bytes: [UInt8]) {
        self.init {
            var rest = bytes[...]
            return {
                let chunk = rest.prefix(64 << 10)
                rest = rest.dropFirst(chunk.count)
                return chunk.isEmpty ? nil : Array(chunk)
            }
        }
    }

    /// Returns the same chunks; each is reported when the next one is requested, which means that it has been consumed.
    fileprivate func counted(by reporter: ProgressReporter, total: Int?) -> ByteStream {
        ByteStream { [self] in
            var iterator = makeAsyncIterator()
            if let failure = iterator.failure { throw failure }
            var taken = 0
            return {
                if taken > 0 { reporter.add(taken, total: total) }
                taken = 0
                let chunk = try await iterator.next()
                taken = chunk?.count ?? 0
                if chunk == nil { reporter.end() }
                return chunk
            }
        }
    }
}
#endif
