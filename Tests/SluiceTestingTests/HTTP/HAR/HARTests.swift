#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceJSON
import SluiceTesting
import Testing

private func request(_ method: HTTPRequest.Method, _ address: String) throws -> TransportRequest {
    TransportRequest(method, try #require(URL(string: address)))
}

@Suite struct HARWritingTests {
    @Test func whatPassedWithItsTimes() async throws {
        let clock = TestClock()
        let api = StubTransport(clock: clock)
        api.stub(
            .post,
            "/users",
            .chunks(["{}"], each: .milliseconds(250), headers: [.contentType: "application/json"])
                .delayed(by: .milliseconds(1500))
        )
        let recorder = HARRecorder(clock: clock, date: Date(timeIntervalSince1970: 1_700_000_000))
        var asked = try request(.post, "http://example.com/users?q=a%20b&token=abc")
        asked.headers = [.contentType: "text/plain", .cookie: "a=1"]
        asked.body = "Ada"
        clock.advance(by: .seconds(1))
        let call = Task { [asked] in
            try await recorder.andThen(api).process(asked).body.collected(upTo: 10)
        }
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(1500))
        while recorder.har.exchanges.isEmpty { await Task.yield() }
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(250))
        _ = try await call.value
        // The file that Tests/Browser/test_har.py lets Chromium import.
        var tests = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { tests.deleteLastPathComponent() }
        let expected = try String(contentsOf: tests.appendingPathComponent("Support/example.har"), encoding: .utf8)
        #expect(recorder.har.json().text(.pretty) + "\n" == expected)
    }

    @Test func whatIsWrittenReadsBack() throws {
        var asked = try request(.put, "http://example.com/")
        asked.body = .bytes([0xFF, 0x00])
        let answer = TransportResponse(status: .created, headers: [.contentType: "image/png"], body: [0x89, 0xFF])
        let exchange = RecordedExchange(
            asked,
            answer,
            started: Date(timeIntervalSince1970: 1_700_000_000.25),
            waited: .milliseconds(3),
            received: .microseconds(1500)
        )
        let read = try #require(try HAR(parsing: HAR([exchange]).json().bytes()).exchanges.first)
        #expect(read.request.method == .put)
        #expect(read.request.body?.bytes == [0xFF, 0x00])
        #expect(read.response.status == .created)
        #expect(read.response.headers == answer.headers)
        #expect(read.response.body.bytes == [0x89, 0xFF])
        #expect(read.started == exchange.started)
        #expect(read.waited == .milliseconds(3))
        #expect(read.received == .microseconds(1500))
    }

    @Test func failuresHaveNoStatus() async throws {
        let api = StubTransport()
        let asked = try request(.get, "http://example.com/")
        api.stub(.get, "/", .failure(HTTPError(.unreachable, "the connection was refused", request: asked)))
        let recorder = HARRecorder()
        await #expect(throws: HTTPError.self) { try await recorder.andThen(api).process(asked) }
        let response = recorder.har.json()["log"]?["entries"]?[0]?["response"]
        #expect(response?["status"] == 0)
        #expect(response?["statusText"] == "the connection was refused")
        #expect(try HAR(parsing: recorder.har.json().bytes()).exchanges.isEmpty)
    }

    @Test func whatIsTooLongPassesAndIsNotKept() async throws {
        let api = StubTransport()
        api.stub(.get, "/", .text("12345"), .chunks(["123", "45", "6"]))
        let recorder = HARRecorder(maximumBodyBytes: 4)
        for expected in ["12345", "123456"] {
            let response = try await recorder.andThen(api).process(request(.get, "http://example.com/"))
            #expect(try await response.body.collected(upTo: 10) == Array(expected.utf8))
        }
        #expect(recorder.har.exchanges.map { $0.response.body.bytes } == [[], []])
    }
}

