import HTTPTypes
import Sluice

/// An answer for several callers: whole, so that each can read it, or, where it is too long for that, for the first
/// who takes it.
struct SharedResponse: Sendable {
    private let response: TransportResponse
    private let claim: Claim?

    private final class Claim: Sendable {
        let isTaken = Locked(false)
    }

    /// An answer as it is.
    init(_ response: TransportResponse) {
        claim = response.body.bytes == nil ? Claim() : nil
        self.response = response
    }

    /// An answer for the first caller who takes it only.
    init(forOne response: TransportResponse) {
        claim = Claim()
        self.response = response
    }

    /// Reads an answer of at most `limit` bytes into memory; what is longer goes on to arrive.
    nonisolated(nonsending) init(_ response: TransportResponse, collecting limit: Int) async throws {
        var response = response
        if response.body.bytes == nil {
            if let length = response.headers[.contentLength].flatMap({ Int($0) }), length > limit {
                claim = Claim()
                self.response = response
                return
            }
            response.body = try await response.body.collectedIfShort(upTo: limit)
        }
        claim = response.body.bytes == nil ? Claim() : nil
        self.response = response
    }

    /// The answer; `nil` where it was for one caller, and another has it.
    func take() -> TransportResponse? {
        guard let claim else { return response }
        let wasTaken = claim.isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        return wasTaken ? nil : response
    }
}

extension ByteStream {
    /// The bytes in memory if there are at most `limit`, else a stream of the same bytes.
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

/// An iterator that goes from one task to another.
///
/// `@unchecked Sendable`: one reader uses it at a time. It is first the one who collects; when that ends, it is the one
/// reader that a ``ByteStream`` of chunks has, begun after it.
private final class StreamReader: @unchecked Sendable {
    private var iterator: ByteStream.AsyncIterator

    init(_ iterator: sending ByteStream.AsyncIterator) { self.iterator = iterator }

    nonisolated(nonsending) func next() async throws -> [UInt8]? { try await iterator.next() }
}
