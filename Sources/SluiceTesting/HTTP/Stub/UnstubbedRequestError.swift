#if HTTP
internal import Foundation
internal import HTTPTypes
public import SluiceFilters
public import SluiceHTTP

/// An error that indicates that no stub of a ``StubTransport`` matches a request.
///
/// ```
/// no stub for POST http://example.com/users?page=2
///   Content-Type: application/json
///   {"name":"Ada"}
/// 1. method GET, path /users: not so: method GET
/// 2. method POST, path /users, header Accept: not so: header Accept
/// ```
///
/// Secrets are redacted. Retrying is useless, and a `RetryFilter` doesn't.
public struct UnstubbedRequestError: ClassifiedError, Sendable, CustomStringConvertible {
    /// The request; its body is in memory.
    public let request: TransportRequest
    /// A description of the request and of the stubs.
    public let description: String

    init(_ request: TransportRequest, _ stubs: [Stub]) {
        self.request = request
        let shown = Redaction.standard.redacted(request)
        var lines = ["no stub for \(shown.method.rawValue) \(shown.url.absoluteString)"]
        lines += shown.headers.map { "  \($0.name.rawName): \($0.value)" }
        if let bytes = shown.body?.bytes, !bytes.isEmpty {
            let text = String(validating: bytes, as: UTF8.self)
            lines.append("  " + (text.map(shortened) ?? "\(bytes.count) bytes that are not UTF-8"))
        }
        if stubs.isEmpty { lines.append("there are no stubs") }
        for (index, stub) in stubs.enumerated() {
            let missing = stub.missing(request).map(\.description).joined(separator: ", ")
            lines.append("\(index + 1). \(stub): not so: \(missing)")
        }
        description = lines.joined(separator: "\n")
    }

    /// The class `SluiceFilters.ResponseClass.failure`.
    public var responseClass: ResponseClass { .failure }
}
#endif
