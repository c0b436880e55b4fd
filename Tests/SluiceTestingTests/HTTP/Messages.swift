#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
import Testing

/// Returns a request to `example.com`.
func request(
    _ method: HTTPRequest.Method = .get,
    _ path: String = "/",
    _ headers: HTTPFields = [:],
    body: RequestBody? = nil
) throws -> TransportRequest {
    TransportRequest(method, try #require(URL(string: "http://example.com" + path)), headers: headers, body: body)
}

/// Returns the body of a response as text.
func text(_ response: TransportResponse) async throws -> String {
    String(decoding: try await response.body.collected(upTo: .max), as: UTF8.self)
}
#endif
