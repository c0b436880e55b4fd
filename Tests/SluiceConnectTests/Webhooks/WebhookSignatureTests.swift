#if Hub
import HTTPTypes
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceConnect

/// Signatures as Python's `hmac` and `hashlib` compute them.
@Suite struct WebhookSignatureTests {
    private static let codes: [(WebhookSignature.Algorithm, String, String, String)] = [
        (
            .sha256, "",
            "",
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        ),
        (
            .sha256, "kkkkk",
            "abc",
            "75ab4a2d436fd3b31478ce853f62b8e0b30a23dfb310bf1ed23abe22a49be9b3"
        ),
        (
            .sha256, String(repeating: "key", count: 50),
            String(repeating: "x", count: 127),
            "da3bde9b14414df3c341a6acc5086a6b15164d54edd9809402c6120b02914cef"
        ),
        (
            .sha256, String(repeating: "k", count: 64),
            String(repeating: "x", count: 128),
            "54224b31cef348c1c68e838c3151e3db2985e518e3a41835d5c0659fa2db9026"
        ),
        (
            .sha256, String(repeating: "k", count: 128),
            String(repeating: "y", count: 55),
            "c4b11d4e966f3022704955d8b4320b2bf699dd5d0f47852a0445a65a31b753a5"
        ),
        (
            .sha256, String(repeating: "k", count: 129),
            String(repeating: "y", count: 111),
            "2bcd9e9dcc7a7cee5ba70ef34a08b32d289fbe0ca80dec1fb89fb64ce0ea7d43"
        ),
        (
            .sha256, "q",
            String(repeating: "z", count: 112),
            "aee95fd1a57654c7704acc9c5c8dc9c2e6812ff5dc961be98ea5969b2811f779"
        ),
        (
            .sha512, "",
            "",
            "b936cee86c9f87aa5d3c6f2e84cb5a4239a5fe50480a6ec66b70ab5b1f4ac6730c6c515421b327ec1d69402e53dfb49ad7381eb067b338fd7b0cb22247225d47"
        ),
        (
            .sha512, "kkkkk",
            "abc",
            "3f56c944307ead96f2003360cd60944af156ee30a67c21efa559c01bb14fac1dad67f0619045ddeb39f8f13bbc394b26625fb859729971984182ae11f801d678"
        ),
        (
            .sha512, String(repeating: "key", count: 50),
            String(repeating: "x", count: 127),
            "c6eb427910103ee730b72caa41087025d31fe0aa36a9e42e251b3a7b73bca07556d08af69719e3da33a20fdb9e17da23b8f3d456d93e05509d2c72b563cf1575"
        ),
        (
            .sha512, String(repeating: "k", count: 64),
            String(repeating: "x", count: 128),
            "ba1e5ceed1cc8fcaadffbb2ac4479cf2a782e67bebc3d457f182d7aa8b08f2457f16a3ed6f711b114fffac5b5fdf29343d2bc49bc89bc7abee9bb375d8231fe6"
        ),
        (
            .sha512, String(repeating: "k", count: 128),
            String(repeating: "y", count: 55),
            "c8d76b0db35f2fbc7248ab6747c0e40d2a1167328e576c06bebd1382a049849ffef56a24733ca069a22f2f252077425ca65eaf9905dea617e90d16405287b209"
        ),
        (
            .sha512, String(repeating: "k", count: 129),
            String(repeating: "y", count: 111),
            "c415d0e5528e7e24b5420bf4cf6cffa253d36499f522fcb59b8883b2643ea5702e62362863e1fb7828aa7fb651bfcb8c26cd2982445ad57fe50d7b7657b2dd6d"
        ),
        (
            .sha512, "q",
            String(repeating: "z", count: 112),
            "4189b09b8c10188eb8192da3767de84ff0b43c285edccc58e03209fc0305581514653064e4bb852b4327137ee2188318de39276611cf806686cecefdb0e11b53"
        ),
    ]

    @Test func codesAreThoseOfPython() {
        for (algorithm, key, message, code) in Self.codes {
            let bytes = HMAC.code(of: Array(message.utf8), key: Array(key.utf8), algorithm)
            let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(text == code, "\(algorithm) \(key.count) \(message.count)")
        }
    }

