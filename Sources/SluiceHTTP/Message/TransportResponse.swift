#if HTTP
public import HTTPTypes

/// An answer from the wire: the head, and a body that is complete or still streamed.
///
/// ```swift
/// let response = TransportResponse(status: .ok, headers: [.contentType: "text/plain"], body: "hello")
/// print(response.body.bytes?.count ?? -1)  // 5
/// ```
public struct TransportResponse: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields.
    public var headers: HTTPFields
    /// The body; empty if the answer has no body.
    public var body: ByteStream
    /// The fields of the request sent on the wire, if known.
    var sent: HTTPFields?
    /// The notes of the request sent on the wire.
    var sentNotes: RequestNotes.Box?
    /// A Boolean value that indicates whether a redirect led to the answer.
    var isRedirected = false

    /// Makes an answer.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: ByteStream = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes a complete answer.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: [UInt8]) {
        self.init(status: status, headers: headers, body: ByteStream(body))
    }

    /// Returns the answer with its body in memory.
    ///
    /// - Throws: ``ByteStreamError/tooLong(limit:)`` when the body has more than `limit` bytes; the error of reading
    ///   it.
    nonisolated(nonsending) public func whole(upTo limit: Int) async throws -> TransportResponse {
        var response = self
        response.body = ByteStream(try await body.collected(upTo: limit))
        return response
    }
}
#endif
