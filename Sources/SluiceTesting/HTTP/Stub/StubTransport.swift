public import HTTPTypes
internal import Sluice
internal import SluiceFilters
public import SluiceHTTP

/// A transport that answers from stubs, for tests without a server.
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
/// The first stub that a request matches answers it, with its answers one after the other; the last one stays. A request
/// that matches none is an ``UnstubbedRequest``, which says what was asked and why each stub is not meant. All state is
/// in the transport: tests that run at once have one each.
public final class StubTransport: Transport, CustomStringConvertible {
    /// What ``process(_:)`` takes.
    public typealias Input = TransportRequest
    /// What ``process(_:)`` answers.
    public typealias Output = TransportResponse

    private let timer: CallTimer
    private let maximumBodyBytes: Int
    private let state = Locked(State())

    private struct State {
        var stubs: [Stub] = []
        var requests: [TransportRequest] = []
    }

    /// Makes a transport without stubs.
    ///
    /// - Parameters:
    ///   - clock: measures the delays of answers.
    ///   - maximumBodyBytes: requests whose body is longer are refused; 64 MiB by default.
    public init(clock: any Clock<Duration> = .continuous, maximumBodyBytes: Int = 64 << 20) {
        timer = .of(clock)
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Adds a stub for a method and a path; a part of the path that is `*` stands for any one part.
    ///
    /// - Parameters:
    ///   - matchers: what else the request must have.
    ///   - answers: one after the other; the last one stays. None at all is an empty `200 OK`.
    /// - Returns: the stub, which counts its requests.
    @discardableResult
    public func stub(
        _ method: HTTPRequest.Method,
        _ path: String,
        where matchers: RequestMatcher...,
        answers: StubAnswer...
    ) -> Stub {
        add([.method(method), .path(path)] + matchers, answers)
    }

    /// Adds a stub for a method and a path; a part of the path that is `*` stands for any one part.
    ///
    /// - Parameter answers: one after the other; the last one stays. None at all is an empty `200 OK`.
    /// - Returns: the stub, which counts its requests.
    @discardableResult
    public func stub(_ method: HTTPRequest.Method, _ path: String, _ answers: StubAnswer...) -> Stub {
        add([.method(method), .path(path)], answers)
    }

    /// Adds a stub for requests that have all of what is asked for; without any it answers every request.
    ///
    /// - Parameter answers: one after the other; the last one stays. None at all is an empty `200 OK`.
    /// - Returns: the stub, which counts its requests.
    @discardableResult
    public func stub(_ matchers: RequestMatcher..., answers: StubAnswer...) -> Stub { add(matchers, answers) }

    private func add(_ matchers: [RequestMatcher], _ answers: [StubAnswer]) -> Stub {
        let stub = Stub(matchers, answers)
        state.withLock { $0.stubs.append(stub) }
        return stub
    }

    /// The requests so far, in the order in which they came, with those that no stub answered; bodies are in memory.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// How many requests came so far.
    public var count: Int { state.withLock { $0.requests.count } }

    /// The stubs that no request has matched: a test that needs all of them finds none.
    public var unused: [Stub] { state.withLock { $0.stubs }.filter { $0.count == 0 } }

    /// Answers as the first stub says that the request matches.
    ///
    /// - Throws: ``UnstubbedRequest``; the failure of a stub; what reading the body of the request throws.
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
            throw UnstubbedRequest(request, stubs)
        }
        let answer = stub.take(request)
        try await timer.sleep(for: answer.delay)
        try Task.checkCancellation()
        return try await answer.make(request) { [timer] in try await timer.sleep(for: $0) }
    }

    /// `StubTransport`.
    public var description: String { "StubTransport" }
}
