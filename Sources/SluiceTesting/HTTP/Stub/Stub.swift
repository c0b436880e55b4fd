#if HTTP
internal import HTTPTypes
internal import Sluice
public import SluiceHTTP

/// A stub of a ``StubTransport``: its responses, and the requests that it received.
public final class Stub: Sendable, CustomStringConvertible {
    private let matchers: [RequestMatcher]
    private let answers: [StubAnswer]
    private let received = Locked([TransportRequest]())

    init(_ matchers: [RequestMatcher], _ answers: [StubAnswer]) {
        self.matchers = matchers
        self.answers = answers.isEmpty ? [.status(.ok)] : answers
    }

    /// The requests that it responded to, in order; bodies are in memory.
    public var requests: [TransportRequest] { received.withLock { $0 } }

    /// The number of requests that it responded to.
    public var count: Int { received.withLock { $0.count } }

    /// The description of its conditions: `method GET, path /users/*`.
    public var description: String {
        matchers.isEmpty ? "any request" : matchers.map(\.description).joined(separator: ", ")
    }

    func matches(_ request: TransportRequest) -> Bool { matchers.allSatisfy { $0.matches(request) } }

    /// Returns the conditions that a request doesn't meet.
    func missing(_ request: TransportRequest) -> [RequestMatcher] { matchers.filter { !$0.matches(request) } }

    /// Returns the next response; the last one is repeated.
    func take(_ request: TransportRequest) -> StubAnswer {
        received.withLock { received in
            received.append(request)
            return answers[min(received.count, answers.count) - 1]
        }
    }
}
#endif
