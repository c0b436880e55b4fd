#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceTesting
import Testing

@testable import SluiceHTTP

/// Tests of RFC 9111, 4.2: freshness and age.
@Suite("RFC 9111, 4.2: freshness") struct CacheFreshnessTests {
    /// Returns the number of seconds for which a stored answer is returned without asking the server.
    func lifetime(_ status: Int = 200, _ headers: @escaping @Sendable (CacheFixture) -> HTTPFields) async throws -> Int
    {
        var bounds = (0, 200_000)
        while bounds.0 < bounds.1 {
            let middle = (bounds.0 + bounds.1) / 2
            let maker = CacheFixture(.of(status))
            let cache = CacheFixture(.of(status, headers(maker)))
            try await cache.get()
            cache.advance(middle)
            try await cache.get()
            bounds = cache.sent == 1 ? (middle + 1, bounds.1) : (bounds.0, middle)
        }
        return bounds.0
    }

    @Test("4.2.1: max-age") func maxAge() async throws {
        #expect(try await lifetime { _ in .control("max-age=60") } == 60)
        #expect(try await lifetime { _ in .control("max-age=\"60\"") } == 60)
        #expect(try await lifetime { _ in .control("max-age=60, max-age=90") } == 60)
    }

    @Test("4.2.1: max-age before Expires") func maxAgeBeforeExpires() async throws {
        #expect(try await lifetime { .control("max-age=60", [.date: $0.date(0), .expires: $0.date(90)]) } == 60)
    }

    @Test("4.2.1: Expires less Date") func expires() async throws {
        #expect(try await lifetime { [.date: $0.date(0), .expires: $0.date(90)] } == 90)
        // The clock of the server is 1000 seconds behind: the answer seems to be that old.
        #expect(try await lifetime { [.date: $0.date(-1000), .expires: $0.date(-910)] } == 0)
        // It is ahead: the difference counts.
        #expect(try await lifetime { [.date: $0.date(1000), .expires: $0.date(1090)] } == 90)
        #expect(try await lifetime { [.expires: $0.date(90)] } == 90)
    }

    @Test(
        "4.2.1, 5.3: an invalid Expires is in the past",
        arguments: ["0", "-1", "soon", "Sun, 31 Feb 1994 08:49:37 GMT"]
    )
    func invalidExpires(_ text: String) async throws {
        #expect(try await lifetime { [.date: $0.date(0), .expires: text, .lastModified: $0.date(-100_000)] } == 0)
    }

    @Test(
        "4.2.1: invalid numbers are stale",
        arguments: ["max-age=-1", "max-age=1.5", "max-age=x", "max-age", "max-age="]
    )
    func invalidMaxAge(_ text: String) async throws {
        #expect(try await lifetime { .control(text, [.expires: $0.date(90)]) } == 0)
    }

    @Test("1.2.2: numbers that are too great are great") func greatNumbers() async throws {
        #expect(try await lifetime { _ in .control("max-age=99999999999999999999999999") } == 200_000)
    }

    @Test("4.2.2: a tenth of the time since the last change, at most a day") func heuristic() async throws {
        #expect(try await lifetime { [.date: $0.date(0), .lastModified: $0.date(-1000)] } == 100)
        #expect(try await lifetime { [.date: $0.date(0), .lastModified: $0.date(-8_640_000)] } == 86400)
        #expect(try await lifetime { [.date: $0.date(0), .lastModified: $0.date(10)] } == 0)
        #expect(try await lifetime { _ in [:] } == 0)
    }

    @Test("4.2.2: only for statuses that are cacheable by default, or public") func heuristicStatuses() async throws {
        #expect(try await lifetime(404) { [.lastModified: $0.date(-1000)] } == 100)
        #expect(try await lifetime(302) { [.lastModified: $0.date(-1000)] } == 0)
        #expect(try await lifetime(302) { .control("public", [.lastModified: $0.date(-1000)]) } == 100)
    }

    @Test("4.2.3: Age, Date and the time of the answer make the age") func age() async throws {
        #expect(try await lifetime { _ in .control("max-age=60", [.age: "20"]) } == 40)
        #expect(try await lifetime { .control("max-age=60", [.date: $0.date(-30)]) } == 30)
        #expect(try await lifetime { .control("max-age=60", [.date: $0.date(-30), .age: "45"]) } == 15)
        #expect(try await lifetime { .control("max-age=60", [.date: $0.date(-45), .age: "30"]) } == 15)
        #expect(try await lifetime { .control("max-age=60", [.date: $0.date(30)]) } == 60)
        #expect(try await lifetime { _ in .control("max-age=60", [.age: "no"]) } == 60)
    }

    @Test("5.1: of several values of Age the first counts") func ages() async throws {
        #expect(try await lifetime { _ in .control("max-age=60", [.age: "20, 0"]) } == 40)
        #expect(try await lifetime { _ in .control("max-age=60", [.age: "0,20"]) } == 60)
        #expect(try await lifetime { _ in .control("max-age=60", [.age: "no, 20"]) } == 60)
        let lines: HTTPFields = {
            var fields = HTTPFields.control("max-age=60")
            fields.append(HTTPField(name: .age, value: "20"))
            fields.append(HTTPField(name: .age, value: "0"))
            return fields
        }()
        #expect(try await lifetime { _ in lines } == 40)
    }

    @Test("4.2.3: the time that the answer took is part of the age") func responseDelay() async throws {
        let slow = CacheFixture.Slow()
        let cache = CacheFixture { _, _ in
            slow.pass(10)
            return .of(200, .control("max-age=60"))
        }
        slow.clock.withLock { $0 = cache.clock }
        try await cache.get()
        #expect(try await cache.get().headers[.age] == "10")
        cache.advance(49)
        try await cache.get()
        #expect(cache.sent == 1)
        cache.advance(1)
        try await cache.get()
        #expect(cache.sent == 2)
    }

    @Test("5.1: an answer from the cache says its age") func ageField() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60", [.age: "5"])))
        #expect(try await cache.get().headers[.age] == "5")
        cache.advance(7)
        #expect(try await cache.get().headers[.age] == "12")
    }

    @Test("4.2.3: a clock that goes back makes nothing younger than it was") func clockGoesBack() {
        let entry = CacheEntry(
            key: "",
            vary: [],
            status: .ok,
            headers: .control("max-age=60", [.age: "5"]),
            body: [],
            requestTime: 1000,
            responseTime: 1001
        )
        #expect(Freshness(entry, CacheControl(entry.headers), now: 0).age == 6)
    }
}

extension CacheFixture {
    /// A server that lets virtual time pass before it answers.
    final class Slow: Sendable {
        let clock = Locked<TestClock?>(nil)
        func pass(_ seconds: Int) { clock.withLock { $0 }?.advance(by: .seconds(seconds)) }
    }
}
#endif
