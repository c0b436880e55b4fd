internal import HTTPTypes
internal import Sluice
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
