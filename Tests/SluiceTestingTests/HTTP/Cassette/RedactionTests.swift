#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceTesting
import Testing

@Suite struct RedactionTests {
    private func request(_ address: String, _ headers: HTTPFields = [:], body: String? = nil) throws -> TransportRequest
    {
        let body = body.map { RequestBody.bytes(Array($0.utf8)) }
        return TransportRequest(.post, try #require(URL(string: address)), headers: headers, body: body)
    }

    private func text(_ body: RequestBody?) -> String { String(decoding: body?.bytes ?? [], as: UTF8.self) }

    @Test func secretsKeepTheirShape() throws {
        let fields: HTTPFields = [
            .authorization: "Bearer abc", .cookie: "a=1; b=2", .setCookie: "session=abc; Path=/; HttpOnly",
            .accept: "text/plain",
        ]
        let redacted = Redaction.standard.redacted(try request("http://example.com/", fields)).headers
        #expect(redacted[.authorization] == "Bearer REDACTED")
        #expect(redacted[.cookie] == "a=REDACTED; b=REDACTED")
        #expect(redacted[.setCookie] == "session=REDACTED; Path=/; HttpOnly")
        #expect(redacted[.accept] == "text/plain")
    }

    @Test(arguments: [
        ("http://example.com/?token=abc&page=2", "http://example.com/?token=REDACTED&page=2"),
        ("http://example.com/?Access%5FToken=a+b%20c#end", "http://example.com/?Access%5FToken=REDACTED#end"),
        ("http://example.com/?token=&token", "http://example.com/?token=&token"),
        ("http://ada:lovelace@example.com/?a=b@c", "http://REDACTED@example.com/?a=b@c"),
        ("http://example.com/a@b?password=a=b", "http://example.com/a@b?password=REDACTED"),
        ("http://example.com/#access_token=abc&a=b", "http://example.com/#access_token=REDACTED&a=b"),
        ("http://example.com/?a=b#/c?token=abc", "http://example.com/?a=b#/c?token=REDACTED"),
        ("http://example.com/callback?code=abc&state=d", "http://example.com/callback?code=REDACTED&state=d"),
        ("http://example.com/callback#iss=d&code=abc", "http://example.com/callback#iss=d&code=REDACTED"),
        ("http://example.com/zones?code=abc&page=2", "http://example.com/zones?code=abc&page=2"),
    ])
    func addresses(_ address: String, _ redacted: String) throws {
        #expect(Redaction.standard.redacted(try request(address)).url.absoluteString == redacted)
        #expect(Redaction.none.redacted(try request(address)).url.absoluteString == address)
    }

    @Test(arguments: [
        (["user.email"], #"{"user":{"email":"REDACTED","id":1},"email":"b"}"#),
        (["**.email"], #"{"user":{"email":"REDACTED","id":1},"email":"REDACTED"}"#),
        (["*.email"], #"{"user":{"email":"REDACTED","id":1},"email":"b"}"#),
        (["EMAIL"], #"{"user":{"email":"a","id":1},"email":"REDACTED"}"#),
        (["user"], #"{"user":"REDACTED","email":"b"}"#),
        (["user.id"], #"{"user":{"email":"a","id":"REDACTED"},"email":"b"}"#),
        (["user.id.deeper", "email.0"], #"{"user":{"email":"a","id":1},"email":"b"}"#),
    ])
    func membersByPath(_ paths: [String], _ redacted: String) throws {
        let original = #"{"user":{"email":"a","id":1},"email":"b"}"#
        let request = try request("http://example.com/", body: original)
        #expect(text(Redaction(members: paths).redacted(request).body) == redacted)
    }

    @Test func membersOfElements() throws {
        let body = #"{"cards":[{"number":"4111"},{"number":null},7]}"#
        let request = try request("http://example.com/", body: body)
        let all = Redaction(members: ["cards.*.number"]).redacted(request)
        #expect(text(all.body) == #"{"cards":[{"number":"REDACTED"},{"number":null},7]}"#)
        let repeated = try self.request("http://example.com/", body: #"{"a": 1, "a" : [2, "3"] }"#)
        #expect(text(Redaction(members: ["a"]).redacted(repeated).body) == #"{"a": "REDACTED", "a" : "REDACTED" }"#)
        let first = Redaction(members: ["cards.2"]).redacted(request)
        #expect(text(first.body) == #"{"cards":[{"number":"4111"},{"number":null},"REDACTED"]}"#)
    }

    @Test func aBodyWithoutSecretsStaysByteForByte() throws {
        for body in [#"{ "name" :  "Ada" }"#, "not JSON {", #"{"password": "half"#, "", "[1,"] {
            #expect(text(Redaction.standard.redacted(try request("http://example.com/", body: body)).body) == body)
        }
    }

    @Test func formsAndTheirLength() throws {
        let body = "user=ada&Password=love%20lace&client_secret=x"
        let fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded; charset=utf-8", .contentLength: "\(body.utf8.count)",
        ]
        let redacted = Redaction.standard.redacted(try request("http://example.com/", fields, body: body))
        #expect(text(redacted.body) == "user=ada&Password=REDACTED&client_secret=REDACTED")
        #expect(redacted.headers[.contentLength] == "\(text(redacted.body).utf8.count)")
    }

    /// Every field of a request for tokens that lets its reader get tokens, in both forms of such a request. Without a
    /// `grant_type`, the ordinary words among them are no secrets.
    @Test(arguments: [
        ("code", true), ("code_verifier", false), ("client_secret", false), ("client_assertion", false),
        ("assertion", true), ("refresh_token", false), ("device_code", false), ("subject_token", true),
        ("actor_token", true), ("password", false),
    ])
    func requestsForTokens(_ name: String, _ isOrdinary: Bool) throws {
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let json: HTTPFields = [.contentType: "application/json"]
        func redacted(_ headers: HTTPFields, _ body: String) throws -> String {
            text(Redaction.standard.redacted(try request("http://example.com/token", headers, body: body)).body)
        }
        #expect(try redacted(form, "grant_type=x&\(name)=abc&a=b") == "grant_type=x&\(name)=REDACTED&a=b")
        #expect(
            try redacted(json, #"{"\#(name)": "abc", "grant_type": "x", "a": "b"}"#)
                == #"{"\#(name)": "REDACTED", "grant_type": "x", "a": "b"}"#
        )
        if isOrdinary {
            #expect(try redacted(form, "\(name)=abc&a=b") == "\(name)=abc&a=b")
            #expect(try redacted(json, #"{"\#(name)":"abc"}"#) == #"{"\#(name)":"abc"}"#)
        }
    }

    /// A secret object that has another secret in it is replaced as a whole.
    @Test func aSecretInASecret() throws {
        let body = #"{"grant_type": "x", "assertion": {"password": "abc", "b": 1}, "password": "d"}"#
        let redacted = Redaction.standard.redacted(try request("http://example.com/", body: body))
        #expect(text(redacted.body) == #"{"grant_type": "x", "assertion": "REDACTED", "password": "REDACTED"}"#)
    }

    @Test func whatIsSecretAtOnePlaceIsSecretEverywhere() throws {
        let request = try request(
            "http://example.com/?access_token=sesame-open",
            [.authorization: "Bearer 0123456789abcdef", .referer: "http://example.com/?token=sesame-open"]
        )
        let response = TransportResponse(
            headers: [.location: "http://example.com/?next=sesame-open"],
            body: #"{"headers": {"Authorization": "Bearer 0123456789abcdef"}, "sesame-open": true}"#
        )
        let redacted = Redaction.standard.redacted(RecordedExchange(request, response))
        #expect(redacted.request.headers[.referer] == "http://example.com/?token=REDACTED")
        #expect(redacted.response.headers[.location] == "http://example.com/?next=REDACTED")
        let body = String(decoding: redacted.response.body.bytes ?? [], as: UTF8.self)
        #expect(body == #"{"headers": {"Authorization": "Bearer REDACTED"}, "REDACTED": true}"#)
    }

    @Test func secretsInBytes() throws {
        let secret = Array("0123456789".utf8)
        let request = try request("http://example.com/", [.authorization: "Bearer 0123456789"])
        let mark = Array("REDACTED".utf8)
        for (body, redacted) in [
            ([0xFF] + secret + secret + [0xFE], [0xFF] + mark + mark + [0xFE]), (secret, mark), ([0xFF], [0xFF]),
            ([], []),
            (secret.dropLast() + secret, secret.dropLast() + mark),
        ] {
            let answer = TransportResponse(headers: [.contentLength: "\(body.count)"], body: body)
            let response = Redaction.standard.redacted(RecordedExchange(request, answer)).response
            #expect(response.body.bytes == redacted)
            #expect(response.headers[.contentLength] == "\(redacted.count)")
        }
    }

    @Test func redactingTwiceIsRedactingOnce() throws {
        let request = try request(
            "http://a:b@example.com/?token=0123456789",
            [.authorization: "Basic 0123456789", .cookie: "a=0123456789"],
            body: #"{"password": "0123456789"}"#
        )
        let once = Redaction.standard.redacted(request)
        let twice = Redaction.standard.redacted(once)
        #expect(once.url == twice.url)
        #expect(once.headers == twice.headers)
        #expect(text(once.body) == text(twice.body))
    }

    @Test(arguments: [
        ("application/x-ndjson", "{\"password\":\"a\"}\n\n{\"b\": 1}\n", "{\"password\":\"REDACTED\"}\n\n{\"b\": 1}\n"),
        (
            "text/event-stream; charset=utf-8", "id: 1\r\ndata: {\"api_key\": \"a\"}\r\n\r\n",
            "id: 1\r\ndata: {\"api_key\": \"REDACTED\"}\r\n\r\n"
        ),
        ("text/plain", "{\"password\":\"a\"}\n{}", "{\"password\":\"a\"}\n{}"),
    ])
    func linesOfJSON(_ type: String, _ body: String, _ redacted: String) throws {
        let request = try request("http://example.com/", [.contentType: type], body: body)
        #expect(text(Redaction.standard.redacted(request).body) == redacted)
    }

    @Test func theDeepestValueAndAThousandSecrets() async throws {
        let deep = String(repeating: "[", count: 100_000) + #"{"password":1}"# + String(repeating: "]", count: 100_000)
        let request = try request("http://example.com/", body: deep)
        let many = (0..<1000).map { #"{"password": "secret-\#(1000 + $0)"}"# }.joined(separator: ",")
        let answer = TransportResponse(body: Array("[\(many)]".utf8))
        let redacted = await withCheckedContinuation { continuation in
            // The smallest stack of a task's thread.
            let thread = Thread {
                continuation.resume(returning: Redaction.standard.redacted(RecordedExchange(request, answer)))
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(text(redacted.request.body).contains(#"{"password":"REDACTED"}"#))
        #expect(!String(decoding: redacted.response.body.bytes ?? [], as: UTF8.self).contains("secret-"))
    }
}
#endif
