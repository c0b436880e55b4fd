#if HTTP
public import Foundation
import HTTPTypes
public import SluiceHTTP

/// A request and its answer, both completely in memory.
///
/// ```swift
/// let request = TransportRequest(.get, URL(string: "http://example.com/")!)
/// let exchange = RecordedExchange(request, TransportResponse(body: "hello"))
/// print(exchange)  // GET http://example.com/ → 200
/// ```
public struct RecordedExchange: Sendable, CustomStringConvertible {
    /// The request, whose body is in memory.
    public var request: TransportRequest
    /// The answer, whose body is complete.
    public var response: TransportResponse
    /// The time at which the request was sent; `nil` if unknown.
    public var started: Date?
    /// The time until the head of the answer arrived; `nil` if unknown.
    public var waited: Duration?
    /// The time from the head of the answer to the end of its body; `nil` if unknown.
    public var received: Duration?

    /// Makes an exchange.
    public init(
        _ request: TransportRequest,
        _ response: TransportResponse,
        started: Date? = nil,
        waited: Duration? = nil,
        received: Duration? = nil
    ) {
        self.request = request
        self.response = response
        self.started = started
        self.waited = waited
        self.received = received
    }

    /// The description `GET http://example.com/ → 200`.
    public var description: String { "\(request.summary) → \(response.status.code)" }
}

extension TransportRequest {
    /// Returns the request with its body in memory: a file is read on a thread of its own, a stream to its end.
    ///
    /// - Throws: ``HTTPError`` when the file cannot be read; ``ByteStreamError/tooLong(limit:)`` when there are more
    ///   than `limit` bytes; the error of the stream.
    nonisolated(nonsending) package func collected(upTo limit: Int) async throws -> TransportRequest {
        var request = self
        switch body {
        case nil, .bytes?: return self
        case .file(let path)?:
            let bytes = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: Self.read(path, limit)) }
            }
            guard let bytes else { throw HTTPError(.badRequest, "the file \(path) cannot be read", request: self) }
            if bytes.count > limit { throw ByteStreamError.tooLong(limit: limit) }
            request.body = .bytes(bytes)
        case .stream(let stream)?:
            request.body = .bytes(try await stream.chunks().collected(upTo: limit))
        }
        return request
    }

    /// Returns the bytes of a file, at most one more than `limit`; `nil` if it can't be read.
    private static func read(_ path: String, _ limit: Int) -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        do {
            return Array(try file.read(upToCount: limit < .max ? limit + 1 : limit) ?? Data())
        } catch {
            return nil
        }
    }
}
#endif
