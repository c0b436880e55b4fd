#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceConnect

@Suite struct SecretsTests {
    private static let value = "v4lue-of-a-secret"

    private func secrets(_ origins: String, _ more: String = "") throws -> Secrets {
        try Secrets(parsing: #"{"key": {"value": "\#(Self.value)", "origins": \#(origins)\#(more)}}"#)
    }

    // MARK: Files

    @Test func aFileIsReadByItsOwnerOnly() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = #"{"key": {"value": "\#(Self.value)", "origins": ["https://x.example"]}}"#
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
        for mode in [0o644, 0o640, 0o604, 0o660, 0o620] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = #expect(throws: SecretsError.self) { try Secrets(file: path) }
            #expect(error?.isOfFile == true && error?.description.contains("chmod 600") == true, "\(mode)")
        }
        for mode in [0o600, 0o400] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(try Secrets(file: path).names == ["key"])
        }
        #expect(throws: SecretsError.self) { try Secrets(file: "/no/such/file") }
        #expect(throws: SecretsError.self) { try Secrets(file: "/dev/null") }
    }

    @Test func aValueMayBeInTheEnvironment() throws {
        let text = #"{"key": {"environment": "KEY", "origins": []}}"#
        #expect(try Secrets(parsing: text, environment: ["KEY": Self.value]).value(of: "key", for: nil) == Self.value)
        #expect(throws: SecretsError.self) { try Secrets(parsing: text, environment: [:]) }
    }

    /// No error has a value in it.
    @Test(arguments: [
        #"{"key": {"value": "v4lue-of-a-secret"}}"#, #"{"key": {"value": "short", "origins": []}}"#,
        #"{"key": {"value": "v4lue-of-a-secret", "origins": ["http://x.example"]}}"#,
        #"{"key": {"value": "v4lue-of-a-secret", "origins": ["https://u:p@x.example"]}}"#,
        #"{"key": {"value": "v4lue-of-a-secret", "origins": ["https://x.example?a"]}}"#,
        #"{"key": {"value": "v4lue-of-a-secret", "origins": [1]}}"#,
        #"{"key": {"value": "v4lue-of-a-secret\n", "origins": []}}"#, #"{"key": "v4lue-of-a-secret"}"#,
        #"{"key": {"value": "v4lue-of-a-secret", "origins": [], "x": 1}}"#,
        #"{"a b": {"value": "v4lue-of-a-secret", "origins": []}}"#, #"["v4lue-of-a-secret"]"#, #"{"v4lue-of-a-secret"#,
    ])
    func invalidSecretsAreRefused(_ text: String) {
        let error = #expect(throws: SecretsError.self) { try Secrets(parsing: text) }
        #expect(error?.description.contains("v4lue") == false, "\(String(describing: error))")
    }

    // MARK: Origins

    @Test func aSecretIsForItsOrigins() throws {
        let secrets = try secrets(#"["https://api.example/v1", "http://127.0.0.1:8080", "https://other.example/"]"#)
        func isSent(_ url: String) -> Bool {
            guard let url = URL(string: url) else { return false }
            let text = try? secrets.text("Bearer ${secret:key}!", to: url, for: nil)
            #expect(text == nil || text == "Bearer \(Self.value)!")
            return text != nil
        }
        for url in [
            "https://api.example/v1", "https://API.example:443/v1/x?y#z", "http://127.0.0.1:8080/",
            "https://other.example",
            "https://other.example/a/b",
        ] { #expect(isSent(url), "\(url)") }
        for url in [
            "http://api.example/v1", "https://api.example/", "https://api.example/v10", "https://api.example:444/v1",
            "https://api.example.evil/v1", "https://evil.example/v1", "http://127.0.0.1/", "https://127.0.0.1:8080/",
            "https://api.example/v1/../v2", "https://api.example/v1/%2e%2e/v2", "https://api.example/v1/%2E./v2",
            "https://api.example/v1%2f..%2fv2", "https://sub.api.example/v1",
        ] { #expect(!isSent(url), "\(url)") }
    }

    @Test func aSecretIsForItsStreams() throws {
        let secrets = try secrets(#"["https://x.example"]"#, #", "streams": ["a"]"#)
        let url = try #require(URL(string: "https://x.example/"))
        #expect(try secrets.text("${secret:key}", to: url, for: "a") == Self.value)
        for stream in ["b", nil] {
            #expect(throws: SecretsError.self) { try secrets.text("${secret:key}", to: url, for: stream) }
        }
        #expect(throws: SecretsError.self) { try secrets.text("${secret:other}", to: url, for: "a") }
        #expect(throws: SecretsError.self) { try secrets.text("${secret:key", to: url, for: "a") }
    }

    // MARK: Requests

    private final class Seen: Sendable {
        let fields = Locked<[String]>([])
    }

    /// A server that echoes a field in the body, a field, and the status, and redirects.
    private func withServer(_ test: @Sendable (Int, Seen) async throws -> Void) async throws {
        let (router, seen) = (Router(), Seen())
        router.get("**") { request, _ in
            let key = request.headers[.authorization] ?? "none"
            seen.fields.withLock { $0.append("\(request.uri.path) \(key)") }
            let port = HTTPField.Name("X-Port").flatMap { request.headers[$0] } ?? ""
            switch request.uri.path {
            case "/here": return Response(status: .found, headers: [.location: "/echo"])
            case "/away": return Response(status: .found, headers: [.location: "http://localhost:\(port)/echo"])
            case "/bad":
                let problem: JSON = ["title": "Bad", "detail": .string("you sent \(key)")]
                return Response(
                    status: .badRequest,
                    headers: [.contentType: "application/problem+json"],
                    body: .init(byteBuffer: ByteBuffer(string: problem.text()))
                )
            default:
                let body: JSON = ["echo": .string(key), "list": [.string("x\(key)y")]]
                var headers: HTTPFields = [.contentType: "application/json"]
                if let name = HTTPField.Name("X-Echo") { headers[name] = key }
                return Response(
                    status: .ok,
                    headers: headers,
                    body: .init(byteBuffer: ByteBuffer(string: body.text()))
                )
            }
        }
        try await Application(router: router).test(.live) { client in try await test(client.port ?? 0, seen) }
    }

    private func ask(_ port: Int, _ path: String, origin: String) async throws -> (value: JSON?, error: String?) {
        var settings = ConnectSettings()
        settings.allowedHosts = [try AllowedHost("127.0.0.1"), try AllowedHost("localhost"), try AllowedHost("::1")]
        settings.secrets = try secrets("[\"\(origin)\"]")
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"request": {"url": "http://127.0.0.1:\#(port)\#(path)", "as": "response",
                 "headers": {"Authorization": "Bearer ${secret:key}", "X-Port": "\#(port)"}}}}
                """#
        )
        do {
            for try await value in try document.values(host: settings.host()) { return (value, nil) }
            return (nil, nil)
        } catch { return (nil, "\(error)") }
    }

    @Test func anEchoIsRedacted() async throws {
        try await withServer { port, seen in
            let result = try await ask(port, "/echo", origin: "http://127.0.0.1:\(port)")
            #expect(seen.fields.withLock { $0 } == ["/echo Bearer \(Self.value)"])
            let value = try #require(result.value, "\(result)")
            #expect(!value.text().contains(Self.value))
            #expect(value["body"]?["echo"] == "Bearer ${secret:key}")
            #expect(value["body"]?["list"] == ["xBearer ${secret:key}y"])
            #expect(value["headers"]?["x-echo"] == "Bearer ${secret:key}")
            let bad = try await ask(port, "/bad", origin: "http://127.0.0.1:\(port)")
            #expect("\(bad)".contains(Self.value) == false)
        }
    }

    @Test func itIsSentNowhereElse() async throws {
        try await withServer { port, seen in
            let refused = try await ask(port, "/echo", origin: "https://api.example")
            #expect(refused.error?.contains("the secret 'key' may not be sent to http://127.0.0.1:\(port)") == true)
            #expect(seen.fields.withLock { $0 } == [])
            // A redirect on the same origin, but not below the path of the secret.
            let other = try await ask(port, "/here", origin: "http://127.0.0.1:\(port)/here")
            #expect(other.error?.contains("may not be sent") == true, "\(other)")
            // A redirect to another origin.
            _ = try await ask(port, "/away", origin: "http://127.0.0.1:\(port)")
            let sent = seen.fields.withLock { $0 }
            #expect(sent.filter { $0.hasPrefix("/echo") && $0.contains(Self.value) } == [])
        }
    }

    /// `$${` is the text `${`, in the fields of sources and of sinks, with and without secrets beside it.
    @Test(arguments: [
        ("$${secret:key}", "${secret:key}"), ("$${a}", "${a}"), ("${a}", "${a}"), ("$$${a}", "$${a}"), ("a$", "a$"),
        ("$${secret:key} ${secret:key}", "${secret:key} v4lue-of-a-secret"), ("${${secret:key}", "${v4lue-of-a-secret"),
        ("$${${secret:key}$${", "${v4lue-of-a-secret${"), ("$ {secret:key}", "$ {secret:key}"), ("", ""),
    ])
    func anEscapeIsText(_ text: String, _ sent: String) throws {
        let url = try #require(URL(string: "https://x.example/"))
        #expect(try secrets(#"["https://x.example"]"#).text(text, to: url, for: nil) == sent)
    }

    /// A field whose value a server has sent names no secret: the server could ask for any secret of its origin.
    @Test(arguments: ["poll", "events"]) func aServerNamesNoSecrets(_ kind: String) async throws {
        let (router, seen) = (Router(), Seen())
        router.get("**") { request, _ in
            let name: HTTPField.Name = kind == "poll" ? .ifNoneMatch : HTTPField.Name("Last-Event-ID") ?? .ifMatch
            let field = request.headers[name] ?? "none"
            seen.fields.withLock { $0.append("\(request.headers[HTTPField.Name("X-Key") ?? .ifMatch] ?? "") \(field)") }
            let headers: HTTPFields =
                kind == "poll"
                ? [.eTag: #""${secret:other}""#, .cacheControl: "no-cache", .contentType: "text/plain"]
                : [.contentType: "text/event-stream"]
            let body = kind == "poll" ? "x" : "retry: 1\nid: ${secret:other}\ndata: x\n\n"
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: body)))
        }
        try await Application(router: router).test(.live) { client in
            let origin = "http://127.0.0.1:\(client.port ?? 0)"
            var settings = ConnectSettings()
            settings.allowedHosts = [try AllowedHost("127.0.0.1")]
            settings.secrets = try Secrets(
                parsing: #"""
                    {"key": {"value": "v4lue-of-a-secret", "origins": ["\#(origin)"]},
                     "other": {"value": "v4lue-of-another", "origins": ["\#(origin)"]}}
                    """#
            )
            let seconds = kind == "poll" ? #", "seconds": 0.1"# : ""
            let document = try StreamDocument(
                parsing: #"""
                    {"source": {"\#(kind)": {"url": "\#(origin)/x"\#(seconds),
                     "headers": {"X-Key": "${secret:key} $${secret:key}"}}}}
                    """#
            )
            var count = 0
            for try await value in try document.values(host: settings.host()) {
                #expect(value == "x")
                count += 1
                if count == 2 { break }
            }
        }
        let tag = kind == "poll" ? #""${secret:other}""# : "${secret:other}"
        let key = "v4lue-of-a-secret ${secret:key}"
        #expect(seen.fields.withLock { Array($0.prefix(2)) } == ["\(key) none", "\(key) \(tag)"])
    }

    @Test(arguments: [
        #"{"request": "https://x.example/${secret:key}"}"#,
        #"{"request": {"url": "https://x.example/", "body": "${secret:key}"}}"#,
        #"{"request": {"url": "https://x.example/", "body": {"a": ["${secret:key}"]}}}"#,
    ])
    func secretsAreInHeadersOnly(_ source: String) throws {
        let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: #"{"source": \#(source)}"#).flow() }
        #expect(errors?.errors.first?.message.contains("a secret can be used in \"headers\"") == true)
    }

    @Test func expressionsDoNotReadThem() throws {
        let text = #"{"source": {"values": [1]}, "operators": [{"map": {"expression": "'${secret:key}'"}}]}"#
        #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text).flow() }
    }
}
#endif
