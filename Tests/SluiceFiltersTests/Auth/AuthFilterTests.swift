import Sluice
import SluiceFilters
import SluiceTesting
import Testing

private struct Failure: Error, Equatable {}

/// A server that accepts one token.
private final class Server: Sendable {
    private let state = Locked((token: 0, refreshes: 0))

    func logIn() { state.withLock { $0 = (1, $0.refreshes + 1) } }
    var refreshes: Int { state.withLock { $0.refreshes } }
    var node: AnyNode<Int, String> {
        AnyNode { [self] input in
            guard state.withLock({ $0.token == 1 }) else { throw UnauthorizedError() }
            return "answer \(input)"
        }
    }
}

@Suite struct AuthFilterTests {
    @Test func logsInAndCallsAgain() async throws {
        let server = Server()
        let node = AuthFilter(refresh: { server.logIn() }).andThen(server.node)
        #expect(try await node.process(1) == "answer 1")
        #expect(try await node.process(2) == "answer 2")
        #expect(server.refreshes == 1)
    }

    @Test func oneRefreshForAllWhoWait() async throws {
        let (server, gate) = (Server(), Context<Void>())
        let filter = AuthFilter<Int, String>(refresh: {
            try await gate.value
            server.logIn()
        })
        let refusals = Tries()
        let node = filter.andThen(
            AnyNode<Int, String> { input in
                do { return try await server.node.process(input) } catch {
                    refusals.note(input)
                    if refusals.count == 20 { gate.emit(()) }
                    throw error
                }
            }
        )
        let calls: [Observer<String>] = (0..<20).map { node.start($0) }
        for (index, call) in calls.enumerated() { #expect(try await call.value == "answer \(index)") }
        #expect(server.refreshes == 1)
    }

    /// A call that waits for a refresh leaves: the refresh runs on for the others, and a new call joins it.
    @Test func oneRefreshWhileOneLeaves() async throws {
        let (server, gate, refreshes, given) = (Server(), Context<Void>(), Tries(), Tries())
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let filter = AuthFilter<Int, String>(refresh: {
            refreshes.note(0)
            hasBegun.yield()
            do { try await gate.value } catch {
                given.note(0)  // given up, since the second call did not wait for it yet
                throw error
            }
            server.logIn()
        })
        let (asked, isAsked) = AsyncStream.makeStream(of: Int.self)
        let node = filter.andThen(
            AnyNode<Int, String> { input in
                isAsked.yield(input)
                return try await server.node.process(input)
            }
        )
        var askedInputs = asked.makeAsyncIterator()
        let first: Observer<String> = node.start(1)
        for await _ in begun.prefix(1) {}
        let second: Observer<String> = node.start(2)
        for _ in 1...2 { _ = await askedInputs.next() }
        first.cancel()
        let third: Observer<String> = node.start(3)
        _ = await askedInputs.next()
        gate.emit(())
        #expect(try await second.value == "answer 2")
        #expect(try await third.value == "answer 3")
        #expect(server.refreshes == 1)
        #expect(refreshes.count == 1 + given.count)
    }

    /// The only waiting call leaves: the refresh is canceled, and the next call begins one of its own.
    @Test func cancelledRefreshIsBegunAnew() async throws {
        let (server, refreshes) = (Server(), Tries())
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let filter = AuthFilter<Int, String>(refresh: {
            refreshes.note(0)
            hasBegun.yield()
            if refreshes.count == 1 { try await Context<Void>.never.value }
            server.logIn()
        })
        let node = filter.andThen(server.node)
        let first: Observer<String> = node.start(1)
        for await _ in begun.prefix(1) {}
        first.cancel()
        #expect(try await node.process(2) == "answer 2")
        #expect(refreshes.count == 2)
    }

    @Test func secondRefusalIsTheError() async {
        let tries = Tries()
        let node = AuthFilter<Int, Int>(refresh: { tries.note(0) }).andThen(AnyNode { _ in throw UnauthorizedError() })
        await #expect(throws: UnauthorizedError()) { try await node.process(1) }
        #expect(tries.count == 1)
    }

    @Test func errorOfTheRefreshIsTheError() async {
        let node = AuthFilter<Int, Int>(refresh: { throw Failure() }).andThen(
            AnyNode { _ in throw UnauthorizedError() }
        )
        await #expect(throws: Failure()) { try await node.process(1) }
    }

    @Test func otherErrorsPass() async {
        let node = AuthFilter<Int, Int>(refresh: { Issue.record("refreshed") }).andThen(
            AnyNode { _ in throw Failure() }
        )
        await #expect(throws: Failure()) { try await node.process(1) }
    }

    @Test func whatARefusalIsCanBeSaid() async throws {
        let server = Server()
        let node = AuthFilter<Int, String>(refresh: { server.logIn() }, when: { $0 is Failure })
            .andThen(
                AnyNode { input in
                    do { return try await server.node.process(input) } catch { throw Failure() }
                }
            )
        #expect(try await node.process(1) == "answer 1")
    }
}

extension AuthFilterTests {
    /// Five logins within half a minute that do not help, then an end; later it may be tried again.
    @Test func noMoreRefreshesThanThereMayBe() async throws {
        let (clock, refreshes) = (TestClock(), Tries())
        let node = AuthFilter<Int, Int>(refresh: { refreshes.note(0) }, clock: clock)
            .andThen(AnyNode { _ in throw UnauthorizedError() })
        for _ in 0..<5 {
            await #expect(throws: UnauthorizedError()) { try await node.process(1) }
            clock.advance(by: .seconds(1))
        }
        await #expect(throws: ExcessiveRefreshError(count: 5, window: .seconds(30))) { try await node.process(1) }
        #expect(refreshes.count == 5)
        clock.advance(by: .nanoseconds(24_999_999_999))
        await #expect(throws: ExcessiveRefreshError.self) { try await node.process(1) }
        clock.advance(by: .nanoseconds(1))
        await #expect(throws: UnauthorizedError()) { try await node.process(1) }
        #expect(refreshes.count == 6)
        #expect(
            "\(ExcessiveRefreshError(count: 5, window: .seconds(30)))"
                == "logged in again 5 times within 30.0 seconds, and refused again"
        )
    }

