#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing

/// Tests with servers that rotate refresh tokens: a token that gets lost logs the user out.
@Suite(.timeLimit(.minutes(5))) struct OAuthRotationTests {
    /// The reasons for a request for tokens.
    enum Reason: CaseIterable, Sendable {
        case expiry, refusal, login

        var stored: OAuthToken? {
            switch self {
            case .expiry: OAuthToken("t0", expires: Date(timeIntervalSince1970: 0), refreshToken: "r0")
            case .refusal: OAuthToken("t0", refreshToken: "r0")
            case .login: nil
            }
        }
    }

    /// A resource that refuses `t0`.
    static func resource(isReached: @escaping @Sendable (Int) async -> Void = { _ in }) -> Stub {
        Stub { request, number in
            guard request.headers[.authorization] == "Bearer t0" else { return .of(200) }
            await isReached(number)
            return .of(401)
        }
    }

    /// Returns the field with which a resource was reached at last.
    private func sent(_ filter: OAuthFilter, _ resource: Stub = OAuthRotationTests.resource()) async throws -> String? {
        let response = try await filter.andThen(resource.node).process(.get())
        return response.status == .ok ? resource.requests.last?.headers[.authorization] : "\(response.status)"
    }

    // MARK: - Cancellation

    /// The only call that waits is canceled when the server has issued new tokens and invalidated the
    /// old ones: the tokens are stored all the same, and the next call needs neither a request nor a login.
    @Test(arguments: Reason.allCases) func aCanceledRefresh(_ reason: Reason) async throws {
        let issued = AsyncStream<Void>.makeStream()
        let gate = Gate()
        let server = RotatingServer(isIssued: { _ in
            issued.continuation.yield()
            await gate.wait()
        })
        let store = CountingStore(reason.stored)
        let logins = Locked(0)
        let filter = OAuthFilter.authorizationCode(try server.client(), store: store) { url in
            logins.withLock { $0 += 1 }
            return try RotatingServer.loggedIn(url)
        }
        let call = Task { try await sent(filter) }
        for await _ in issued.stream { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        let next = Task { try await sent(filter) }
        gate.open()
        #expect(try await next.value == "Bearer t1")
        #expect(await store.load()?.refreshToken == "r1")
        #expect(server.grants == [reason == .login ? "authorization_code" : "r0"])
        #expect(logins.withLock { $0 } == (reason == .login ? 1 : 0))
    }

    /// The part of a login that waits for the user is canceled with the last call.
    @Test func aCanceledLogin() async throws {
        let server = RotatingServer()
        let began = AsyncStream<Void>.makeStream()
        let logins = Locked(0)
        let filter = OAuthFilter.authorizationCode(try server.client()) { url in
            let number = logins.withLock {
                $0 += 1
                return $0
            }
            if number == 1 {
                began.continuation.yield()
                try await untilCancelled()
            }
            return try RotatingServer.loggedIn(url)
        }
        let call = Task { try await sent(filter) }
        for await _ in began.stream { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await sent(filter) == "Bearer t1")
        #expect(logins.withLock { $0 } == 2)
        #expect(server.grants == ["authorization_code"])
    }

    /// A request for tokens, which no call can cancel, has an end of its own.
    @Test func aRequestForTokensHasADeadline() async throws {
        let deadline = Locked<ContinuousClock.Instant?>(nil)
        let server = RotatingServer(isReached: { _ in deadline.withLock { $0 = CallContext.current.deadline } })
        #expect(try await sent(.clientCredentials(try server.client())) == "Bearer t1")
        let end = try #require(deadline.withLock { $0 })
        #expect(end <= .now + .seconds(60))
    }

    // MARK: - Several filters

    /// Two filters over one store refresh at the same time. The second request is judged when the first has been stored.
    @Test func twoFiltersOverOneStore() async throws {
        let store = CountingStore(Reason.expiry.stored)
        let arrived = Locked(0)
        let server = RotatingServer(isReached: { number in
            arrived.withLock { $0 += 1 }
            await until { number == 1 ? arrived.withLock { $0 } == 2 : store.saves > 0 }
        })
        let client = try server.client()
        let (one, other) = (OAuthFilter.refreshing(client, store: store), OAuthFilter.refreshing(client, store: store))
        async let first = sent(one)
        async let second = sent(other)
        #expect(try await [first, second] == ["Bearer t1", "Bearer t1"])
        #expect(server.grants == ["r0", "r0"])
        #expect(await store.load()?.refreshToken == "r1")
    }

    // MARK: - Several processes

    /// Two processes that refresh at the same time send the refresh token once, since the server revokes all tokens of a
    /// user who sends one twice.
    @Test func twoProcessesOverOneStore() async throws {
        let store = OAuthMemoryStore(Reason.expiry.stored)
        let clock = TestClock()
        let server = RotatingServer(revokesReused: true, isReached: { _ in await clock.sleepers(1) })
        let client = try server.client()
        let filters = (1...2).map { _ in OAuthFilter.refreshing(client, store: store, clock: clock) }
        async let first = sent(filters[0])
        async let second = sent(filters[1])
        while await store.load()?.accessToken != "t1" { await Task.yield() }
        clock.advance(by: .seconds(1))
        #expect(try await [first, second] == ["Bearer t1", "Bearer t1"])
        #expect(server.grants == ["r0"])
        #expect(await store.load() == OAuthToken("t1", refreshToken: "r1"))
    }

    /// A claim ends with its request, whatever its result, and with its time if the process has exited.
    @Test func claimsEnd() async throws {
        let now = Date(timeIntervalSince1970: 1000)
        let expired = OAuthToken("t0", expires: .distantPast, refreshToken: "r0")
        // The process that had claimed the tokens has exited.
        var claimed = expired
        claimed.claimedUntil = now
        let store = OAuthMemoryStore(claimed)
        let server = RotatingServer()
        let filter = OAuthFilter.refreshing(try server.client(), store: store, wallClock: WallClock { now })
        #expect(try await sent(filter) == "Bearer t1")
        #expect(await store.load()?.claimedUntil == nil)
        // The request fails.
        struct Outage: Error {}
        let down = OAuthClient(
            "app",
            tokenEndpoint: try .of("https://login.example.com/token"),
            transport: AnyNode("server") { _ in throw Outage() }
        )
        await store.save(expired)
        await #expect(throws: (any Error).self) { try await sent(.refreshing(down, store: store)) }
        #expect(await store.load() == expired)
        // The refresh token is refused.
        await store.save(OAuthToken("t0", expires: .distantPast, refreshToken: "revoked"))
        await #expect(throws: OAuthError.self) { try await sent(filter) }
        #expect(await store.load() == nil)
    }

    /// A login or a logout during a refresh wins over its tokens, whether processes share the store or not.
    @Test(arguments: [true, false], [OAuthToken("t9", refreshToken: "r9"), nil])
    func aChangeDuringARefresh(_ isShared: Bool, _ other: OAuthToken?) async throws {
        let stored = Reason.expiry.stored
        let store: any OAuthTokenStore = isShared ? OAuthMemoryStore(stored) : CountingStore(stored)
        let server = RotatingServer(isReached: { _ in try? await store.save(other) })
        let filter = OAuthFilter.refreshing(try server.client(), store: store)
        if other == nil {
            let error = await #expect(throws: OAuthError.self) { try await sent(filter) }
            #expect(error?.code == OAuthError.loginRequired)
        } else {
            #expect(try await sent(filter) == "Bearer t9")
        }
        #expect(try await store.load() == other)
        #expect(server.grants == ["r0"])
    }

    /// A logout between the last look at the tokens and their replacement wins, too.
    @Test func aLogoutAfterTheLastLook() async throws {
        let store = LeavingStore(Reason.expiry.stored)
        let server = RotatingServer(isReached: { _ in
            // Another process changes the claim, so that the first replacement fails.
            var claimed = await store.load()
            claimed?.claimedUntil = .distantFuture
            await store.save(claimed)
            store.leavesAfterNextLoad.withLock { $0 = true }
        })
        let error = await #expect(throws: OAuthError.self) {
            try await sent(.refreshing(try server.client(), store: store))
        }
        #expect(error?.code == OAuthError.loginRequired)
        #expect(await store.load() == nil)
    }

    /// The token that another process has stored may be out of date too; its refresh token is valid.
    @Test func anOutdatedTokenOfAnotherFilter() async throws {
        let expired = Date(timeIntervalSince1970: 0)
        let store = CountingStore(OAuthToken("t8", expires: expired, refreshToken: "used"))
        let server = RotatingServer(isReached: { number in
            if number == 1 { await store.save(OAuthToken("t9", expires: expired, refreshToken: "r0")) }
        })
        #expect(try await sent(.refreshing(try server.client(), store: store)) == "Bearer t1")
        #expect(server.grants == ["used", "r0"])
    }

    /// A refresh token that is invalid and that nobody has replaced is forgotten.
    @Test func anInvalidRefreshToken() async throws {
        let store = CountingStore(OAuthToken("t0", refreshToken: "revoked"))
        let server = RotatingServer()
        let error = await #expect(throws: OAuthError.self) {
            try await sent(.refreshing(try server.client(), store: store))
        }
        #expect(error?.code == OAuthError.loginRequired)
        #expect(server.grants == ["revoked"])
        #expect(await store.load() == nil)
    }

    /// Two calls with two filters are refused `t0`. The second refusal arrives when the first filter has stored `t1`, which
    /// is not refreshed again.
    @Test func theRefusedTokenIsReplaced() async throws {
        let store = CountingStore(Reason.refusal.stored)
        let arrived = Locked(0)
        let server = RotatingServer()
        let resource = Self.resource(isReached: { number in
            arrived.withLock { $0 += 1 }
            await until { number == 1 ? arrived.withLock { $0 } == 2 : store.saves > 0 }
        })
        let client = try server.client()
        let (one, other) = (OAuthFilter.refreshing(client, store: store), OAuthFilter.refreshing(client, store: store))
        async let first = one.andThen(resource.node).process(.get())
        async let second = other.andThen(resource.node).process(.get())
        #expect(try await [first.status, second.status] == [.ok, .ok])
        #expect(server.grants == ["r0"])
        #expect(
            resource.requests.map { $0.headers[.authorization] ?? "" }.sorted() == [
                "Bearer t0", "Bearer t0", "Bearer t1", "Bearer t1",
            ]
        )
    }

    /// A call that comes during a login, when the invalid tokens are gone, waits for the same login.
    @Test func aCallDuringALogin() async throws {
        let store = CountingStore(OAuthToken("t0", refreshToken: "revoked"))
        let server = RotatingServer()
        let began = AsyncStream<Void>.makeStream()
        let logins = Locked(0)
        let filter = OAuthFilter.authorizationCode(try server.client(), store: store) { url in
            logins.withLock { $0 += 1 }
            let loads = store.loads
            began.continuation.yield()
            // The second call looks for a token twice before it waits.
            await until { store.loads >= loads + 2 }
            for _ in 1...100 { await Task.yield() }
            return try RotatingServer.loggedIn(url)
        }
        async let first = sent(filter)
        for await _ in began.stream { break }
        async let second = sent(filter)
        #expect(try await [first, second] == ["Bearer t1", "Bearer t1"])
        #expect(logins.withLock { $0 } == 1)
    }
}

/// A gate that lets all tasks pass once it is open, whether they are canceled or not.
private final class Gate: Sendable {
    private let state = Locked((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
#endif
