internal import Foundation
internal import HTTPTypes
internal import Sluice
public import SluiceFilters
public import SluiceHTTP

/// One stub of a ``StubTransport``: what it answers, and what it was asked.
public final class Stub: Sendable, CustomStringConvertible {
    private let matchers: [RequestMatcher]
    private let answers: [StubAnswer]
    private let received = Locked([TransportRequest]())

    init(_ matchers: [RequestMatcher], _ answers: [StubAnswer]) {
        self.matchers = matchers
        self.answers = answers.isEmpty ? [.status(.ok)] : answers
    }

    /// The requests that it answered, in the order in which they came; bodies are in memory.
    public var requests: [TransportRequest] { received.withLock { $0 } }

    /// How many requests it answered.
    public var count: Int { received.withLock { $0.count } }

    /// What it asks for: `method GET, path /users/*`.
    public var description: String {
        matchers.isEmpty ? "any request" : matchers.map(\.description).joined(separator: ", ")
    }

    func matches(_ request: TransportRequest) -> Bool { matchers.allSatisfy { $0.matches(request) } }

    /// What a request lacks to be the one.
    func missing(_ request: TransportRequest) -> [RequestMatcher] { matchers.filter { !$0.matches(request) } }

    /// The next answer, the last one again and again.
    func take(_ request: TransportRequest) -> StubAnswer {
        received.withLock { received in
            received.append(request)
            return answers[min(received.count, answers.count) - 1]
        }
    }
}

/// No stub of a ``StubTransport`` is meant for a request.
///
/// ```
/// no stub for POST http://example.com/users?page=2
///   Content-Type: application/json
///   {"name":"Ada"}
/// 1. method GET, path /users: not so: method GET
/// 2. method POST, path /users, header Accept: not so: header Accept
/// ```
///
/// Secrets are redacted. To try again is of no use, and a `RetryFilter` does not.
public struct UnstubbedRequest: ClassifiedError, Sendable, CustomStringConvertible {
    /// What was asked; a body is in memory.
    public let request: TransportRequest
    /// What was asked, and what is stubbed.
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

    /// `SluiceFilters.ResponseClass.failure`.
    public var responseClass: ResponseClass { .failure }
}

extension RecordingNode: Transport where Input == TransportRequest, Output == TransportResponse {}
