#if HTTP
import Foundation
import HTTPTypes
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTesting
import Testing

@Suite struct CassetteDocumentTests {
    private func exchange(body: [UInt8], type: String?) throws -> RecordedExchange {
        var fields = HTTPFields()
        if let type { fields[.contentType] = type }
        let request = TransportRequest(.post, try #require(URL(string: "http://example.com/")), body: .bytes(body))
        return RecordedExchange(request, TransportResponse(headers: fields, body: body))
    }

    @Test func fileIsReadable() throws {
        let request = TransportRequest(
            .post,
            try #require(URL(string: "http://example.com/users")),
            headers: [.contentType: "application/json"],
            body: #"{ "name": "Ada" }"#
        )
        var fields: HTTPFields = [.contentType: "text/plain", .contentLength: "5"]
        fields.append(HTTPField(name: .setCookie, value: "a=1"))
        fields.append(HTTPField(name: .setCookie, value: "b=2"))
        let response = TransportResponse(status: .created, headers: fields, body: "hello")
        let document = CassetteDocument([RecordedExchange(request, response)])
        #expect(
            document.json.text(.pretty) == """
                {
                  "schema": "sluice.cassette/1",
                  "exchanges": [
                    {
                      "request": {
                        "method": "POST",
                        "url": "http://example.com/users",
                        "headers": {
                          "Content-Type": "application/json"
                        },
                        "body": {
                          "json": {
                            "name": "Ada"
                          }
                        }
                      },
                      "response": {
                        "status": 201,
                        "reason": "Created",
                        "headers": {
                          "Content-Type": "text/plain",
                          "Content-Length": "5",
                          "Set-Cookie": [
                            "a=1",
                            "b=2"
                          ]
                        },
                        "body": {
                          "text": "hello"
                        }
                      }
                    }
                  ]
                }
                """
        )
        let read = try #require(try CassetteDocument(parsing: document.json.bytes()).exchanges.first)
        #expect(read.response.status == .created)
        #expect(read.response.headers == fields)
        #expect(read.response.body.bytes == Array("hello".utf8))
        #expect(read.request.method == .post)
        #expect(read.request.body?.bytes == Array(#"{"name":"Ada"}"#.utf8))
    }

