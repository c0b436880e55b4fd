public import HTTPTypes
public import SluiceHTTP
public import SluiceJSON

/// What a stub of ``StubTransport`` answers: an answer, a failure, or chunks one after the other; at once or later.
///
/// ```swift
/// let user = StubAnswer.json(["name": "Ada"])
/// let slow = StubAnswer.status(.serviceUnavailable).delayed(by: .seconds(2))
/// let lines = StubAnswer.chunks(["1\n", "2\n"], each: .seconds(1))
/// ```
public struct StubAnswer: Sendable {
    /// Makes the answer. `wait` waits on the clock of the transport.
    let make: @Sendable (TransportRequest, @escaping StubWait) async throws -> TransportResponse
    var delay = Duration.zero

    /// An answer that is there.
    public static func response(_ response: TransportResponse) -> StubAnswer { StubAnswer { _, _ in response } }

    /// A status, without a body.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> StubAnswer {
        response(TransportResponse(status: status, headers: headers))
    }

    /// JSON with its Content-Type.
    public static func json(_ json: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> StubAnswer {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return response(TransportResponse(status: status, headers: headers, body: json.bytes()))
    }

    /// Text in UTF-8 with its Content-Type.
    public static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) -> StubAnswer {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "text/plain; charset=utf-8" }
        return response(TransportResponse(status: status, headers: headers, body: Array(text.utf8)))
    }

    /// The head of an answer at once, and its body in chunks of text.
    ///
    /// - Parameters:
    ///   - chunks: what arrives, in pieces.
    ///   - interval: the time before each chunk, on the clock of the transport.
    ///   - error: what is thrown behind the last chunk; `nil` ends the body well.
    public static func chunks(
        _ chunks: [String],
        each interval: Duration = .zero,
        failingWith error: (any Error)? = nil,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) -> StubAnswer {
        let bytes = chunks.map { Array($0.utf8) }
        return .chunks(bytes, each: interval, failingWith: error, status: status, headers: headers)
    }

    /// The head of an answer at once, and its body in chunks of bytes.
    ///
    /// - Parameters:
    ///   - chunks: what arrives, in pieces.
    ///   - interval: the time before each chunk, on the clock of the transport.
    ///   - error: what is thrown behind the last chunk; `nil` ends the body well.
    public static func chunks(
        _ chunks: [[UInt8]],
        each interval: Duration = .zero,
        failingWith error: (any Error)? = nil,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) -> StubAnswer {
        StubAnswer { _, wait in
            let body = ByteStream {
                var rest = chunks[...]
                return {
                    guard let chunk = rest.popFirst() else {
                        if let error { throw error }
                        return nil
                    }
                    try await wait(interval)
                    return chunk
                }
            }
            return TransportResponse(status: status, headers: headers, body: body)
        }
    }

    /// A failure: no answer at all.
    public static func failure(_ error: any Error) -> StubAnswer { StubAnswer { _, _ in throw error } }

    /// What a closure makes of the request, whose body is in memory; called where the transport is called.
    public static func answer(
        _ body: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) -> StubAnswer {
        StubAnswer { request, _ in try await body(request) }
    }

    /// The same after a time on the clock of the transport.
    public func delayed(by delay: Duration) -> StubAnswer {
        var answer = self
        answer.delay += delay
        return answer
    }
}

/// Waits on the clock of a transport.
typealias StubWait = @Sendable (Duration) async throws -> Void
