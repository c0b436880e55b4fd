#if HTTP
public import HTTPTypes
public import SluiceHTTP
public import SluiceJSON

/// The result of a stub of ``StubTransport``: a response, a failure, or chunks one after the other, immediately or
/// later.
///
/// ```swift
/// let user = StubAnswer.json(["name": "Ada"])
/// let slow = StubAnswer.status(.serviceUnavailable).delayed(by: .seconds(2))
/// let lines = StubAnswer.chunks(["1\n", "2\n"], each: .seconds(1))
/// ```
public struct StubAnswer: Sendable {
    /// A closure that returns the response. `wait` waits on the clock of the transport.
    let make: @Sendable (TransportRequest, @escaping StubWait) async throws -> TransportResponse
    var delay = Duration.zero

    /// Returns a result with a given response.
    public static func response(_ response: TransportResponse) -> StubAnswer { StubAnswer { _, _ in response } }

    /// Returns a response with a status and without a body.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> StubAnswer {
        response(TransportResponse(status: status, headers: headers))
    }

    /// Returns a response with JSON and its Content-Type.
    public static func json(_ json: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> StubAnswer {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return response(TransportResponse(status: status, headers: headers, body: json.bytes()))
    }

    /// Returns a response with text in UTF-8 and its Content-Type.
    public static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) -> StubAnswer {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "text/plain; charset=utf-8" }
        return response(TransportResponse(status: status, headers: headers, body: Array(text.utf8)))
    }

    /// Returns a response whose head comes immediately, and whose body comes in chunks of text.
    ///
    /// - Parameters:
    ///   - chunks: The pieces of the body.
    ///   - interval: The time before each chunk, on the clock of the transport.
    ///   - error: An error that is thrown after the last chunk; `nil` ends the body normally.
    ///   - status: The status of the response.
    ///   - headers: The header fields of the response.
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

    /// Returns a response whose head comes immediately, and whose body comes in chunks of bytes.
    ///
    /// - Parameters:
    ///   - chunks: The pieces of the body.
    ///   - interval: The time before each chunk, on the clock of the transport.
    ///   - error: An error that is thrown after the last chunk; `nil` ends the body normally.
    ///   - status: The status of the response.
    ///   - headers: The header fields of the response.
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

    /// Returns a failure without a response.
    public static func failure(_ error: any Error) -> StubAnswer { StubAnswer { _, _ in throw error } }

    /// Returns the response of a closure for the request, whose body is in memory; the closure is called where the
    /// transport is called.
    public static func answer(
        _ body: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) -> StubAnswer {
        StubAnswer { request, _ in try await body(request) }
    }

    /// Returns the same result, delayed on the clock of the transport.
    public func delayed(by delay: Duration) -> StubAnswer {
        var answer = self
        answer.delay += delay
        return answer
    }
}

/// A closure that waits on the clock of a transport.
typealias StubWait = @Sendable (Duration) async throws -> Void
#endif
