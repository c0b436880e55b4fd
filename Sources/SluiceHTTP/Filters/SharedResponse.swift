#if HTTP
import HTTPTypes
import Sluice

/// An answer for several callers: complete, so that each can read it.
///
/// It is for the first caller only if it is too long for that, belongs to another user, or sets cookies: callers without
/// credentials look alike, and a cookie that all of them got would make them one session.
struct SharedResponse: Sendable {
    private let result: Result<TransportResponse, any Error>
    private let claim: Claim?

    /// Makes a shared answer of an unchanged one.
    init(_ response: TransportResponse) {
        claim = response.body.bytes == nil || response.setsCookies ? Claim() : nil
        result = .success(response)
    }

    /// Makes an answer that only the first caller gets.
    init(forOne response: TransportResponse) {
        claim = Claim()
        result = .success(response)
    }

    /// Makes a failure that only the first caller gets.
    init(forOne error: HTTPError) {
        claim = Claim()
        result = .failure(error)
    }

    /// Reads an answer of at most `limit` bytes into memory; a longer answer stays streamed.
    nonisolated(nonsending) init(_ response: TransportResponse, collecting limit: Int) async throws {
        var response = response
        if response.body.bytes == nil, !response.setsCookies {
            if let length = response.headers[.contentLength].flatMap({ Int($0) }), length > limit {
                self.init(forOne: response)
                return
            }
            response.body = try await response.body.collectedIfShort(upTo: limit)
        }
        self.init(response)
    }

    /// Returns the answer; `nil` if it was for one caller and another has taken it.
    ///
    /// - Throws: the failure that is for this caller.
    func take() throws -> TransportResponse? {
        guard let claim else { return try result.get() }
        return try claim.take() ? result.get() : nil
    }
}

/// The right to a thing that only one of several callers may have.
final class Claim: Sendable {
    private let isTaken = Locked(false)

    /// Returns a Boolean value that indicates whether this is the first caller.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}

extension TransportResponse {
    /// A Boolean value that indicates whether the answer sets cookies.
    var setsCookies: Bool { headers.contains(.setCookie) }
}

extension ByteStream {
    /// Returns the bytes in memory if there are at most `limit`, otherwise a stream of the same bytes.
    nonisolated(nonsending) func collectedIfShort(upTo limit: Int) async throws -> ByteStream {
        let reader = StreamReader(makeAsyncIterator())
        var bytes: [UInt8] = []
        while let chunk = try await reader.next() {
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            guard bytes.count <= limit else {
                let head = bytes
                return ByteStream {
                    var head: [UInt8]? = head
                    return {
                        if let first = head {
                            head = nil
                            return first
                        }
                        return try await reader.next()
                    }
                }
            }
        }
        return ByteStream(bytes)
    }
}

/// An iterator that moves from one task to another.
///
/// `@unchecked Sendable`: it has one user at a time. The first one is the collecting task; when that ends, it is the
/// only reader of a ``ByteStream`` of chunks, which starts after it.
private final class StreamReader: @unchecked Sendable {
    private var iterator: ByteStream.AsyncIterator

    init(_ iterator: sending ByteStream.AsyncIterator) { self.iterator = iterator }

    nonisolated(nonsending) func next() async throws -> [UInt8]? { try await iterator.next() }
}
#endif
