#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import Testing

/// Tests of calls over a real connection that are canceled at any moment.
@Suite(.timeLimit(.minutes(30))) struct CancellationTests {
    /// A counter of live objects.
    final class Census: Sendable {
        private let state = Locked((alive: 0, ever: 0))
        var alive: Int { state.withLock { $0.alive } }
        var ever: Int { state.withLock { $0.ever } }

        func enter() { state.withLock { $0 = ($0.alive + 1, $0.ever + 1) } }
        func leave() { state.withLock { $0.alive -= 1 } }

        /// An object that is counted while it exists.
        final class Token: Sendable {
            private let census: Census
            init(_ census: Census) {
                self.census = census
                census.enter()
            }
            deinit { census.leave() }
        }
    }

    /// The input of a call; it lives as long as the call retains it.
    struct Payload: DTOEncodable, Sendable {
        let token: Census.Token
        func toDTO() -> [String] { ["hello"] }
    }

    /// A filter that gives each request a body that lives as long as the request, and counts the running tasks.
    struct Counting: SimpleFilter<TransportRequest, TransportResponse> {
        let tasks: Census
        let requests: Census

        nonisolated(nonsending) func process(
            _ request: TransportRequest,
            next: some Node<TransportRequest, TransportResponse>
        ) async throws -> TransportResponse {
            tasks.enter()
            defer { tasks.leave() }
            var request = request
            let bytes = request.body?.bytes ?? []
            let token = Census.Token(requests)
            request.body = .stream(
                RequestStream(count: bytes.count, isReplayable: true) {
                    withExtendedLifetime(token) { ByteStream(bytes) }
                }
            )
            return try await next.process(request)
        }
    }

    /// The ends of the calls.
    struct Ends: Equatable {
        var answered = 0
        var canceled = 0
        var failed: [String] = []
    }

    /// Returns a server that answers each request with its body, on any number of connections; half of the answers
    /// arrive in two pieces.
    func server(_ connections: Census) throws -> HostileServer {
        try HostileServer(serving: { connection in
            connections.enter()
            defer { connections.leave() }
            var isWhole = true
            while true {
                let request = connection.receive()
                if request.isEmpty { return }
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
                let body = "[\"hello\"]"
                guard isWhole ? connection.send(head + body) : connection.send(head) && connection.send(body) else {
                    return
                }
                isWhole.toggle()
            }
        })
    }

    /// Yields until a condition holds, or until there was enough time for it.
    func wait(until isSo: () -> Bool) async {
        let end = ContinuousClock.now + .seconds(600)
        while !isSo() && ContinuousClock.now < end { await Task.yield() }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func thousandCallsCancelledAtAnyMoment(seed: UInt64) async throws {
        let (payloads, requests, tasks, connections) = (Census(), Census(), Census(), Census())
        let server = try server(connections)
        defer { server.stop() }
        let url = try server.url()
        let random = RandomSource(seed: seed)
        let ends = Locked(Ends())
        let endings = Locked([Int](repeating: 0, count: 1000))

        var settings = HTTPTransport.Settings()
        settings.connectTimeout = .seconds(3600)  // of a machine that is busy with other tests
        try await withHTTPTransport(settings) { transport in
            let chain: RequestChain<Payload, [String]> = try URLChainBuilder(transport: transport)
                .route(.post, url)
                .set(callbackQueue: nil)
                .set(.retry, RetryFilter(maxAttempts: 3, backoff: .none, budget: RetryBudget(ratio: 0.2)))
                .insert(Counting(tasks: tasks, requests: requests), named: "counting", inside: .retry)
                .build()
            let end: @Sendable (Int, Result<[String], any Error>) -> Void = { index, result in
                endings.withLock { $0[index] += 1 }
                ends.withLock { ends in
                    switch result {
                    case .success(["hello"]): ends.answered += 1
                    case .success(let other): ends.failed.append("\(other)")
                    case .failure(is CancellationError): ends.canceled += 1
                    case .failure(let error): ends.failed.append("\(error)")
                    }
                }
            }
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<1000 {
                    if index >= 32 { await group.next() }
                    // Some are canceled before the call begins, and some when it is over.
                    let moment = random.below(random.below(4) == 0 ? 4000 : 400)
                    group.addTask {
                        let payload = Payload(token: Census.Token(payloads))
                        if index.isMultiple(of: 2) {
                            let task = Task { try await chain.process(payload) }
                            for _ in 0..<moment { await Task.yield() }
                            task.cancel()
                            end(index, await task.result)
                        } else {
                            let observer: Observer<[String]> = chain.start(payload)
                            observer.respond(isolation: nil) { end(index, $0) }
                            for _ in 0..<moment { await Task.yield() }
                            observer.cancel()
                        }
                    }
                }
            }
            await wait { tasks.alive == 0 && payloads.alive == 0 && requests.alive == 0 }
            // The transport's shutdown is not necessary for this.
            #expect(tasks.alive == 0)
            #expect(payloads.alive == 0)
            #expect(requests.alive == 0)
        }

        #expect(endings.withLock { $0.allSatisfy { $0 == 1 } })
        let counted = ends.withLock { $0 }
        #expect(counted.failed == [])
        #expect(counted.answered > 0)
        #expect(counted.canceled > 0)
        #expect(counted.answered + counted.canceled == 1000)

        await wait { connections.alive == 0 }
        #expect(connections.alive == 0)
        #expect(payloads.ever == 1000)
        #expect(requests.ever > 0)
        #expect(connections.ever > 0)
    }
}
#endif
