#if HTTP
import Foundation
import HTTPTypes
import SluiceTesting
import Testing

@testable import SluiceHTTP

/// Tests of RFC 6265bis, rule by rule.
@Suite struct CookieJarTests {
    let list = PublicSuffixList(parsing: "// comment\ncom\nuk\nco.uk\n*.ck\n!www.ck\nexample\n")

    /// Sets cookies, each from its own address, and returns the `Cookie` field for another.
    func sent(
        _ cookies: [(String, String)],
        to url: String,
        method: HTTPRequest.Method = .get,
        first: String? = nil
    ) throws -> String? {
        let jar = CookieJar(publicSuffixes: list)
        for (field, from) in cookies { jar.set(field, from: try .of(from)) }
        return jar.header(for: TransportRequest(method, try .of(url)), first: try first.map { try .of($0) })
    }

    @Test(
        arguments: [
            ("a=b", "a=b"), (" a = b ", "a=b"), ("a=b=c", "a=b=c"), ("=b", "b"), ("b", "b"), ("a=", "a="),
            ("a=\"b\"", "a=\"b\""), ("a=b;Path", "a=b"), ("", nil), ("=", nil), (";Secure", nil), ("a=b\u{1}", nil),
            ("a=b\tc", "a=b\tc"),
        ] as [(String, String?)]
    )
    func namesAndValues(_ field: String, _ expected: String?) throws {
        #expect(try sent([(field, "https://a.com/")], to: "https://a.com/") == expected)
    }

    @Test func longCookiesAreRefused() throws {
        let long = String(repeating: "x", count: 4095)
        #expect(try sent([("a=\(long)", "https://a.com/")], to: "https://a.com/") == "a=\(long)")
        #expect(try sent([("ab=\(long)", "https://a.com/")], to: "https://a.com/") == nil)
    }

    @Test(
        arguments: [
            ("a=b", "https://a.com/", "https://a.com/", true), ("a=b", "https://a.com/", "https://x.a.com/", false),
            ("a=b", "https://x.a.com/", "https://a.com/", false),
            ("a=b; Domain=a.com", "https://x.a.com/", "https://y.a.com/", true),
            ("a=b; Domain=.A.com", "https://x.a.com/", "https://a.com/", true),
            ("a=b; Domain=a.com", "https://x.a.com/", "https://ba.com/", false),
            ("a=b; Domain=y.a.com", "https://x.a.com/", "https://y.a.com/", false),
            ("a=b; Domain=com", "https://a.com/", "https://b.com/", false),
            ("a=b; Domain=com.", "https://a.com./", "https://b.com./", false),
            ("a=b; Domain=co.uk.", "https://a.co.uk./", "https://b.co.uk./", false),
            ("a=b; Domain=co.uk", "https://a.co.uk/", "https://b.co.uk/", false),
            ("a=b; Domain=co.uk", "https://co.uk/", "https://co.uk/", true),
            ("a=b; Domain=co.uk", "https://co.uk/", "https://b.co.uk/", false),
            ("a=b; Domain=x.ck", "https://a.x.ck/", "https://a.x.ck/", false),
            ("a=b; Domain=www.ck", "https://a.www.ck/", "https://b.www.ck/", true),
            ("a=b; Domain=", "https://a.com/", "https://a.com/", true),
            ("a=b; Domain=0.0.1", "https://127.0.0.1/", "https://127.0.0.1/", false),
            ("a=b; Domain=127.0.0.1", "https://127.0.0.1/", "https://127.0.0.1/", true),
            ("a=b; Domain=localhost", "https://localhost/", "https://localhost/", true),
        ]
    )
    func domains(_ field: String, _ from: String, _ to: String, _ isSent: Bool) throws {
        #expect(try sent([(field, from)], to: to) == (isSent ? "a=b" : nil))
    }

    @Test(
        arguments: [
            ("a=b", "/x/y", "/x", true), ("a=b", "/x/y", "/x/z/", true), ("a=b", "/x/y", "/xy", false),
            ("a=b", "/x/y", "/", false), ("a=b", "/x", "/", true), ("a=b; Path=/x", "/", "/x/y", true),
            ("a=b; Path=/x/", "/", "/x", false), ("a=b; Path=x", "/y/z", "/y/", true),
            ("a=b; Path=", "/y/z", "/y", true),
        ]
    )
    func paths(_ field: String, _ from: String, _ to: String, _ isSent: Bool) throws {
        #expect(try sent([(field, "https://a.com" + from)], to: "https://a.com" + to) == (isSent ? "a=b" : nil))
    }

    @Test func secure() throws {
        #expect(try sent([("a=b; Secure", "https://a.com/")], to: "http://a.com/") == nil)
        #expect(try sent([("a=b; Secure", "https://a.com/")], to: "https://a.com/") == "a=b")
        #expect(try sent([("a=b; Secure", "http://a.com/")], to: "https://a.com/") == nil)
        // A plain connection overwrites no secure cookie, not even by hiding it under another path.
        let kept = ("a=b; Secure; Path=/x", "https://a.com/")
        #expect(try sent([kept, ("a=c; Path=/x/y", "http://a.com/")], to: "https://a.com/x/y") == "a=b")
        #expect(try sent([kept, ("a=c; Path=/", "http://a.com/")], to: "https://a.com/x/y") == "a=b; a=c")
        #expect(try sent([kept, ("a=c; Path=/x", "https://a.com/")], to: "https://a.com/x/y") == "a=c")
    }