@Suite struct HARReadingTests {
    private func har(_ entry: String) -> String { #"{"log": {"version": "1.2", "entries": [\#(entry)]}}"# }

    private func entry(request: String = "", response: String = "") -> String {
        har(
            #"""
            {"request": {"method": "GET", "url": "http://example.com/" \#(request)},
             "response": {"status": 200 \#(response)}}
            """#
        )
    }

    @Test func archiveOfABrowser() throws {
        let text = har(
            #"""
            {"_initiator": {"type": "other"}, "startedDateTime": "2026-11-21T19:00:00.250+01:00", "time": 12.5,
             "request": {"method": "POST", "url": "https://example.com/login", "httpVersion": "h2",
              "headers": [{"name": ":authority", "value": "example.com"}, {"name": "accept", "value": "*/*"}],
              "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 9,
              "postData": {"mimeType": "application/x-www-form-urlencoded",
               "params": [{"name": "na me", "value": "a&b"}, {"name": "c", "value": "é"}]}},
             "response": {"status": 200, "statusText": "", "headers": [{"name": "content-type", "value": "image/gif"}],
              "content": {"size": 3, "mimeType": "image/gif", "text": "R0lG", "encoding": "base64"}},
             "timings": {"blocked": 1, "send": 0.5, "wait": 10, "receive": 2, "ssl": -1}},
            {"request": {"method": "GET", "url": "data:image/png;base64,AA=="}, "response": {"status": 200}},
            {"request": {"method": "GET", "url": "https://example.com/lost"}, "response": {"status": 0}}
            """#
        )
        let exchanges = try HAR(parsing: text.utf8).exchanges
        #expect(exchanges.count == 1)
        let exchange = try #require(exchanges.first)
        #expect(exchange.request.headers == [.accept: "*/*"])
        #expect(exchange.request.body?.bytes == Array("na%20me=a%26b&c=%C3%A9".utf8))
        #expect(exchange.response.body.bytes == Array("GIF".utf8))
        #expect(exchange.started == Date(timeIntervalSince1970: 1_795_284_000.25))
        #expect(exchange.waited == .microseconds(10_500))
        #expect(exchange.received == .milliseconds(2))
    }

    @Test func playsAsACassette() async throws {
        let har = try HAR(parsing: entry(response: #", "content": {"text": "hello"}"#).utf8)
        let transport = Cassette(replaying: har.exchanges).transport
        let response = try await transport.process(request(.get, "http://example.com/"))
        #expect(response.body.bytes == Array("hello".utf8))
    }

    @Test func hostileArchives() throws {
        let cases = [
            ("[]", "1:1: expected an object, found an array"),
            ("{}", #"1:1: the key "log" is missing"#),
            (#"{"log": {}}"#, #"1:9: log: the key "entries" is missing"#),
            (#"{"log": {"entries": 7}}"#, "1:21: log.entries: expected an array, found a number"),
            (har("7"), "1:40: log.entries[0]: expected an object, found a number"),
            (entry(request: #", "headers": 1"#), "expected an array, found a number"),
            (entry(request: #", "headers": [{"name": 1, "value": "a"}]"#), "expected a string, found a number"),
            (entry(response: #", "content": {"text": "?", "encoding": "base64"}"#), "the text is not base64"),
            (entry(response: #", "content": {"text": "?", "encoding": "zip"}"#), #""zip" is not allowed here"#),
            (
                har(#"{"request": {"method": "", "url": "http://a/"}, "response": {"status": 200}}"#),
                #""" is no method"#
            ),
            (har(#"{"request": {"method": "GET", "url": ""}, "response": {"status": 200}}"#), #""" is no address"#),
            (
                har(#"{"request": {"method": "GET", "url": "http://a/"}, "response": {"status": 1e9}}"#),
                "expected a whole number, found 1e9"
            ),
            (
                har(#"{"request": {"method": "GET", "url": "http://a/"}, "response": {"status": 1000}}"#),
                "the number 1000 is not from 100 to 999"
            ),
        ]
        for (text, message) in cases {
            let error = #expect(throws: JSONErrors.self) { try HAR(parsing: text.utf8) }
            #expect("\(try #require(error))".contains(message), "\(text)")
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try HAR(parsing: deep.utf8) }
    }

    @Test func timesThatMakeNoSenseAreNone() throws {
        let text = har(
            #"""
            {"startedDateTime": "soon", "timings": {"send": -1, "wait": 1e300, "receive": "1"},
             "request": {"method": "GET", "url": "http://example.com/"}, "response": {"status": 200}}
            """#
        )
        let exchange = try #require(try HAR(parsing: text.utf8).exchanges.first)
        #expect(exchange.started == nil)
        #expect(exchange.waited == nil)
        #expect(exchange.received == nil)
    }

    @Test func limits() throws {
        let fields = Array(repeating: #"{"name": "a", "value": "b"}"#, count: 10_001).joined(separator: ",")
        let error = #expect(throws: JSONErrors.self) {
            try HAR(parsing: entry(request: #", "headers": [\#(fields)]"#).utf8)
        }
        #expect(error?.description.hasSuffix("more than 10000 header fields") == true)
        let entries = Array(repeating: "{}", count: 100_001).joined(separator: ",")
        let many = #expect(throws: JSONErrors.self) { try HAR(parsing: har(entries).utf8) }
        #expect(many?.description.hasSuffix("more than 100000 entries") == true)
    }

    @Test func files() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).har").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let missing = #expect(throws: HARError.self) { try HAR(contentsOf: path) }
        #expect(missing?.description.hasPrefix("\(path) cannot be read: ") == true)
        var asked = try request(.get, "http://example.com/")
        asked.headers = [.authorization: "Bearer abc"]
        try HAR([RecordedExchange(asked, TransportResponse(body: "hello"))]).write(to: path)
        let read = try HAR(contentsOf: path).exchanges
        #expect(read.first?.request.headers[.authorization] == "Bearer REDACTED")
        try Data(#"{"log": 1}"#.utf8).write(to: URL(fileURLWithPath: path))
        let broken = #expect(throws: HARError.self) { try HAR(contentsOf: path) }
        #expect(broken?.description == "\(path):1:9: error: log: expected an object, found a number")
        let folder = #expect(throws: HARError.self) { try HAR().write(to: "/nowhere/a.har") }
        #expect(folder?.description.hasPrefix("/nowhere/a.har cannot be written: ") == true)
    }
}
#endif
