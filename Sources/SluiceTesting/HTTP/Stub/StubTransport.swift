#if HTTP
public import HTTPTypes
internal import Sluice
internal import SluiceFilters
public import SluiceHTTP

/// A transport that responds from stubs, for tests without a server.
///
/// ```swift
/// let api = StubTransport()
/// let ada = api.stub(.get, "/users/ada", .json(["name": "Ada"]))
/// api.stub(.post, "/users", where: .json(["name": "Bob"]), answers: .status(.serviceUnavailable), .status(.created))
///
/// let request = TransportRequest(.get, URL(string: "http://example.com/users/ada")!)
/// let response = try await api.process(request)
/// print(ada.count)  // 1
/// ```
///
/// The first stub that matches a request responds to it, with its responses one after the other; the last one is
/// repeated. A request without a matching stub fails with ``UnstubbedRequestError``, which describes the request and why
/// each stub doesn't match. All state is in the transport: concurrent tests each have their own.
public final class StubTransport: Transport, CustomStringConvertible {
    /// The request that ``process(_:)`` takes.
    public typealias Input = TransportRequest
    /// The response that ``process(_:)`` returns.
    public typealias Output = TransportResponse

    private let timer: CallTimer
    private let maximumBodyBytes: Int
    private let state = Locked(State())

    private struct State {
        var stubs: [Stub] = []
        var requests: [TransportRequest] = []
    }

    /// Creates a transport without stubs.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures the delays of responses.
    ///   - maximumBodyBytes: The maximum size of a request body; longer ones are rejected. 64 MiB by default.
    public init(clock: any Clock<Duration> = .continuous, maximumBodyBytes: Int = 64 << 20) {
        timer = .of(clock)
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Adds a stub for a method and a path; a part of the path that is `*` matches any single part.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path of the requests.
    ///   - matchers: Further conditions.
    ///   - answers: The responses in order; the last one is repeated. The default is an empty `200 OK`.
    /// - Returns: The stub, which counts its requests.
    @discardableResult
    public func stub(
        _ method: HTTPRequest.Method,
        _ path: String,
        where matchers: RequestMatcher...,
        answers: StubAnswer...
    ) -> Stub {
        add([.method(method), .path(path)] + matchers, answers)
    }

    /// Adds a stub for a method and a path; a part of the path that is `*` matches any single part.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path of the requests.
    ///   - answers: The responses in order; the last one is repeated. The default is an empty `200 OK`.
    /// - Returns: The stub, which counts its requests.
    @discardableResult
    public func stub(_ method: HTTPRequest.Method, _ path: String, _ answers: StubAnswer...) -> Stub {
        add([.method(method), .path(path)], answers)
    }

    /// Adds a stub for requests that meet all conditions; without conditions it matches every request.
    ///
    /// - Parameters:
    ///   - matchers: The conditions.
    ///   - answers: The responses in order; the last one is repeated. The default is an empty `200 OK`.
    /// - Returns: The stub, which counts its requests.
    @discardableResult
    public func stub(_ matchers: RequestMatcher..., answers: StubAnswer...) -> Stub { add(matchers, answers) }

    private func add(_ matchers: [RequestMatcher], _ answers: [StubAnswer]) -> Stub {
        let stub = Stub(matchers, answers)
        state.withLock { $0.stubs.append(stub) }
        return stub
    }

    /// The requests so far, in order, including those without a stub; bodies are in memory.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// The number of requests so far.
    public var count: Int { state.withLock { $0.requests.count } }

    /// The stubs that no request has matched; empty at the end of a test that needs all of them.
    public var unused: [Stub] { state.withLock { $0.stubs }.filter { $0.count == 0 } }

    /// Responds with the first stub that matches the request.
    ///
    /// - Throws: ``UnstubbedRequestError``; the failure of a stub; what reading the body of the request throws.
    /// - Cancellation: ends a delay; a closure of a stub is canceled with the task. A request of a task that is canceled
    ///   already is not counted.
    nonisolated(nonsending) public func process(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let request = try await request.collected(upTo: maximumBodyBytes)
        let stubs = state.withLock { state in
            state.requests.append(request)
            return state.stubs
        }
        guard let stub = stubs.first(where: { $0.matches(request) }) else {
            throw UnstubbedRequestError(request, stubs)
        }
        let answer = stub.take(request)
        try await timer.sleep(for: answer.delay)
        try Task.checkCancellation()
        return try await answer.make(request) { [timer] in try await timer.sleep(for: $0) }
    }

    /// The text `StubTransport`.
    public var description: String { "StubTransport" }
}
#endif