    @Test(
        arguments: [
            ([], "application/json"), (Array("é\u{0}\n".utf8), "text/plain"), ([0xFF, 0x00], nil),
            (Array("{".utf8), "application/json"), (Array(#"{"a":1,"a":2}"#.utf8), "application/json"),
            (Array("[1, 2]".utf8), "text/plain"), (Array("1\n2\n".utf8), "application/x-ndjson"),
        ] as [([UInt8], String?)]
    )
    func bodiesComeBackByteForByte(_ body: [UInt8], _ type: String?) throws {
        let document = CassetteDocument([try exchange(body: body, type: type)])
        let read = try CassetteDocument(parsing: document.json.bytes(.pretty))
        #expect(read.exchanges.first?.response.body.bytes == body)
    }

    @Test func jsonComesBackByValueWithItsLength() throws {
        let body = Array(#"{ "id" : 9007199254740993, "n": 1.50 }"#.utf8)
        var exchange = try exchange(body: body, type: "application/problem+json; charset=utf-8")
        exchange.response.headers[.contentLength] = "\(body.count)"
        let read = try CassetteDocument(parsing: CassetteDocument([exchange]).json.bytes())
        let response = try #require(read.exchanges.first?.response)
        #expect(response.body.bytes == Array(#"{"id":9007199254740993,"n":1.5}"#.utf8))
        #expect(response.headers[.contentLength] == "\(response.body.bytes?.count ?? -1)")
    }

    @Test(arguments: [
        ("{", "1:2: "),
        (#"{"schema": "sluice.cassette/1"}"#, #"1:1: the key "exchanges" is missing"#),
        (
            #"{"schema": "sluice.cassette/2", "exchanges": []}"#,
            #"1:12: schema: "sluice.cassette/2" is not allowed here (did you mean "sluice.cassette/1"?)"#
        ),
        (
            #"{"schema": "sluice.cassette/1", "exchanges": [{"request": {}, "response": {"status": 99999}}]}"#,
            """
            1:59: exchanges[0].request: the key "method" is missing
            1:59: exchanges[0].request: the key "url" is missing
            """
        ),
    ])
    func hostileFiles(_ text: String, _ message: String) throws {
        let error = #expect(throws: (any Error).self) { try CassetteDocument(parsing: text.utf8) }
        #expect("\(try #require(error))".hasPrefix(message))
    }

    @Test(arguments: [
        (#""status": 99999"#, "the number 99999 is not from 100 to 999"),
        (#""status": 99"#, "the number 99 is not from 100 to 999"),
        (#""status": 200, "headers": {"a b": "c"}"#, #""a b" is no name of a header field"#),
        (#""status": 200, "headers": {"a": 1}"#, "expected a string, found a number"),
        (#""status": 200, "body": {"base64": "?"}"#, "the text is not base64"),
        (
            #""status": 200, "body": {"text": "a", "json": 1}"#,
            #"exactly one key may name the body, found "text", "json""#
        ),
        (#""status": 200, "body": {"xml": "a"}"#, #"unknown body "xml" (known: json, text, base64)"#),
        (#""status": 200, "bdy": {}"#, #"unknown key "bdy" (did you mean "body"?)"#),
    ])
    func hostileResponses(_ members: String, _ message: String) throws {
        let request = #"{"method": "GET", "url": "http://example.com/"}"#
        let text =
            #"{"schema": "sluice.cassette/1", "exchanges": [{"request": \#(request), "response": {\#(members)}}]}"#
        let error = #expect(throws: JSONErrors.self) { try CassetteDocument(parsing: text.utf8) }
        #expect("\(try #require(error))".contains(message))
    }

    @Test(arguments: [
        (#""method": "G T", "url": "http://example.com/""#, #""G T" is no method"#),
        (
            #""method": "GET", "url": "example""#,
            #""example" is no address (an address begins with http:// or https://)"#
        ),
        (#""method": "GET", "url": """#, #""" is no address"#),
    ])
    func hostileRequests(_ members: String, _ message: String) throws {
        let text =
            #"{"schema": "sluice.cassette/1", "exchanges": [{"request": {\#(members)}, "response": {"status": 200}}]}"#
        let error = #expect(throws: JSONErrors.self) { try CassetteDocument(parsing: text.utf8) }
        #expect("\(try #require(error))".contains(message))
    }

    @Test func errorsOfFilesNameThem() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("deep/a.json").path
        let missing = #expect(throws: CassetteError.self) { try CassetteDocument(contentsOf: path) }
        #expect(missing?.code == .badFile)
        #expect(missing?.description.hasPrefix("\(path) cannot be read: ") == true)
        try CassetteDocument().write(to: path)
        #expect(try CassetteDocument(contentsOf: path).exchanges.isEmpty)
        try Data("[".utf8).write(to: URL(fileURLWithPath: path))
        let broken = #expect(throws: CassetteError.self) { try CassetteDocument(contentsOf: path) }
        #expect(broken?.description.hasPrefix("\(path):1:2: error: ") == true)
    }

    @Test func whateverIsChangedInAFileItIsReadOrRefused() throws {
        let valid = try CassetteDocument([
            exchange(body: Array(#"{"a": [1, 2.5]}"#.utf8), type: "application/json"),
            exchange(body: [0xFF], type: nil),
        ]).json.bytes(.pretty)
        let random = RandomSource(seed: 7)
        var refused = 0
        for _ in 0..<2000 {
            var bytes = valid
            for _ in 0...random.below(3) {
                let place = Int(random.below(UInt64(bytes.count)))
                switch random.below(3) {
                case 0: bytes[place] = UInt8(random.below(256))
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int(random.below(UInt64(bytes.count)))], at: place)
                }
            }
            do {
                _ = try CassetteDocument(parsing: bytes)
            } catch {
                #expect(error is JSONError || error is JSONErrors)
                refused += 1
            }
        }
        #expect((1000..<2000).contains(refused))
    }
}
#endif
