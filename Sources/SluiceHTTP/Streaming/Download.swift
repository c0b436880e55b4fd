#if HTTP
public import HTTPTypes
public import Sluice
import SluiceFilters

/// A node that saves the body of an answer in a file, and resumes an earlier attempt that was interrupted.
///
/// ```swift
/// let download = Download(over: HTTPTransport(body: .streamed))
/// let movie = TransportRequest(.get, URL(string: "http://example.com/movie.mp4")!)
/// let file = try await download.process(.init(movie, to: "/data/movie.mp4"))
/// print(file.count, file.resumedAt)
/// ```
///
/// During the download the bytes are in `PATH.part`; at the end, the complete file appears atomically, replacing an
/// existing one. When the download fails or is canceled, the received bytes stay there, with a note in `PATH.part.json`
/// that identifies the original, if the server provides a way to detect changes (a strong ETag, or Last-Modified). The
/// next attempt, in this process or a later one, requests the rest with Range and If-Range; if the file has changed, or
/// the server doesn't support ranges, it sends everything, and the download starts over. So a retry is a filter, as
/// everywhere:
///
/// ```swift
/// let download = RetryFilter(maxAttempts: 5).andThen(Download(over: HTTPTransport(body: .streamed)))
/// ```
///
/// Bytes are saved as the server stores them: the request asks for no compression. Files are written on threads that
/// may block, and at most one chunk is in memory at any time. Of two concurrent downloads to one path, the second
/// fails.
public struct Download<Next: Node<TransportRequest, TransportResponse>>: Node, CustomStringConvertible {
    /// A download: the request and the destination.
    public struct Job: Sendable {
        /// The request to send.
        public var request: TransportRequest
        /// The path of the file.
        public var path: String

        /// Makes a job.
        public init(_ request: TransportRequest, to path: String) {
            self.request = request
            self.path = path
        }
    }

    /// A saved file.
    public struct File: Sendable {
        /// The path of the file.
        public let path: String
        /// The number of bytes in the file.
        public let count: Int
        /// The number of bytes from earlier attempts.
        public let resumedAt: Int
        /// The header fields of the last answer.
        public let headers: HTTPFields
    }

    private let node: Next
    private let progress: (@Sendable (TransferProgress) -> Void)?
    private let interval: Duration
    private let clock: any Clock<Duration>

    /// Makes a node that downloads.
    ///
    /// - Parameters:
    ///   - node: the node that sends the requests; its answers should be streamed, since complete ones are limited and
    ///     in memory.
    ///   - interval: the shortest time between two calls of `progress`.
    ///   - clock: the clock that measures the interval.
    ///   - progress: a closure that gets the progress, as for ``ProgressFilter``.
    public init(
        over node: Next,
        every interval: Duration = .milliseconds(100),
        clock: any Clock<Duration> = .continuous,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.node = node
        self.interval = interval
        self.clock = clock
        self.progress = progress
    }

    /// Downloads a file.
    ///
    /// - Throws: ``HTTPError`` for an answer other than 200 and 206, for a part other than the requested one, and when
    ///   the file can't be written; the errors of the node and the body.
    /// - Cancellation: ends the exchange; the received bytes stay for a later attempt.
    nonisolated(nonsending) public func process(_ job: Job) async throws -> File {
        let part: PartialFile
        do {
            part = try await PartialFile.opened(for: job.path)
        } catch {
            throw Self.writing(error, job.request)
        }
        defer { part.release() }
        if let (count, origin) = try await part.resumable(), origin.summary == job.request.summary {
            if let file = try await resume(job, part, at: count, of: origin) { return file }
        }
        var request = job.request
        request.headers[.acceptEncoding] = "identity"
        return try await restart(try await node.process(request), job, part)
    }