    /// A call that was sent before the refresh and is refused after it.
    @Test func aLateRefusalDoesNotRefreshAgain() async throws {
        let (refreshes, gate, sent) = (Tries(), Context<Void>(), Tries())
        let node = AuthFilter<Int, Int>(refresh: { refreshes.note(0) }).andThen(
            AnyNode { input in
                sent.note(input)
                if sent.all.count(where: { $0 == input }) > 1 { return input }
                if input == 1 { try await gate.value }
                throw UnauthorizedError()
            }
        )
        let late: Observer<Int> = node.start(1)
        while sent.count < 1 { await Task.yield() }
        #expect(try await node.process(2) == 2)
        gate.emit(())
        #expect(try await late.value == 1)
        #expect(refreshes.count == 1)
    }

    /// A refresh that gives up itself is not begun again.
    @Test func cancelFromWithinARefreshIsTheError() async {
        let refreshes = Tries()
        let node = AuthFilter<Int, Int>(refresh: {
            refreshes.note(0)
            throw CancellationError()
        }).andThen(AnyNode { _ in throw UnauthorizedError() })
        await #expect(throws: CancellationError.self) { try await node.process(1) }
        #expect(refreshes.count == 1)
    }

    @Test func tellsWhatItDid() async {
        let server = Server()
        let node = AuthFilter<Int, String>(refresh: { server.logIn() }).andThen(server.node)
        let steps = await node.explain(1).trail.steps.map(\.event)
        #expect(steps == ["refused: not authorized: log in and call again", "logged in, calls again"])
    }
}

extension Context where Value == Void {
    /// A call that nobody ends.
    fileprivate static let never = Context<Void>()
}
