#if Hub
import Foundation
import HTTPTypes
import Sluice
import SluiceConnect
import SluiceJSON
import SluiceRuns
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// The things that senders can't do to a stream that reads a webhook, and edits of its right and its buffer.
@Suite struct WebhookSafetyTests {
    private func document(_ more: String, auth: String = #""none""#) -> String {
        #"{"id": "w", "source": {"webhook": {"name": "orders", "auth": \#(auth)\#(more)}}}"#
    }

    /// A hub whose stream reads a webhook.
    private func hub(
        _ texts: [String],
        _ change: (inout HubSettings) throws -> Void = { _ in }
    ) async throws -> Hub {
        var settings = HubSettings()
        try change(&settings)
        let hub = try await Hub(texts, settings: settings)
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

    // MARK: Items

    /// A valid body whose item takes more memory than a value may, in all forms that an item has.
    @Test(arguments: [
        ("application/json", "[" + String(repeating: "1,", count: 100) + "1]"),
        ("application/json", #"{"a": "\#(String(repeating: "a", count: 1000))"}"#),
        ("text/plain", String(repeating: "a", count: 1000)),
        ("application/x-www-form-urlencoded", (0..<50).map { "a\($0)=1" }.joined(separator: "&")),
    ])
    func anItemThatIsTooLargeIsRefused(_ type: String, _ body: String) async throws {
        let hub = try await hub([document("")]) { $0.limits.valueSize = 1000 }
        #expect(try await post(hub, body, ["Content-Type": type]).status == .contentTooLarge)
        #expect(try await post(hub, "1").status == .noContent)
        #expect(try await outputs(hub) == ["1"])
        #expect(hub.state("w") == .running)
    }

    /// The largest item that is taken does not make the stream fail either.
    @Test func theLargestItemIsTaken() async throws {
        let hub = try await hub([document("")]) { $0.limits.valueSize = 1000 }
        let text = String(repeating: "a", count: 984)
        #expect(try await post(hub, text, ["Content-Type": "text/plain"]).status == .noContent)
        #expect(try await post(hub, text + "a", ["Content-Type": "text/plain"]).status == .contentTooLarge)
        #expect(try await outputs(hub).count == 1)
        #expect(hub.state("w") == .running)
    }

    // MARK: Keys

    @Test(arguments: [
        (#"{"n": 1}"#, "no such key"), ("[1]", "source.webhook"), ("null", "source.webhook"), ("7", "source.webhook"),
        (
            #"{"id": "\#(String(repeating: "k", count: 1023))"}"#,
            "the key of an item takes 1025 bytes, and may take 1024"
        ),
        (#"{"id": [\#(String(repeating: "1,", count: 600))1]}"#, "and may take 1024"),
    ])
    func aKeyThatFailsIsReported(_ body: String, _ message: String) async throws {
        let hub = try await hub([document(#", "key": "x.id""#)])
        for id in [1, 2, 1] {
            #expect(try await post(hub, body).status == .noContent)
            #expect(try await post(hub, #"{"id": \#(id)}"#).status == .noContent)
        }
        let texts = try await outputs(hub)
        #expect(texts.filter { $0.hasPrefix("{\"id\":") } == [#"{"id":1}"#, #"{"id":2}"#])
        // The errors are reported with the outputs.
        #expect(texts.count == 5 && texts[0].contains(message), "\(texts)")
        #expect(hub.state("w") == .running)
    }

    // MARK: Strangers

    /// A client without a token learns nothing from the answers of addresses that don't receive; one with a token does.
    @Test func strangersHaveOneAnswer() async throws {
        let other = #"{"id": "other", "name": "secret plan", "source": {"never": {}}, "description": "hidden"}"#
        let idle = #"{"id": "idle", "source": {"webhook": {"name": "orders", "auth": "none"}}}"#
        let hub = try await hub([document(#", "key": "x.hidden""#), other, idle]) { $0.token = TokenTests.token }
        try await hub.hub.run("other").start()
        let paths = [
            ("nobody", "orders", HTTPResponse.Status.notFound), ("other", "hidden", .serviceUnavailable),
            ("other", "absent", .notFound), ("idle", "orders", .serviceUnavailable), ("w", "none", .serviceUnavailable),
            ("w", "absent", .notFound), ("idle", "absent", .serviceUnavailable),
        ]
        var answers: Set<String> = []
        for (stream, name, known) in paths {
            let path = "/streams/\(stream)/webhook/\(name)"
            for headers in [[:], ["Authorization": "Bearer wrong"], ["Authorization": "Basic x"]] {
                let answer = try await hub.ask(.post, path, "1", headers)
                answers.insert("\(answer.status) \(answer.headers[.retryAfter] ?? "") \(answer.text)")
                #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "5", "\(path)")
            }
            let answer = try await hub.ask(.post, path, "1", ["Authorization": "Bearer \(TokenTests.token)"])
            #expect(answer.status == known, "\(path)")
        }
        #expect(answers.count == 1, "\(answers)")
        #expect(try await post(hub, "1").status == .noContent)
    }

    // MARK: Edits

    private func edit(_ hub: Hub, _ text: String, _ revision: Int) async throws {
        let answer = try await hub.ask(
            .put,
            "/streams/w",
            text,
            ["If-Match": "\"\(revision)\"", "Authorization": "Bearer \(TokenTests.token)"]
        )
        #expect(answer.status == .ok, "\(answer.text)")
    }

    /// An edited right is that of the next request, in both directions; the run goes on.
    @Test func anEditedRightIsThatOfTheNextRequest() async throws {
        let hub = try await hub([document(#", "key": "x""#)]) { $0.token = TokenTests.token }
        let token = ["Authorization": "Bearer \(TokenTests.token)"]
        #expect(try await post(hub, "1").status == .noContent)
        try await edit(hub, document(#", "key": "x""#, auth: #""token""#), 1)
        // Until the source has begun again nothing is received; the right before the edit is never valid again.
        try await hub.until("it is read again") {
            let status = try await post(hub, "2").status
            #expect(status == .serviceUnavailable || status == .unauthorized)
            return status == .unauthorized
        }
        #expect(try await post(hub, "3", token).status == .noContent)
        let signature = #"{"hmac": {"header": "X-S", "algorithm": "sha256", "secret": "${secret:none}"}}"#
        try await edit(hub, document(#", "key": "x""#, auth: signature), 2)
        try await hub.until("it is read again") {
            let answer = try await post(hub, "4", token)
            #expect(answer.status == .serviceUnavailable)
            return answer.headers[.retryAfter] == "60"
        }
        try await edit(hub, document(#", "key": "x""#), 3)
        try await hub.until("it is read again") { try await post(hub, "5").status == .noContent }
        // The edits have reset the source, which has forgotten its keys.
        #expect(try await post(hub, "1").status == .noContent)
        #expect(try await outputs(hub) == ["1", "3", "5", "1"])
        #expect(hub.state("w") == .running)
    }

    /// An edited buffer has its new size; a paused run takes nothing from it.
    @Test func anEditedBufferHasItsNewSize() async throws {
        let hub = try await hub([document("")]) { $0.token = TokenTests.token }
        #expect(try await post(hub, "1").status == .noContent)
        for (revision, size) in [(1, 2), (2, 5)] {
            let begun = hub.hub.around.webhooks.entry("w", "orders")
            try await edit(hub, document(#", "buffer": {"size": \#(size)}"#), revision)
            // Items that wait for a source that has been reset are withdrawn, and not lost in silence.
            let late = StreamDelivery()
            if try begun?.deliver(0, awaitedBy: late) == true { #expect(await !late.isTaken()) }
            try await hub.until("it is read again") { try await post(hub, "\(size)").status == .noContent }
            try await hub.hub.run("w").pause()
            let entry = try #require(hub.hub.around.webhooks.entry("w", "orders"))
            var count = 0
            while try entry.deliver(7, awaitedBy: StreamDelivery()), count < 100 { count += 1 }
            #expect(count == size)
            try await hub.hub.run("w").resume()
            // The clock does not move: a request stores what has come before it.
            try await hub.until("there is room") { try await post(hub, "8").status == .noContent }
            #expect(try await outputs(hub).suffix(size + 1) == Array(repeating: "7", count: size) + ["8"])
            #expect(hub.state("w") == .running)
        }
    }
}
#endif
