#if HTTP
import Foundation
import HTTPTypes
import Sluice
import Testing

@testable import SluiceHTTP

/// Tests of RFC 9111, 4.3: validation of stored answers.
@Suite("RFC 9111, 4.3: validation") struct CacheValidationTests {
    let new: HTTPField.Name
    let old: HTTPField.Name

    init() throws {
        new = try #require(HTTPField.Name("X-New"))
        old = try #require(HTTPField.Name("X-Old"))
    }

    @Test("4.3.1: with both validators") func bothValidators() async throws {
        let cache = CacheFixture { request, number in
            number == 1
                ? .of(
                    200,
                    .control("max-age=60", [.eTag: "\"a\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"]),
                    "1"
                )
                : .of(304)
        }
        try await cache.get([.accept: "x"])
        cache.advance(60)
        #expect(try await cache.text([.accept: "x"]) == "1")
        let request = try #require(cache.stub.requests.last)
        #expect(
            request.headers == [
                .accept: "x", .ifNoneMatch: "\"a\"", .ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT",
            ]
        )
    }

    /// Calls that wait for the same validation get neither an answer nor an error with the credentials of another user,
    /// which a stage further inside has added.
    @Test(arguments: [HTTPRequest.Method.get, .head]) func validationsOfOtherUsers(_ method: HTTPRequest.Method)
        async throws
    {
        let cache = CacheFixture { request, number in
            guard number > 1 else { return .of(200, .control("max-age=60", [.eTag: "\"a\""]), "1") }
            // The other call joins meanwhile.
            if number == 2 { for _ in 1...1000 { await Task.yield() } }
            var sent = request
            sent.headers[.authorization] = "Bearer \(number)"
            var response = TransportResponse.of(method == .get ? 403 : 200, [.setCookie: "user=\(number)"])
            response.noteSent(sent)
            if method == .head { return response }
            throw HTTPError(.badStatus, "no", request: sent, response: response)
        }
        try await cache.get()
        cache.advance(60)
        let cookies = await withTaskGroup(of: String?.self) { group in
            for _ in 1...2 {
                group.addTask {
                    do { return try await cache.get(method: method).headers[.setCookie] } catch {
                        return (error as? HTTPError)?.response?.headers[.setCookie]
                    }
                }
            }
            return await group.reduce(into: [String]()) { $0.append($1 ?? "none") }.sorted()
        }
        #expect(cookies == ["user=2", "user=3"])
    }

    /// An answer to a validation that sets a cookie begins the session of one caller only.
    @Test(arguments: [200, 304]) func aCookieIsForOneCaller(_ status: Int) async throws {
        let cache = CacheFixture { request, number in
            guard number > 1 else { return .of(200, .control("max-age=60", [.eTag: "\"a\""]), "1") }
            // The other call joins meanwhile.
            for _ in 1...1000 { await Task.yield() }
            return .of(status, .control("max-age=60", [.eTag: "\"a\"", .setCookie: "session=\(number)"]), "1")
        }
        try await cache.get()
        cache.advance(60)
        let cookies = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 1...2 { group.addTask { try await cache.get().headers[.setCookie] } }
            return try await group.reduce(into: [String]()) { if let cookie = $1 { $0.append(cookie) } }
        }
        #expect(cookies.contains("session=2"))
        #expect(Set(cookies).count == cookies.count)
    }

    @Test("4.3.1: without a validator it is requested again") func noValidator() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60"), "1"), .of(200, .control("max-age=60"), "2"))
        try await cache.get()
        cache.advance(60)
        #expect(try await cache.text() == "2")
        #expect(cache.stub.requests.last?.headers == [:])
        #expect(try await cache.text() == "2")
        #expect(cache.sent == 2)
    }

    @Test("4.3.3: a 304 makes it fresh again") func notModified() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60", [.eTag: "\"a\""]), "1"), .of(304, [.eTag: "\"a\""]))
        try await cache.get()
        cache.advance(70)
        let response = try await cache.get()
        #expect(response.headers[.age] == "0")
        #expect(response.headers[.cacheStatus] == "sluice;fwd=stale;fwd-status=304;ttl=60")
        cache.advance(59)
        #expect(try await cache.text() == "1")
        #expect(cache.sent == 2)
        cache.advance(1)
        try await cache.get()
        #expect(cache.sent == 3)
    }

    @Test("4.3.3: any other answer takes the place of the stored") func replaced() async throws {
        let cache = CacheFixture(
            .of(200, .control("max-age=60", [.eTag: "\"a\""]), "1"),
            .of(200, .control("max-age=60", [.eTag: "\"b\""]), "2")
        )
        try await cache.get()
        cache.advance(60)
        #expect(try await cache.text() == "2")
        #expect(try await cache.text() == "2")
        #expect(cache.sent == 2)
    }

    @Test("4.3.3: a streamed answer, too") func replacedByAStream() async throws {
        let cache = CacheFixture { _, number in
            .streamed(200, .control("max-age=60", [.eTag: "\"\(number)\""]), ["s", "\(number)"])
        }
        #expect(try await cache.text() == "s1")
        cache.advance(60)
        #expect(try await cache.text() == "s2")
        #expect(try await cache.text() == "s2")
        #expect(cache.sent == 2)
    }

    @Test("4.3.3: a 5xx is passed on where nothing allows the stored") func serverError() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60", [.eTag: "\"a\""]), "1"), .of(503, [:], "no"))
        try await cache.get()
        cache.advance(60)
        #expect(try await cache.get().status.code == 503)
    }

    @Test("4.3.4: fields of the 304 replace those stored, but for what tells of the body") func freshening()
        async throws
    {
        let cache = CacheFixture(
            .of(
                200,
                .control("max-age=60", [.eTag: "\"a\"", old: "1", .contentType: "a/b", .contentLength: "1"]),
                "1"
            ),
            .of(
                304,
                .control("max-age=90", [new: "2", .contentType: "c/d", .contentLength: "0", .connection: "close"])
            )
        )
        try await cache.get()
        cache.advance(60)
        try await cache.get()
        cache.advance(89)
        let headers = try await cache.get().headers
        #expect(cache.sent == 2)
        #expect(headers[.cacheControl] == "max-age=90")
        #expect((headers[old], headers[new], headers[.contentType]) == ("1", "2", "a/b"))
        #expect(headers[.contentLength] == "1")
        #expect(headers[.connection] == nil)
    }

    @Test("4.3.4: an Age that the 304 does not repeat was of the older answer") func ageOfTheOlder() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60", [.eTag: "\"a\"", .age: "40"]), "1"), .of(304))
        try await cache.get()
        cache.advance(20)
        #expect(try await cache.get().headers[.age] == "0")
        cache.advance(59)
        #expect(try await cache.get().headers[.age] == "59")
        #expect(cache.sent == 2)
    }

    @Test("4.3.3: where a stage inside makes an error of the 304") func notModifiedAsAnError() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60", [.eTag: "\"a\""]), "1"), .of(304))
        let node = cache.filter.andThen(StatusFilter(accepting: 200..<300)).andThen(cache.stub.node)
        _ = try await node.process(.get())
        cache.advance(60)
        #expect(try await node.process(.get()).text() == "1")
    }

    @Test("4.3.4: weak and strong tags of one thing are alike, a 304 about another is of no use") func otherTag()
        async throws
    {
        let weak = CacheFixture(.of(200, .control("max-age=60", [.eTag: "\"a\""]), "1"), .of(304, [.eTag: "W/\"a\""]))
        try await weak.get()
        weak.advance(60)
        #expect(try await weak.text() == "1")
        #expect(weak.sent == 2)
        let other = CacheFixture(
            .of(200, .control("max-age=60", [.eTag: "\"a\""]), "1"),
            .of(304, [.eTag: "\"b\""]),
            .of(200, .control("max-age=60", [.eTag: "\"b\""]), "2")
        )
        try await other.get()
        other.advance(60)
        #expect(try await other.text() == "2")
        #expect(other.stub.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"a\"", nil])
    }

    @Test("4.3.5: a HEAD freshens, or shows that the stored is out of date") func head() async throws {
        let cache = CacheFixture { request, number in
            switch number {
            case 1: .of(200, .control("max-age=60", [.eTag: "\"a\"", .contentLength: "1"]), "1")
            case 2: .of(200, .control("max-age=90", [.eTag: "\"a\"", .contentLength: "1"]))
            case 3: .of(200, .control("max-age=90", [.eTag: "\"b\"", .contentLength: "1"]))
            default: .of(200, .control("max-age=60", [.eTag: "\"b\""]), "2")
            }
        }
        try await cache.get()
        try await cache.get(.control("no-cache"), method: .head)
        cache.advance(89)
        #expect(try await cache.text() == "1")
        try await cache.get(.control("no-cache"), method: .head)
        #expect(try await cache.text() == "2")
        #expect(cache.sent == 4)
    }

    @Test("4.3: calls at the same time ask once") func oneAtATime() async throws {
        let gate = Context<Void>()
        let cache = CacheFixture { _, number in
            if number == 1 { return .of(200, .control("max-age=60", [.eTag: "\"a\""]), "1") }
            try await gate.value
            return number == 2 ? .of(304) : .of(500)
        }
        try await cache.get()
        cache.advance(60)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 { group.addTask { try await cache.text() } }
            await cache.settle { cache.sent == 2 }
            await cache.settle { cache.filter.validationCount == 1000 }
            gate.emit(())
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts == ["1"])
        #expect(cache.sent == 2)
    }

    @Test("4.3: requests that differ ask each for itself") func notTogether() async throws {
        let cache = CacheFixture { _, number in
            number == 1
                ? .of(200, .control("max-age=60", [.eTag: "\"a\""]), "1") : .of(200, .control("no-store"), "\(number)")
        }
        try await cache.get([.authorization: "a"])
        cache.advance(60)
        async let one = cache.text([.authorization: "a"])
        async let other = cache.text([.authorization: "b"])
        #expect(try await Set([one, other]) == ["2", "3"])
    }
}
#endif
