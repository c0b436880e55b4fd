#if Hub
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import SluiceHub

/// Requests that a page of another site can make a browser send.
@Suite struct WriteRulesTests {
    /// The routes that change or compute something, with a path of each.
    private func writes(_ hub: Hub) -> [(operation: SluiceHub.Operation, path: String)] {
        // Webhooks are exempt, and check their senders themselves: WebhookTests.
        hub.routes.operations.filter { $0.method != .get && $0.method != .head && $0.id != "postToWebhook" }
            .map { ($0, $0.example) }
    }

    @Test func writesOfOtherSitesAreRefused() async throws {
        let hub = try await Hub([Document.items("x", [1])])
        let writes = writes(hub)
        #expect(writes.count > 20)
        for (operation, path) in writes {
            for site in ["cross-site", "same-site", "CROSS-SITE", ""] {
                let answer = try await hub.ask(operation.method, path, "{}", ["Sec-Fetch-Site": site])
                #expect(answer.status == .forbidden, "\(operation.id) \(site)")
            }
            for site in ["same-origin", "none"] {
                let answer = try await hub.ask(operation.method, path, "{}", ["Sec-Fetch-Site": site])
                #expect(answer.status != .forbidden, "\(operation.id) \(site)")
            }
        }
        // Nothing was written, and reading is a matter of Origin and of the answers' own policy.
        #expect(try await hub.ask(.get, "/streams", nil, ["Sec-Fetch-Site": "cross-site"]).status == .ok)
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonp",
        "text/json", "application/json, text/plain", "text/plain; application/json", "application/octet-stream",
    ])
    func onlyJSONIsWritten(_ type: String) async throws {
        let hub = try await Hub([Document.items("x", [1])])
        for (operation, path) in writes(hub) {
            for body in ["{}", ""] {
                let answer = try await hub.ask(operation.method, path, body, ["Content-Type": type])
                #expect(answer.status == .unsupportedMediaType, "\(operation.id)")
            }
        }
    }

    @Test func typesOfJSONAreTakenWithParametersAndInAnyCase() async throws {
        let hub = try await Hub([Document.items("x", [1])])
        for (operation, path) in writes(hub) {
            for type in [
                "application/json", "application/json; charset=utf-8", "Application/JSON", "application/json ;a=b",
            ] {
                let answer = try await hub.ask(operation.method, path, "{}", ["Content-Type": type])
                #expect(answer.status != .unsupportedMediaType, "\(operation.id) \(type)")
            }
            #expect(try await hub.ask(operation.method, path).status != .unsupportedMediaType, "\(operation.id)")
        }
    }

    /// A body without a type is one that a page can send without asking, too.
    @Test func aBodyWithoutATypeIsRefused() async throws {
        let hub = try await Hub([Document.items("x", [1])])
        try await Application(router: hub.routes.router()).test(.live) { client in
            let port = client.port ?? 0
            for (operation, path) in writes(hub) {
                let head = "\(operation.method.rawValue) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                for body in ["Content-Length: 2\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"] {
                    let answer = try await Exchange.answer(port, head + body)
                    #expect(answer.status == 415, "\(operation.id)")
                }
                #expect(try await Exchange.answer(port, head + "Content-Length: 0\r\n\r\n").status != 415)
            }
        }
    }

    /// A chunk without a valid size is the client's fault.
    @Test func aBadChunkSizeIsABadRequest() async throws {
        let hub = try await Hub([Document.items("x", [1])])
        try await Application(router: hub.routes.router()).test(.live) { client in
            let port = client.port ?? 0
            for (operation, path) in writes(hub) where operation.body != nil {
                for chunk in ["zz\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n", "2\r\n{}x\r\n", "fffffffffffffffff\r\n{}"] {
                    let head =
                        "\(operation.method.rawValue) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                        + "Content-Type: application/json\r\nIf-Match: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                    let answer = try await Exchange.answer(port, head + chunk)
                    #expect(answer.status == 400, "\(operation.id) \(chunk)")
                }
            }
        }
    }

    /// A proxy in front may read the other one.
    @Test func aSecondHostIsRefused() async throws {
        let hub = try await Hub([Document.items("x", [1])])
        try await Application(router: hub.routes.router()).test(.live) { client in
            let port = client.port ?? 0
            for operation in hub.routes.operations {
                for hosts in [["127.0.0.1", "127.0.0.1"], ["127.0.0.1", "example.com"], ["127.0.0.1", ""]] {
                    let fields = hosts.map { "Host: \($0)\r\n" }.joined()
                    let head = "\(operation.method.rawValue) \(operation.example) HTTP/1.1\r\n\(fields)\r\n"
                    let answer = try await Exchange.answer(port, head)
                    #expect(answer.status == 400, "\(operation.id) \(hosts)")
                }
            }
        }
    }
}

extension SluiceHub.Operation {
    /// A path of the route, of the stream `x`.
    var example: String {
        path.replacing("{id}", with: "x").replacing("{group}", with: "all").replacing("{member}", with: "m")
            .replacing("{revision}", with: "1").replacing("{token}", with: "t").replacing("{name}", with: "n")
    }
}
#endif
