#if HTTP
import Foundation
import HTTPTypes
import Testing

@testable import SluiceHTTP

@Suite struct HTTPDateTests {
    static let example = 784_111_777.0  // The example of RFC 9110, 5.6.7.

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994", "SUN, 06 NOV 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt",
        "sUNDAY, 06-nOV-94 08:49:37 gMT", "SUN NOV  6 08:49:37 1994",
    ])
    func threeFormats(_ text: String) {
        #expect(HTTPDate.parse(text, now: Self.example) == Self.example)
    }

    @Test(arguments: [
        "", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "0", "-1", "Sun, 06 Nov 1994 ٠٨:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37 GMT GMT GMT GMT GMT GMT GMT",
        // Missing, doubled, or wrong punctuation.
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
        "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 Nov  1994 08:49:37 GMT",
        "Sun, 06 Nov 1994  08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37  GMT", " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sunday, 06 Nov 94 08:49:37 GMT", "Sunday 06-Nov-94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994", "Sun, Nov  6 08:49:37 1994",
        "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov-06 08:49:37 1994", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08-49-37 GMT", "Sun, 06 November 1994 08:49:37 GMT",
    ])
    func whatIsNoDate(_ text: String) {
        #expect(HTTPDate.parse(text, now: Self.example) == nil)
    }

    /// A two-digit year that seems to be more than 50 years ahead is in the past (RFC 9110, 5.6.7).
    @Test(arguments: [("76", 2076), ("77", 1977), ("94", 1994), ("00", 2000), ("26", 2026)])
    func yearOfTwoDigits(_ digits: String, _ year: Int) throws {
        let now = try #require(HTTPDate.parse("Sun, 22 Nov 2026 00:00:00 GMT", now: 0))
        let time = try #require(HTTPDate.parse("Sunday, 06-Nov-\(digits) 08:49:37 GMT", now: now))
        #expect(HTTPDate.format(time).contains(" \(year) "))
    }

    @Test func leapDays() {
        #expect(HTTPDate.parse("Thu, 29 Feb 2024 00:00:00 GMT", now: 0) == 1_709_164_800)
        #expect(HTTPDate.parse("Wed, 29 Feb 2023 00:00:00 GMT", now: 0) == nil)
        #expect(HTTPDate.parse("Tue, 29 Feb 2000 00:00:00 GMT", now: 0) == 951_782_400)
        #expect(HTTPDate.parse("Thu, 29 Feb 1900 00:00:00 GMT", now: 0) == nil)
    }

    /// Every day of 800 years is written as Foundation's calendar writes it.
    @Test func writesWhatFoundationWrites() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for day in stride(from: -100_000, to: 190_000, by: 97) {
            let time = Double(day * 86400 + abs(day) % 86400)
            let text = HTTPDate.format(time)
            #expect(text == formatter.string(from: Date(timeIntervalSince1970: time)))
            #expect(HTTPDate.parse(text, now: 0) == time)
        }
        #expect(HTTPDate.format(Self.example + 0.9) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(.infinity) == "Fri, 31 Dec 9999 23:59:59 GMT")
    }
}

@Suite struct RetryAfterTests {
    @Test(arguments: [
        ("120", 120.0), ("0", 0), (" 7 ", 7), ("99999999999999999999999", 2_147_483_648),
        ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
        ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
    ])
    func bothForms(_ text: String, _ seconds: Double) {
        let response = TransportResponse(status: .serviceUnavailable, headers: [.retryAfter: text])
        let now = Date(timeIntervalSince1970: HTTPDateTests.example)
        #expect(response.retryAfter(now: now) == .seconds(seconds))
    }

    @Test(arguments: ["", "-1", "1.5", "soon", "١٢"])
    func whatIsNone(_ text: String) {
        #expect(TransportResponse(headers: [.retryAfter: text]).retryAfter() == nil)
        #expect(TransportResponse().retryAfter() == nil)
    }
}
#endif