    /// Requests the rest; returns `nil` if the whole file is needed.
    nonisolated(nonsending) private func resume(
        _ job: Job,
        _ part: PartialFile,
        at offset: Int,
        of origin: PartialFile.Origin
    ) async throws -> File? {
        var request = job.request
        request.headers[.acceptEncoding] = "identity"
        request.headers[.range] = "bytes=\(offset)-"
        request.headers[.ifRange] = origin.validator
        let response = try await node.process(request)
        let range = response.headers[.contentRange].flatMap(ContentRange.init)
        switch response.status.code {
        case 206:
            // Bytes that may belong to another version are never combined with the existing ones.
            guard let range, range.range?.lowerBound == offset, origin.total == nil || range.total == origin.total,
                response.headers[.eTag] == nil || !origin.validator.hasPrefix("\"")
                    || response.headers[.eTag] == origin.validator
            else { return nil }
            let end = range.range.map { $0.upperBound + 1 }
            return try await save(response, job, part, from: offset, to: end, total: range.total)
        case 416 where range?.range == nil && range?.total == offset && origin.total == offset:
            return try await finish(response, job, part, count: offset, resumedAt: offset)
        case 416: return nil
        default: return try await restart(response, job, part)
        }
    }

    /// Saves a complete answer.
    nonisolated(nonsending) private func restart(
        _ response: TransportResponse,
        _ job: Job,
        _ part: PartialFile
    ) async throws -> File {
        guard response.status.code == 200 else {
            var response = response
            // An unreadable body must not hide the status.
            response = (try? await response.whole(upTo: 64 << 10)) ?? response
            if response.body.bytes == nil { response.body = [] }
            try Task.checkCancellation()
            throw HTTPError(.badStatus, "\(response.status)", request: job.request, response: response)
        }
        let isEncoded = response.headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
        let total = isEncoded ? nil : response.headers[.contentLength].flatMap { Int($0) }
        let validator = isEncoded ? nil : Self.validator(response.headers)
        let origin = validator.map { PartialFile.Origin(summary: job.request.summary, validator: $0, total: total) }
        do {
            try await part.restart(origin)
        } catch {
            throw Self.writing(error, job.request)
        }
        do {
            return try await save(response, job, part, from: 0, to: total, total: total)
        } catch {
            if origin == nil { await part.discard() }
            throw error
        }
    }

    /// Appends the body to the existing bytes.
    nonisolated(nonsending) private func save(
        _ response: TransportResponse,
        _ job: Job,
        _ part: PartialFile,
        from start: Int,
        to end: Int?,
        total: Int?
    ) async throws -> File {
        let reporter = progress.map { ProgressReporter(every: interval, clock: clock, $0) }
        reporter?.start(at: start)
        var count = start
        for try await chunk in response.body {
            guard count + chunk.count <= end ?? .max else {
                await part.discard()
                throw HTTPError(.badBody, "the server sent more than it said", request: job.request)
            }
            do {
                try await part.write(chunk, at: count)
            } catch {
                throw Self.writing(error, job.request)
            }
            count += chunk.count
            reporter?.add(chunk.count, total: total)
        }
        try Task.checkCancellation()
        if let end = total ?? end, count < end {
            let reason = "the answer broke off: \(count) of \(end) bytes"
            throw HTTPError(.unreachable, reason, request: job.request)
        }
        let file = try await finish(response, job, part, count: count, resumedAt: start)
        reporter?.end()
        return file
    }

    nonisolated(nonsending) private func finish(
        _ response: TransportResponse,
        _ job: Job,
        _ part: PartialFile,
        count: Int,
        resumedAt: Int
    ) async throws -> File {
        do {
            try await part.finish()
        } catch {
            throw Self.writing(error, job.request)
        }
        return File(path: job.path, count: count, resumedAt: resumedAt, headers: response.headers)
    }

    /// Returns the validator that detects changes of the file: a strong ETag, or a Last-Modified that is older than the
    /// answer (RFC 9110, 8.8.2.2); `nil` if the server sends neither, or doesn't support ranges.
    private static func validator(_ headers: HTTPFields) -> String? {
        if headers[.acceptRanges]?.lowercased() == "none" { return nil }
        if let tag = headers[.eTag] { return tag.hasPrefix("\"") ? tag : nil }
        return headers[.lastModified].flatMap { $0 == headers[.date] ? nil : $0 }
    }

    private static func writing(_ error: any Error, _ request: TransportRequest) -> any Error {
        if error is CancellationError { return error }
        return HTTPError(.failed, "the file cannot be written: \(error)", request: request, cause: error)
    }

    /// The description `Download`.
    public var description: String { "Download" }
}
#endif
