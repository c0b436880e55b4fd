#if Hub
import Foundation
import HTTPTypes
import Sluice
import SluiceConnect
import SluiceJSON
import SluiceRuns
import SluiceTesting
import Testing

@testable import SluiceHub
@testable import SluiceStreams

@Suite struct WebhookTests {
    private static let signature =
        #"{"hmac": {"header": "X-Signature", "algorithm": "sha256", "secret": "${secret:shop}", "prefix": "sha256="}}"#

    private func document(_ auth: String = #""none""#, _ more: String = "") -> String {
        #"{"id": "w", "source": {"webhook": {"name": "orders", "auth": \#(auth)\#(more)}}}"#
    }

    /// A hub whose stream reads a webhook.
    private func hub(
        _ text: String,
        on store: any StreamStore = MemoryStreamStore(),
        _ change: (inout HubSettings) throws -> Void = { _ in }
    ) async throws -> Hub {
        var settings = HubSettings()
        settings.secrets = try Secrets(parsing: #"{"shop": {"value": "a long secret", "origins": []}}"#)
        try change(&settings)
        let hub = try await Hub([text], on: store, settings: settings)
        try await hub.hub.run("w").start()
        try await hub.until("the webhook is read") { hub.hub.around.webhooks.entry("w", "orders") != nil }
        return hub
    }

    private func post(_ hub: Hub, _ body: String, _ headers: [String: String] = [:]) async throws -> Hub.Answer {
        try await hub.ask(.post, "/streams/w/webhook/orders", body, headers)
    }

    private func outputs(_ hub: Hub) async throws -> [String] {
        try await hub.store.outputs(of: "w", run: nil, after: 0, limit: 1000).map(\.text)
    }

    // MARK: Storing

    /// The clock does not move, so that nothing but the request itself stores the item: a hub that is killed after the
    /// answer has a successor that has it.
    @Test func anAnswerComesAfterTheCommit() async throws {
        let store = MemoryStreamStore()
        let hub = try await hub(document(), on: store)
        for number in 1...3 {
            #expect(try await post(hub, #"{"n": \#(number)}"#).status == .noContent)
            let copy = MemoryStreamStore(copying: store)
            let kept = try await copy.journal(of: "w").filter { $0.item[0]?.string == "value" }
            let outputs = try await copy.outputs(of: "w", run: nil, after: 0, limit: 10)
            #expect(max(kept.count, outputs.count) == number)
            let successor = try await Hub(on: copy)
            try await successor.until("all items") { try await self.outputs(successor).count == number }
            #expect(try await self.outputs(successor).last == #"{"n":\#(number)}"#)
            await successor.hub.shutDown()
        }
    }

    /// An item that the store has refused is not acknowledged.
    @Test func aFullDiskIsNoAnswer() async throws {
        let store = FailingStore()
        let hub = try await hub(document(), on: store)
        #expect(try await post(hub, "1").status == .noContent)
        store.isFull.withLock { $0 = true }
        let refused = try await post(hub, "2")
        #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] != nil)
    }

    @Test func whatDoesNotReceiveAsksToTryAgain() async throws {
        let hub = try await hub(document())
        #expect(try await post(hub, "1").status == .noContent)
        for (path, body) in [("pause", ""), ("stop", "")] {
            _ = try await hub.ask(.post, "/streams/w/\(path)", body)
            let answer = try await post(hub, "2")
            #expect(answer.status == .serviceUnavailable, "\(path)")
            #expect(answer.headers[.retryAfter] == "5")
        }
        try await hub.hub.run("w").start()
        try await hub.until("it is read again") { try await post(hub, "3").status == .noContent }
        #expect(try await outputs(hub).last == "3")
    }

    /// A buffer without room takes nothing and drops nothing, whatever its policy; what nobody takes can be withdrawn.
    @Test(arguments: StreamBuffer.WhenFull.allCases) func aFullBufferTakesNothing(_ policy: StreamBuffer.WhenFull) async
    {
        var limits = StreamBuffer()
        (limits.size, limits.whenFull) = (2, policy)
        let buffer = SourceBuffer<JSON>(limits, name: "webhook", drops: DropCounter()) {}
        let deliveries = (0..<3).map { _ in StreamDelivery() }
        #expect(deliveries.map { buffer.deliver(1, $0) } == [true, true, false])
        deliveries[0].withdraw()
        #expect(await !deliveries[0].isTaken())
        // The run takes the second one, and keeps it.
        let (_, delivery) = buffer.take() ?? (.end(.completed), nil)
        #expect(delivery === deliveries[1])
        delivery?.end(isTaken: true)
        deliveries[1].withdraw()
        #expect(await deliveries[1].isTaken())
        // Requests that wait when the run ends are withdrawn.
        let last = StreamDelivery()
        #expect(buffer.deliver(2, last))
        buffer.close()
        #expect(await !last.isTaken())
    }

    // MARK: Bodies

    @Test(arguments: [
        ("application/json", #"{"a": 1}"#, #"{"a":1}"#), ("application/vnd.x+json; charset=utf-8", "[1]", "[1]"),
        ("text/plain", "hello", #""hello""#),
        ("application/x-www-form-urlencoded", "a=1+2&b=%C3%A9&a=3", #"{"a":["1 2","3"],"b":"é"}"#),
    ])
    func bodiesBecomeItems(_ type: String, _ body: String, _ item: String) async throws {
        let hub = try await hub(document())
        #expect(try await post(hub, body, ["Content-Type": type]).status == .noContent)
        #expect(try await outputs(hub) == [item])
    }

    @Test func otherBodiesAreRefused() async throws {
        let hub = try await hub(document()) { $0.limits.bodySize = 100 }
        #expect(try await post(hub, "<x/>", ["Content-Type": "text/xml"]).status == .unsupportedMediaType)
        #expect(try await post(hub, "{").status == .badRequest)
        #expect(try await post(hub, String(repeating: "1", count: 101)).status == .contentTooLarge)
        #expect(
            try await post(hub, "a=%FF", ["Content-Type": "application/x-www-form-urlencoded"]).status == .badRequest
        )
        #expect(try await outputs(hub) == [])
    }

    /// A webhook is exempt from the rules for browsers: whoever may send, may send from anywhere.
    @Test func otherSitesMaySend() async throws {
        let hub = try await hub(document())
        let fields = ["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example", "Content-Type": "text/plain"]
        #expect(try await post(hub, "x", fields).status == .noContent)
        // The exemption is that of one route.
        #expect(try await hub.ask(.post, "/streams/w/stop", "{}", fields).status == .forbidden)
        for path in [
            "/streams/w/webhook/orders/", "/streams/w/webhook/", "//streams/w/webhook/orders", "/streams/w/x/y",
        ] {
            #expect(!WebhookRoutes.isOne(.post, path), "\(path)")
        }
        #expect(!WebhookRoutes.isOne(.put, "/streams/w/webhook/orders"))
    }

    @Test func repeatedDeliveriesAreDropped() async throws {
        let hub = try await hub(document(#""none""#, #", "key": "x.id""#))
        for id in [1, 2, 1, 3, 2] { #expect(try await post(hub, #"{"id": \#(id)}"#).status == .noContent) }
        #expect(try await outputs(hub) == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#])
    }

    @Test func unknownWebhooksAreNotFound() async throws {
        let hub = try await hub(document())
        #expect(try await hub.ask(.post, "/streams/w/webhook/other", "1").status == .notFound)
        #expect(try await hub.ask(.post, "/streams/x/webhook/orders", "1").status == .notFound)
        #expect(try await hub.ask(.get, "/streams/w/webhook/orders").status == .methodNotAllowed)
    }

    @Test func anAddressIsLimited() async throws {
        let hub = try await hub(document()) { $0.limits.webhooksPerSecond = 2 }
        for _ in 0..<4 { #expect(try await post(hub, "1").status == .noContent) }
        let answer = try await post(hub, "1")
        #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] == "1")
        hub.clock.advance(by: .seconds(1))
        #expect(try await post(hub, "1").status == .noContent)
    }

    // MARK: Senders

    /// HMAC-SHA256 of `{"a": 1}` with the key `a long secret`, as Python's `hmac` computes it.
    private static let code = "ed44b152772d0735915ccb8419853b66a0592774702895e57b1a553b8c14473d"

    @Test func aSignatureIsRequired() async throws {
        let hub = try await hub(document(Self.signature))
        let body = #"{"a": 1}"#
        #expect(try await post(hub, body, ["X-Signature": "sha256=\(Self.code)"]).status == .noContent)
        #expect(try await post(hub, body, ["X-Signature": "sha256=\(Self.code.uppercased())"]).status == .noContent)
        for (body, field) in [
            (#"{"a":1}"#, "sha256=\(Self.code)"), (body, Self.code), (body, "sha256="), (body, ""),
            (body, "sha256=\(Self.code.dropLast())"),
            (body, "sha256=" + String(repeating: "0", count: 64)), (body, "sha512=\(Self.code)"),
        ] {
            #expect(try await post(hub, body, ["X-Signature": field]).status == .unauthorized, "\(field)")
        }
        #expect(try await post(hub, body).status == .unauthorized)
        #expect(try await outputs(hub).count == 2)
    }

    @Test func aSecretThatIsMissingLetsNobodyIn() async throws {
        let hub = try await hub(document(Self.signature)) { $0.secrets = Secrets() }
        let answer = try await post(hub, #"{"a": 1}"#, ["X-Signature": "sha256=\(Self.code)"])
        #expect(answer.status == .serviceUnavailable)
    }

    private static let decoded =
        #"{"hmac": {"header": "X-Signature", "algorithm": "sha256", "secret": "${secret:shop}", "key": "base64"}}"#

    private func secrets(_ value: String) throws -> Secrets {
        try Secrets(parsing: #"{"shop": {"value": "\#(value)", "origins": []}}"#)
    }

    /// The codes of `{"a": 1}` as Python's `hmac` computes them, with the decoded secret and with its text.
    @Test func aKeyIsDecoded() async throws {
        let hub = try await hub(document(Self.decoded)) {
            $0.secrets = try secrets("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        }
        for (code, status) in [
            ("311b82778e920a0b3e0a8151ba527770103914d22866fcd68589f0ba4ffa9962", HTTPResponse.Status.noContent),
            ("47574c76fe0206d6e8966b646eb9dbaa6f6f4a352833a99d5ce342593cbe48f1", .unauthorized),
        ] {
            #expect(try await post(hub, #"{"a": 1}"#, ["X-Signature": code]).status == status)
        }
    }

    /// A secret that can't be decoded fails the stream when it starts, and the error does not show it.
    @Test func aSecretThatCannotBeDecodedFailsTheStream() async throws {
        var settings = HubSettings()
        settings.secrets = try secrets("whsec_not-in-base64")
        let hub = try await Hub([document(Self.decoded)], settings: settings)
        #expect(try await hub.ask(.post, "/streams/w/start").status == .ok)
        try await hub.until("it has failed") { hub.state("w") == .failed }
        let error = try await hub.ask(.get, "/streams/w/run").json["error"]?.string
        #expect(error?.contains("the secret 'shop' can't be decoded") == true, "\(error ?? "")")
        #expect(error?.contains("not-in-base64") == false)
        let answer = try await post(hub, #"{"a": 1}"#, ["X-Signature": Self.code])
        #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "5")
    }

    @Test func theHubsTokenIsRequired() async throws {
        let hub = try await hub(document(#""token""#)) { $0.token = TokenTests.token }
        #expect(try await post(hub, "1").status == .unauthorized)
        #expect(try await post(hub, "1", ["Authorization": "Bearer wrong"]).status == .unauthorized)
        #expect(try await post(hub, "1", ["Authorization": "Bearer \(TokenTests.token)"]).status == .noContent)
        // A session's cookie is sent by any page in that browser.
        let login = try await hub.ask(.post, "/session", #"{"token": \#(JSON.string(TokenTests.token))}"#)
        let cookie = try #require(login.headers[.setCookie]?.split(separator: ";").first.map(String.init))
        #expect(try await post(hub, "1", ["Cookie": cookie]).status == .unauthorized)
        #expect(try await outputs(hub) == ["1"])
        // Without a token of the hub nobody has one.
        let open = try await self.hub(document(#""token""#))
        #expect(try await post(open, "1").status == .forbidden)
    }

    @Test(arguments: [
        (#""all""#, "expected"), ("{}", "expected"), (#"{"hmac": {}}"#, "\"header\" is missing"),
        (#"{"hmac": {"header": "X", "algorithm": "md5"}}"#, "sha256 or sha512"),
        (#"{"hmac": {"header": "X", "algorithm": "sha256", "secret": "plain"}}"#, "must be the name of a secret"),
        (#"{"hmac": {"header": "X", "algorithm": "sha256", "secret": "${secret:a}", "key": "hex"}}"#, "text or base64"),
        (#"{"hmac": {"header": "X", "algorithm": "sha256", "secret": "${secret:a}", "signed": "x"}}"#, "{body}"),
        (
            #"{"hmac": {"header": "X", "algorithm": "sha256", "secret": "${secret:a}", "signed": "{timestamp}{body}"}}"#,
            "belong together"
        ),
        (
            #"{"hmac": {"header": "X", "algorithm": "sha256", "secret": "${secret:a}", "timestamp": "T"}}"#,
            "belong together"
        ),
        (#"{"hmac": {"header": "X", "algorithm": "sha256", "secret": "${secret:a}", "tolerance": 0}}"#, "tolerance"),
        (#"{"hmac": {"header": "X", "algorithm": "sha256", "secret": "${secret:a}", "salt": "x"}}"#, "unknown key"),
    ])
    func invalidAuthIsAnErrorOfTheDocument(_ auth: String, _ message: String) throws {
        let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: document(auth)).flow() }
        #expect(errors?.errors.contains { $0.message.contains(message) } == true, "\(String(describing: errors))")
    }

    @Test func anAuthIsRequired() throws {
        #expect(throws: JSONErrors.self) {
            try StreamDocument(parsing: #"{"source": {"webhook": {"name": "orders"}}}"#).flow()
        }
    }
}
#endif
