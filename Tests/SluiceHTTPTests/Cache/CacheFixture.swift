#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceTesting
import Testing

@testable import SluiceHTTP

/// A cache in virtual time, between a test and a server that the test writes.
final class CacheFixture: Sendable {
    let clock = TestClock()
    let start = 784_111_777.0
    let cache: HTTPCache
    let filter: CacheFilter
    let stub: Stub

    init(policy: CachePolicy = .standard, cache: HTTPCache = HTTPCache(), _ answer: @escaping Stub.Answer) {
        self.cache = cache
        stub = Stub(answer)
        let clock = WallClock(start: Date(timeIntervalSince1970: start), clock: self.clock)
        filter = CacheFilter(cache, policy: policy, clock: clock)
    }

    convenience init(policy: CachePolicy = .standard, _ answers: TransportResponse...) {
        self.init(policy: policy) { _, number in answers[min(number, answers.count) - 1] }
    }

    var node: some Node<TransportRequest, TransportResponse> { filter.andThen(stub.node) }

    /// The number of requests that the server got.
    var sent: Int { stub.requests.count }

    /// Returns the date of a number of seconds since the beginning.
    func date(_ seconds: Double) -> String { HTTPDate.format(start + seconds) }

    func advance(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }

    @discardableResult
    func get(_ headers: HTTPFields = [:], _ path: String = "a", method: HTTPRequest.Method = .get) async throws
        -> TransportResponse
    {
        try await node.process(TransportRequest(method, .of("https://example.com/\(path)"), headers: headers))
    }

    /// Returns the body of the answer.
    func text(_ headers: HTTPFields = [:], _ path: String = "a") async throws -> String {
        try await get(headers, path).text()
    }

    /// Waits until background work has had its effect.
    func settle(_ holds: @Sendable () async -> Bool) async {
        let end = ContinuousClock.now + .seconds(600)
        while await !holds() {
            guard ContinuousClock.now < end else {
                Issue.record("it does not happen")
                return
            }
            await Task.yield()
        }
    }
}

extension HTTPFields {
    static func control(_ value: String, _ others: HTTPFields = [:]) -> HTTPFields {
        var fields = others
        fields[.cacheControl] = value
        return fields
    }
}
#endif
