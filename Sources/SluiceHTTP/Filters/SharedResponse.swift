#if HTTP
import HTTPTypes
import Sluice

/// An answer for several callers: complete, so that each can read it, or, if it is too long for that or belongs to another
/// user, for the first caller only.
struct SharedResponse: Sendable {
    private let result: Result<TransportResponse, any Error>
    private let claim: Claim?

    private final class Claim: Sendable {
        let isTaken = Locked(false)
    }

    /// Makes a shared answer of an unchanged one.
    init(_ response: TransportResponse) {
        claim = response.body.bytes == nil ? Claim() : nil
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
        if response.body.bytes == nil {
            if let length = response.headers[.contentLength].flatMap({ Int($0) }), length > limit {
                claim = Claim()
                result = .success(response)
                return
            }
            response.body = try await response.body.collectedIfShort(upTo: limit)
        }
        claim = response.body.bytes == nil ? Claim() : nil
        result = .success(response)
    }

    /// Returns the answer; `nil` if it was for one caller and another has taken it.
    ///
    /// - Throws: the failure that is for this caller.
    func take() throws -> TransportResponse? {
        guard let claim else { return try result.get() }
        let wasTaken = claim.isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        return try wasTaken ? nil : result.get()
    }
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
