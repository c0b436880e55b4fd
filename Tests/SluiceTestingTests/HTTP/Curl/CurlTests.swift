#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import SluiceTesting
import Testing

/// A shell in which `curl` prints its input.
private struct Echo {
    let arguments: [String]
    let input: [UInt8]

    /// Runs a command; `curl` prints its arguments, each followed by a NUL, and its standard input if an option
    /// requests it.
    init(_ command: String, file: String = "/dev/null") throws {
        let script = """
            curl() {
                for word in "$@"; do printf '%s\\000' "$word"; done
                printf '\\000'
                case "$*" in *'--data-binary @-'*) cat ;; esac
            }
            \(command)
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = []
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The script is longer than an argument may be; the shell reads it while its output is read.
        DispatchQueue.global().async {
            try? input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
            try? input.fileHandleForWriting.close()
        }
        let bytes = Array(try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let words = bytes.split(separator: 0, maxSplits: .max, omittingEmptySubsequences: false)
        let end = try #require(words.firstIndex { $0.isEmpty })
        arguments = words[..<end].map { String(decoding: $0, as: UTF8.self) }
        self.input = Array(bytes[(words[end].startIndex + 1)...])
    }

    /// Returns the values after an option.
    func values(of option: String) -> [String] {
        zip(arguments, arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
    }
}

@Suite struct CurlTests {
    private func request(
        _ method: HTTPRequest.Method = .get,
        _ address: String = "http://example.com/",
        _ headers: HTTPFields = [:],
        body: RequestBody? = nil
    ) throws -> TransportRequest {
        TransportRequest(method, try #require(URL(string: address)), headers: headers, body: body)
    }

    @Test func textOfACommand() throws {
        let put = try request(
            .put,
            "http://example.com/users/1?page=2",
            [.contentType: "application/json", .authorization: "Bearer abc"],
            body: #"{"name":"Ada"}"#
        )
        #expect(
            put.curl() == #"""
                curl 'http://example.com/users/1?page=2' \
                  --request PUT \
                  --header 'Content-Type: application/json' \
                  --header 'Authorization: Bearer REDACTED' \
                  --data-raw '{"name":"Ada"}'
                """#
        )
        #expect(try request().curl() == "curl http://example.com/")
        #expect(try request(.head).curl() == "curl http://example.com/ \\\n  --head")
        #expect(try request(.delete).curl() == "curl http://example.com/ \\\n  --request DELETE")
    }

    @Test(arguments: [
        "plain", "it's", "''", "'", "$(touch never) `id` $HOME", "a\nb\n", "\n", "!!", "!1 'a'!b", "@/etc/passwd",
        "\\", "\\'", "\"", "-n", "--next", "%s%n", "é 日本 🎈", "tab\tend", "; rm -rf /", "a&b|c>d<e", "{a,b}[1-9]*?~#",
        "\u{2028}",
    ])
    func hostileTextsReachTheCommandAsTheyAre(_ text: String) throws {
        let echo = try Echo(request(.post, body: .bytes(Array(text.utf8))).curl(redacting: .none))
        #expect(echo.values(of: "--data-raw") == [text])
        #expect(echo.arguments.first == "http://example.com/")
    }

    @Test(arguments: ["it's", "$(id)", "`id`", "!!", "a\"b", "\\", "100%", "\u{1B}[2Jx", "é"])
    func hostileFieldsReachTheCommandAsTheyAre(_ value: String) throws {
        let name = try #require(HTTPField.Name("X-Odd"))
        let field = HTTPField(name: name, value: value)
        let command = try request(.get, "http://example.com/", [name: value]).curl()
        #expect(!command.utf8.contains(0x1B))
        #expect(try Echo(command).values(of: "--header") == ["X-Odd: \(field.value)"])
    }

    @Test func bytesComeThroughAPipe() throws {
        let bytes: [UInt8] = Array(0...255) + Array("-%d\\n'".utf8) + Array(0...255)
        for body in [bytes, [0], [0xFF, 0x31], Array("-\u{1}".utf8), Array("é\u{0}1".utf8)] {
            let echo = try Echo(request(.post, body: .bytes(body)).curl(redacting: .none))
            #expect(echo.input == body)
            #expect(echo.values(of: "--data-binary") == ["@-"])
        }
    }

    @Test func whatIsTooLongForAnArgumentComesThroughAPipe() throws {
        let body = Array(String(repeating: "it's 100% \\ é\n", count: 20_000).utf8)
        let echo = try Echo(request(.post, body: .bytes(body)).curl(redacting: .none))
        #expect(echo.input == body)
    }

    @Test func methods() throws {
        #expect(try Echo(request(.post).curl()).values(of: "--request") == ["POST"])
        #expect(try Echo(request(.post, body: "a").curl()).values(of: "--request") == [])
        #expect(try Echo(request(.get, body: "a").curl()).values(of: "--request") == ["GET"])
        #expect(try Echo(request(.head, body: "a").curl()).values(of: "--request") == ["HEAD"])
        let odd = try #require(HTTPRequest.Method(rawValue: "it's|odd"))
        #expect(try Echo(request(odd).curl()).values(of: "--request") == ["it's|odd"])
    }

    @Test func whatCurlWouldChangeItIsToldNotTo() throws {
        #expect(try request(.get, "http://example.com/a/../b").curl().contains("--path-as-is"))
        #expect(try !request(.get, "http://example.com/.well-known/a").curl().contains("--path-as-is"))
        #expect(try request(.get, "http://[::1]:8080/").curl().contains("--globoff"))
        #expect(try Echo(request(.post, body: "a").curl()).values(of: "--header") == ["Content-Type:"])
        let fields: HTTPFields = [.accept: "", .contentLength: "7", .acceptEncoding: "br"]
        let get = try request(.get, "http://example.com/", fields)
        #expect(try Echo(get.curl()).values(of: "--header") == ["Accept;", "Accept-Encoding: br"])
        let compressed = try Echo(get.curl(isCompressed: true))
        #expect(compressed.values(of: "--header") == ["Accept;"])
        #expect(compressed.arguments.contains("--compressed"))
    }

    @Test func filesAndStreams() throws {
        let file = try Echo(request(.put, body: .file("/data/it's here")).curl())
        #expect(file.values(of: "--data-binary") == ["@/data/it's here"])
        #expect(try Echo(request(.put, body: .file("-")).curl()).values(of: "--data-binary") == ["@./-"])
        let stream = RequestStream(AsyncStream<[UInt8]> { $0.finish() })
        #expect(try request(.put, body: .stream(stream)).curl().hasSuffix("--data-binary @-"))
    }

    @Test func secretsAreRedacted() throws {
        let post = try request(
            .post,
            "http://ada:lovelace@example.com/?token=abc&page=2",
            [.contentType: "application/json", .cookie: "session=abc; theme=dark"],
            body: #"{"password": "abc", "name": "Ada"}"#
        )
        let echo = try Echo(post.curl())
        #expect(echo.arguments.first == "http://REDACTED@example.com/?token=REDACTED&page=2")
        #expect(echo.values(of: "--header").last == "Cookie: session=REDACTED; theme=REDACTED")
        #expect(echo.values(of: "--data-raw") == [#"{"password": "REDACTED", "name": "Ada"}"#])
        let open = try Echo(post.curl(redacting: .none))
        #expect(open.arguments.first == "http://ada:lovelace@example.com/?token=abc&page=2")
        #expect(open.values(of: "--data-raw") == [#"{"password": "abc", "name": "Ada"}"#])
    }
}

private enum Curl {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")
}

@Suite(
    .enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"),
    .enabled(if: Curl.isThere, "cURL is not there")
)
struct CurlOverTheNetworkTests {
    /// A server gets the same from the command as from the transport.
    @Test(
        arguments: [
            (HTTPRequest.Method.get, nil, nil), (.delete, nil, nil), (.post, nil, nil),
            (.post, "application/json", Array(#"{"it's": "$HOME @é\n"}"#.utf8)),
            (.put, "text/plain", Array("@a\n\nb\n".utf8)),
            (.patch, "application/octet-stream", Array(0...255)), (.post, nil, Array("a=b".utf8)),
            (.post, "application/x-www-form-urlencoded", Array("a=b+c&d=%26".utf8)),
        ] as [(HTTPRequest.Method, String?, [UInt8]?)]
    )
    func doesWhatTheRequestDoes(_ method: HTTPRequest.Method, _ type: String?, _ body: [UInt8]?) async throws {
        let url = try HTTPBin.url("/anything/it's?a[]=%20b&c={d}")
        var request = TransportRequest(method, url, headers: [.userAgent: "sluice", .accept: "*/*"])
        request.body = body.map { .bytes($0) }
        if let type { request.headers[.contentType] = type }

        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", request.curl(redacting: .none)]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = Pipe()
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()

        let sent = try JSON(parsing: try await HTTPTransport().process(request).body.collected(upTo: 1 << 20))
        let shown = try JSON(parsing: text)
        for key in ["method", "url", "args", "data", "form", "json", "files"] {
            #expect(shown[key] == sent[key], "\(key)")
        }
        #expect(shown["headers"]?["Content-Type"] == sent["headers"]?["Content-Type"])
    }
}
#endif
