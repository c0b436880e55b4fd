#if HTTP && Server
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceServer
import Testing

/// Tests of the deadline of a caller, from the wire to the handler of a server.
@Suite struct DeadlineWireTests {
    private final class Deadline: Sendable {
        let value = Locked<ContinuousClock.Instant?>(nil)
    }

    @Test(arguments: DeadlineHeaderFilter.Form.allCases)
    func serverKnowsTheDeadlineOfTheCaller(_ form: DeadlineHeaderFilter.Form) async throws {
        let found = Deadline()
        let router = Router()
        router.add(middleware: DeadlineMiddleware(atMost: .seconds(600)))
        router.get("left") { _, _ in
            found.value.withLock { $0 = CallContext.current.deadline }
            return ""
        }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0))
        )
        try await application.test(.live) { client in
            let port = try #require(client.port)
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/left"))
            let chain: RequestChain<Void, Void> = URLChainBuilder<URL>().deadline(form).route(.get, url).build()
            var context = CallContext()
            let deadline = ContinuousClock.now + .seconds(300)
            context.deadline = deadline
            try await withCallContext(context) { try await chain.process() }
            // The transfer takes some time, after which the server's clock starts; the time left was rounded down.
            let known = try #require(found.value.withLock { $0 })
            #expect(known > deadline - .seconds(1))
            #expect(known < deadline + .seconds(60))
        }
    }

    /// The server reads the value that the client writes, rounded down by less than a thousandth, or a millisecond.
    @Test(arguments: DeadlineHeaderFilter.Form.allCases)
    func allTimes(_ form: DeadlineHeaderFilter.Form) throws {
        var times: [Duration] = [.nanoseconds(1), .milliseconds(1), .seconds(1), .seconds(999_999)]
        for power in 0..<18 {
            var value: Int64 = 1
            for _ in 0..<power { value *= 10 }
            times += [.nanoseconds(value), .nanoseconds(value - 1), .nanoseconds(value * 7 / 3)]
        }
        for time in times where time > .zero && time < .seconds(999_999_000) {
            let text = form.value(of: time)
            let read = try #require(try RequestDeadline.time(in: [form.name: text]), "\(text)")
            #expect(read > .zero && read <= max(time, .milliseconds(1)), "\(time) is \(text)")
            #expect(time - read <= max(time / 1000, .milliseconds(1)), "\(time) is \(text)")
        }
        for time in [Duration.zero, .seconds(-1), .seconds(Int64.max / 2)] {
            #expect(try RequestDeadline.time(in: [form.name: form.value(of: time)]) != nil)
        }
    }
}
#endif