    @Test(
        arguments: [
            ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__SECURE-a=b", false),
            ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Secure", false), ("__Host-a=b; Path=/", false),
            ("__Host-a=b; Secure; Path=/; Domain=a.com", false), ("__host-a=b; Secure; Path=/x", false),
            ("=__Secure-a=b; Secure", false), ("__Host-x; Secure; Path=/", false),
            ("a=b; SameSite=None", false), ("a=b; SameSite=None; Secure", true),
        ]
    )
    func prefixes(_ field: String, _ isKept: Bool) throws {
        #expect(CookieJar().set(field, from: try .of("https://a.com/")) == isKept)
    }

    @Test(
        arguments: [
            ("Strict", "https://a.com/", true, true), ("Strict", "https://b.com/", false, false),
            ("Lax", "https://b.com/", true, false), ("None", "https://b.com/", true, true),
            ("Other", "https://b.com/", true, false), ("Strict", "https://x.a.com/", true, true),
            ("Strict", "http://a.com/", false, false),
        ]
    )
    func sameSite(_ rule: String, _ first: String, _ get: Bool, _ post: Bool) throws {
        let cookie = [("a=b; Secure; SameSite=\(rule)", "https://a.com/")]
        #expect(try sent(cookie, to: "https://a.com/", first: first) == (get ? "a=b" : nil))
        #expect(try sent(cookie, to: "https://a.com/", method: .post, first: first) == (post ? "a=b" : nil))
    }

    /// Addresses that look alike at their end are different sites.
    @Test func addressesAreSites() throws {
        let cookie = [("a=b; SameSite=Strict", "http://10.0.0.1/")]
        #expect(try sent(cookie, to: "http://10.0.0.1/", first: "http://172.16.0.1/") == nil)
        #expect(try sent(cookie, to: "http://10.0.0.1/", first: "http://10.0.0.1:8080/") == "a=b")
    }

    @Test func ends() throws {
        let clock = TestClock()
        let jar = CookieJar(clock: WallClock(start: Date(timeIntervalSince1970: 784_111_777), clock: clock))
        let url = try URL.of("https://a.com/")
        let request = TransportRequest(.get, url)
        jar.set("a=1; Max-Age=10", from: url)
        jar.set("b=1; Expires=Sun, 06 Nov 1994 08:49:57 GMT", from: url)
        jar.set("c=1; Expires=Sun, 06 Nov 1994 08:49:57 GMT; Max-Age=100", from: url)
        jar.set("d=1; Max-Age=x", from: url)
        jar.set("e=1; Max-Age=99999999999", from: url)
        #expect(jar.header(for: request) == "a=1; b=1; c=1; d=1; e=1")
        clock.advance(by: .seconds(10))
        #expect(jar.header(for: request) == "b=1; c=1; d=1; e=1")
        clock.advance(by: .seconds(10))
        #expect(jar.header(for: request) == "c=1; d=1; e=1")
        #expect(jar.set("c=; Max-Age=0", from: url))
        jar.set("d=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from: url)
        #expect(jar.header(for: request) == "e=1")
        clock.advance(by: .seconds(400 * 86400))
        #expect(jar.cookies == [])
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("6 nov 1994 8:49:37", 784_111_777),
            ("06-Nov-69 00:00:00", 3_150_921_600), ("1 Jan 1970 00:00:00", 0), ("29 Feb 2000 00:00:00", 951_782_400),
            ("29 Feb 1900 00:00:00", nil), ("31 Apr 2000 00:00:00", nil), ("6 Nov 1994 24:00:00", nil),
            ("6 Nov 1600 00:00:00", nil), ("6 Nov 1994", nil), ("", nil), ("Nov 1994 08:49:37", nil),
        ] as [(String, Double?)]
    )
    func dates(_ text: String, _ expected: Double?) { #expect(CookieDate.parse(text) == expected) }

    /// Longer paths come first, then older cookies; a new value keeps the position.
    @Test func order() throws {
        let url = "https://a.com/x/y"
        let cookies = [("a=1; Path=/", url), ("b=1; Path=/x", url), ("c=1; Path=/x", url), ("b=2; Path=/x", url)]
        #expect(try sent(cookies, to: url) == "b=2; c=1; a=1")
    }

    @Test func thereIsALimit() throws {
        let jar = CookieJar()
        let url = try URL.of("https://a.com/")
        for index in 0..<50 { jar.set("c\(index)=1", from: url) }
        jar.set("c0=2", from: url)
        jar.set("new=1", from: url)
        #expect(jar.cookies.count == 50)
        #expect(jar.cookies.map(\.name).contains("c0"))
        #expect(!jar.cookies.map(\.name).contains("c1"))
        for index in 0..<2970 { jar.set("a=1", from: try .of("https://a\(index).com/")) }
        #expect(jar.cookies.count == 3000)
        jar.removeAll()
        #expect(jar.cookies == [])
    }

    @Test func publicSuffixes() {
        #expect(["com", "co.uk", "x.ck", "other"].allSatisfy(list.isPublicSuffix))
        #expect(!["a.com", "www.ck", "a.co.uk"].contains(where: list.isPublicSuffix))
        #expect(list.registrableDomain(of: "x.y.co.uk") == "y.co.uk")
        #expect(list.registrableDomain(of: "x.www.ck") == "www.ck")
        #expect(list.registrableDomain(of: "co.uk") == nil)
        #expect(PublicSuffixList.empty.registrableDomain(of: "x.y.co.uk") == "co.uk")
    }
}
#endif
