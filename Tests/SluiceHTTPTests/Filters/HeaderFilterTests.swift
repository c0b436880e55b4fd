#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import Testing

@Suite struct HeaderFilterTests {
    let stub = Stub(.of(200))
    let lower: HTTPField.Name
    let upper: HTTPField.Name

    init() throws {
        lower = try #require(HTTPField.Name("x-trace"))
        upper = try #require(HTTPField.Name("X-TRACE"))
    }

    func sent(_ filter: HeaderFilter, _ headers: HTTPFields) async throws -> HTTPFields? {
        _ = try await filter.andThen(stub.node).process(.get("https://example.com/", headers))
        return stub.requests.last?.headers
    }

    @Test func constantGivesWay() async throws {
        let filter = HeaderFilter([.userAgent: "a", .accept: "text/plain"])
        #expect(try await sent(filter, [.userAgent: "own"]) == [.userAgent: "own", .accept: "text/plain"])
        let replacing = HeaderFilter([.userAgent: "a"], replaces: true)
        #expect(try await sent(replacing, [.userAgent: "own"]) == [.userAgent: "a"])
    }

    @Test func providerWinsWhateverTheCase() async throws {
        let filter = HeaderFilter { [upper] _ in [upper: "2"] }
        #expect(try await sent(filter, [lower: "1", .accept: "b"]) == [.accept: "b", lower: "2"])
        let modest = HeaderFilter(replaces: false) { [upper] _ in [upper: "2"] }
        #expect(try await sent(modest, [lower: "1"]) == [lower: "1"])
    }

    /// Several lines of one name are replaced together and added together.
    @Test func severalLines() async throws {
        var own = HTTPFields()
        own.append(HTTPField(name: lower, value: "1"))
        own.append(HTTPField(name: lower, value: "2"))
        var other = HTTPFields()
        other.append(HTTPField(name: lower, value: "3"))
        other.append(HTTPField(name: lower, value: "4"))
        #expect(try await sent(HeaderFilter(other), own)?[values: lower] == ["1", "2"])
        #expect(try await sent(HeaderFilter(other, replaces: true), own)?[values: lower] == ["3", "4"])
        #expect(try await sent(HeaderFilter(other), [:])?[values: lower] == ["3", "4"])
    }

    @Test func askedForEachTry() async throws {
        struct Counting: HeaderProvider {
            let count = Counter()
            func headers(for request: TransportRequest) async throws -> HTTPFields {
                [.userAgent: "\(request.url.path) \(count.next())"]
            }
        }
        let stub = Stub(.of(503), .of(503), .of(200))
        _ = try await RetryFilter.http(backoff: .none).andThen(HeaderFilter(Counting())).andThen(stub.node).process(
            .get()
        )
        #expect(stub.requests.map { $0.headers[.userAgent] } == ["/a 1", "/a 2", "/a 3"])
    }

    @Test func errorOfTheProvider() async throws {
        let filter = HeaderFilter { _ in throw UnauthorizedError() }
        await #expect(throws: UnauthorizedError()) { try await sent(filter, [:]) }
        #expect(stub.requests.isEmpty)
    }

    @Test func obeysTheLaws() async throws {
        try await checkLaws { HeaderFilter([.userAgent: "a"]) }
        try await checkLaws { HeaderFilter { _ in [.userAgent: "a"] } }
    }
}

final class Counter: Sendable {
    private let count = Locked(0)
    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
    var value: Int { count.withLock { $0 } }
}
#endif
