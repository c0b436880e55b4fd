public import HTTPTypes
public import Sluice
import SluiceFilters

/// Saves the body of an answer in a file, and goes on where an earlier try has stopped.
///
/// ```swift
/// let download = Download(over: HTTPTransport(body: .streamed))
/// let movie = TransportRequest(.get, URL(string: "http://example.com/movie.mp4")!)
/// let file = try await download.process(.init(movie, to: "/data/movie.mp4"))
/// print(file.count, file.resumedAt)
/// ```
///
/// While it runs the bytes are in `PATH.part`; the file appears, whole, in one step at the end, in place of one that is
/// there. When it fails or is cancelled, what has come stays there, with a note in `PATH.part.json` of what it is a part
/// of, if the server says how to tell whether it is still the same (a strong ETag, or Last-Modified). The next try, in this
/// process or a later one, asks for the rest with Range and If-Range; a server whose file has changed, or that knows no
/// ranges, sends all of it, and it starts anew. So a retry is a filter as everywhere:
///
/// ```swift
/// let download = RetryFilter(attempt: 5).andThen(Download(over: HTTPTransport(body: .streamed)))
/// ```
///
/// Bytes are saved as the server keeps them: the request asks for no compression. Files are written on threads that may
/// block, at no time more than one chunk is in memory. Two downloads into one path at once are an error of the second.
public struct Download<Next: Node<TransportRequest, TransportResponse>>: Node, CustomStringConvertible {
    /// What to save, and where.
    public struct Job: Sendable {
        /// Sent for it.
        public var request: TransportRequest
        /// The path of the file.
        public var path: String

        /// Makes a job.
        public init(_ request: TransportRequest, to path: String) {
            self.request = request
            self.path = path
        }
    }

    /// What was saved.
    public struct File: Sendable {
        /// Where.
        public let path: String
        /// How many bytes it has.
        public let count: Int
        /// How many of them an earlier try had brought.
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
    ///   - node: carries the requests; its answers should be streamed, as whole ones are limited and in memory.
    ///   - interval: the shortest time between two calls of `progress`.
    ///   - clock: measures it.
    ///   - progress: hears how far it has come, as ``ProgressFilter`` says.
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
    /// - Throws: ``HTTPError`` for an answer other than 200 and 206, for a part that is not the one that was asked for, and
    ///   when the file cannot be written; what the node and the body throw.
    /// - Cancellation: ends the exchange; what has come stays, to go on from.
    nonisolated(nonsending) public func process(_ job: Job) async throws -> File {
        let part: PartialFile
        do {
            part = try await PartialFile.opened(for: job.path)
        } catch {
            throw Self.writing(error, job.request)
        }
        if let (count, origin) = try await part.resumable(), origin.summary == job.request.summary {
            if let file = try await resume(job, part, at: count, of: origin) { return file }
        }
        var request = job.request
        request.headers[.acceptEncoding] = "identity"
        return try await restart(try await node.process(request), job, part)
    }

    /// Asks for the rest; `nil` when only the whole can help.
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
            // What may be of something else is not put together with what is there.
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

    /// Saves an answer that is the whole.
    nonisolated(nonsending) private func restart(
        _ response: TransportResponse,
        _ job: Job,
        _ part: PartialFile
    ) async throws -> File {
        guard response.status.code == 200 else {
            var response = response
            // A body that cannot be had must not hide the status.
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

    /// Writes the body behind what is there.
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

    /// What tells whether a file is still the same: an ETag that is strong, or else a Last-Modified that is older than the
    /// answer (RFC 9110, 8.8.2.2); `nil` if the server has neither, or says that it knows no ranges.
    private static func validator(_ headers: HTTPFields) -> String? {
        if headers[.acceptRanges]?.lowercased() == "none" { return nil }
        if let tag = headers[.eTag] { return tag.hasPrefix("\"") ? tag : nil }
        return headers[.lastModified].flatMap { $0 == headers[.date] ? nil : $0 }
    }

    private static func writing(_ error: any Error, _ request: TransportRequest) -> any Error {
        if error is CancellationError { return error }
        return HTTPError(.failed, "the file cannot be written: \(error)", request: request, cause: error)
    }

    /// `Download`.
    public var description: String { "Download" }
}