    private func signature(_ text: String) throws -> WebhookSignature {
        guard case .hmac(let signature) = try WebhookAuth(JSON(parsing: #"{"hmac": \#(text)}"#)) else {
            throw StreamError(message: "not a signature")
        }
        return signature
    }

    private func fields(_ fields: [String: String]) throws -> HTTPFields {
        var headers = HTTPFields()
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        return headers
    }

    private static let time: Int64 = 1_531_420_618

    /// Slack's scheme: the time is signed, and a request is refused after five minutes.
    @Test func aTimeWindowIsChecked() throws {
        let slack = try signature(
            #"""
            {"header": "X-Slack-Signature", "algorithm": "sha256", "secret": "${secret:slack}", "prefix": "v0=",
             "timestamp": "X-Slack-Request-Timestamp", "signed": "v0:{timestamp}:{body}"}
            """#
        )
        let key = "8f742231b10e8888abcd99yyyzzz85a5"
        let (code, body) = ("7d1e505747e16b2e9a5cb99318cbd784d12290a7129487637e0b023164e4aafb", Array("token=xyz".utf8))
        func isValid(_ time: String?, now: Int64) throws -> Bool {
            var given = ["X-Slack-Signature": "v0=\(code)"]
            given["X-Slack-Request-Timestamp"] = time
            return slack.isValid(try fields(given), body, key: Array(key.utf8), now: now)
        }
        for offset: Int64 in [0, 300, -300] { #expect(try isValid("1531420618", now: Self.time + offset)) }
        for offset: Int64 in [301, -301, 100_000] { #expect(try !isValid("1531420618", now: Self.time + offset)) }
        for time in [nil, "", "1531420619", "-1531420618", "+1531420618", "1531420618.0", "99999999999999999999"] {
            #expect(try !isValid(time, now: Self.time), "\(time ?? "")")
        }
    }

    /// The scheme of Standard Webhooks: a field of the request is signed, and the signature has a version.
    @Test func fieldsMayBeSigned() throws {
        let standard = try signature(
            #"""
            {"header": "webhook-signature", "algorithm": "sha256", "secret": "${secret:x}", "encoding": "base64",
             "timestamp": "webhook-timestamp", "signed": "{header:webhook-id}.{timestamp}.{body}"}
            """#
        )
        let body = Array(#"{"test": 1}"#.utf8)
        var given = [
            "webhook-id": "msg_1", "webhook-timestamp": "1531420618",
            "webhook-signature": "v1,AAAA v1,jAulM3DGtEllUpiv4QBP86bQa5qhVII1N7qDTnewhTg=",
        ]
        #expect(standard.isValid(try fields(given), body, key: Array("standard secret".utf8), now: Self.time))
        #expect(!standard.isValid(try fields(given), body, key: Array("another secret".utf8), now: Self.time))
        given["webhook-id"] = "msg_2"
        #expect(!standard.isValid(try fields(given), body, key: Array("standard secret".utf8), now: Self.time))
        given["webhook-id"] = nil
        #expect(!standard.isValid(try fields(given), body, key: Array("standard secret".utf8), now: Self.time))
    }

    private static let standard =
        #"""
        {"header": "webhook-signature", "algorithm": "sha256", "secret": "${secret:x}", "key": "base64",
         "encoding": "base64", "timestamp": "webhook-timestamp", "signed": "{header:webhook-id}.{timestamp}.{body}"}
        """#

    /// The example of the specification of Standard Webhooks, whose key is the decoded secret.
    @Test func theKeyOfStandardWebhooksIsDecoded() throws {
        let standard = try signature(Self.standard)
        let body = Array(#"{"test": 2432232314}"#.utf8)
        let headers = try fields([
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ])
        let (secret, time): (String, Int64) = ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1_614_265_330)
        for value in ["whsec_" + secret, secret] {
            let key = try standard.key(from: value)
            #expect(standard.isValid(headers, body, key: key, now: time))
            #expect(!standard.isValid(headers, body + [0x20], key: key, now: time))
            #expect(!standard.isValid(headers, body, key: key, now: time + 301))
            // As a text it is another key.
            #expect(!standard.isValid(headers, body, key: Array(value.utf8), now: time))
        }
        let text = try signature(Self.standard.replacing(#""key": "base64","#, with: ""))
        #expect(try text.key(from: secret) == Array(secret.utf8))
    }

    @Test(arguments: [
        ("aGVsbG8=", "hello"), ("aGVsbG8", "hello"), ("whsec_aGVsbG8", "hello"), ("whsec_aGVsbG8=", "hello"),
        ("aGVsbG8h", "hello!"), ("aGVsbA==", "hell"), ("aGVsbA", "hell"),
    ])
    func base64IsDecoded(_ value: String, _ key: String) throws {
        #expect(try signature(Self.standard).key(from: value) == Array(key.utf8))
    }

    /// The error has the name of the secret, and nothing of its value.
    @Test(arguments: [
        "whsec_", "aGVsb", "aGVsbG8==", "aGVs bG8=", "aGVsbG8-", "aGVs=bG8", "====", "whsec_whsec_aGVsbG8", "hunter22!",
    ])
    func otherSecretsCannotBeDecoded(_ value: String) throws {
        let standard = try signature(Self.standard)
        let error = #expect(throws: SecretsError.self) { try standard.key(from: value) }
        let text = "the secret 'x' can't be decoded: by \"key\" it is base64, after an optional 'whsec_'"
        #expect(error?.description == text)
    }

    /// Stripe's scheme: one field has the time and the signatures.
    @Test func oneFieldMayHaveBoth() throws {
        let stripe = try signature(
            #"""
            {"header": "Stripe-Signature", "algorithm": "sha256", "secret": "${secret:x}", "prefix": "v1=",
             "timestamp": "Stripe-Signature", "timestampPrefix": "t=", "signed": "{timestamp}.{body}"}
            """#
        )
        let field = "t=1531420618,v1=00,v1=34c190f0d11cbe9468a0b4254f4d0b4bc76fe1ee009af638d48a04e54711a245,v0=11"
        let headers = try fields(["Stripe-Signature": field])
        #expect(stripe.isValid(headers, Array("{}".utf8), key: Array("stripe secret".utf8), now: Self.time))
        #expect(!stripe.isValid(headers, Array("{ }".utf8), key: Array("stripe secret".utf8), now: Self.time))
    }
}
#endif
