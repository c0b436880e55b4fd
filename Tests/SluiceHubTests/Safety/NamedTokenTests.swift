#if Hub
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import SluiceStore
import Testing

@testable import SluiceHub

/// The tokens of users.
@Suite struct NamedTokenTests {
    static let owner = ["Authorization": "Bearer \(TokenTests.token)"]

    private func hub(
        _ token: String? = TokenTests.token,
        on store: any StreamStore = MemoryStreamStore()
    ) async throws -> Hub {
        var settings = HubSettings()
        settings.token = token
        return try await Hub(on: store, settings: settings)
    }

    /// Creates a token, and returns the field that contains it.
    private func create(_ hub: Hub, _ name: String, _ role: Role) async throws -> [String: String] {
        let body = #"{"name": "\#(name)", "role": "\#(role.rawValue)"}"#
        let answer = try await hub.ask(.post, "/tokens", body, Self.owner)
        #expect(answer.status == .created)
        let token = try answer.json
        #expect(token["name"]?.string == name && token["role"]?.string == role.rawValue)
        return ["Authorization": "Bearer \(try #require(token["token"]?.string))"]
    }

    @Test func aTokenHasItsRole() async throws {
        let hub = try await hub()
        let reader = try await create(hub, "reader", .read)
        let editor = try await create(hub, "editor", .edit)
        #expect(try await hub.ask(.get, "/streams", nil, reader).status == .ok)
        let refused = try await hub.ask(.post, "/streams", #"{"stream": []}"#, reader)
        #expect(refused.status == .forbidden)
        let detail = try refused.json["detail"]?.string
        #expect(detail == "the token 'reader' has the role 'read', and this needs 'edit'")
        #expect(try await hub.ask(.post, "/streams", #"{"stream": []}"#, editor).status == .created)
        #expect(try await hub.ask(.get, "/tokens", nil, editor).status == .forbidden)
        // An administrator gives out more.
        let admin = try await create(hub, "admin", .admin)
        #expect(try await hub.ask(.post, "/tokens", #"{"name": "b", "role": "run"}"#, admin).status == .created)
    }

    /// The text of a token is in one answer, and nowhere else.
    @Test func onlyTheHashIsStored() async throws {
        let store = MemoryStreamStore()
        let hub = try await hub(on: store)
        let field = try await create(hub, "ada", .edit)
        let text = try #require(field["Authorization"]?.split(separator: " ").last.map(String.init))
        let stored = try #require(try await store.tokens().first)
        let hash = SHA256.hash(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(stored.hash == hash && stored.name == "ada" && stored.role == "edit")
        let list = try await hub.ask(.get, "/tokens", nil, Self.owner)
        #expect(!list.text.contains(text) && !list.text.contains(hash))
        #expect(try list.json.array?.first?["name"]?.string == "ada")
        // The hash is no token.
        let answer = try await hub.ask(.get, "/streams", nil, ["Authorization": "Bearer \(hash)"])
        #expect(answer.status == .unauthorized)
    }

    @Test func theNameIsTheAuthor() async throws {
        let hub = try await hub()
        let editor = try await create(hub, "ada", .edit)
        let forged = editor.merging(["X-Sluice-Author": "somebody"]) { $1 }
        #expect(try await hub.ask(.post, "/streams", #"{"id": "x", "stream": []}"#, forged).status == .created)
        let edit = forged.merging(["If-Match": "\"1\""]) { $1 }
        #expect(try await hub.ask(.put, "/streams/x", #"{"id": "x", "stream": [{"value": 1}]}"#, edit).status == .ok)
        let body = #"{"revision": 1}"#
        let back = editor.merging(["If-Match": "\"2\""]) { $1 }
        #expect(try await hub.ask(.post, "/streams/x/rollback", body, back).status == .ok)
        let history = try await hub.ask(.get, "/streams/x/revisions", nil, Self.owner).json.array ?? []
        #expect(history.map { $0["author"]?.string } == ["ada", "ada", "ada"])
        // The hub's own token has no name.
        let owner = Self.owner.merging(["X-Sluice-Author": "page"]) { $1 }
        #expect(try await hub.ask(.post, "/streams", #"{"id": "y", "stream": []}"#, owner).status == .created)
        let other = try await hub.ask(.get, "/streams/y/revisions", nil, Self.owner).json.array ?? []
        #expect(other.map { $0["author"]?.string } == ["page"])
    }

    @Test func aRevokedTokenAndItsSessionsEnd() async throws {
        let hub = try await hub()
        let ada = try await create(hub, "ada", .read)
        let bob = try await create(hub, "bob", .read)
        let text = try #require(ada["Authorization"]?.split(separator: " ").last)
        let login = try await hub.ask(.post, "/session", #"{"token": "\#(text)"}"#)
        let cookie = ["Cookie": try #require(login.headers[.setCookie]?.split(separator: ";").first.map(String.init))]
        for headers in [ada, cookie] { #expect(try await hub.ask(.get, "/streams", nil, headers).status == .ok) }
        #expect(try await hub.ask(.post, "/streams", "{}", cookie).status == .forbidden)
        #expect(try await hub.ask(.delete, "/tokens/ada", nil, Self.owner).status == .noContent)
        for headers in [ada, cookie] {
            #expect(try await hub.ask(.get, "/streams", nil, headers).status == .unauthorized)
        }
        #expect(try await hub.ask(.get, "/streams", nil, bob).status == .ok)
        #expect(try await hub.ask(.delete, "/tokens/ada", nil, Self.owner).status == .notFound)
        // Another token of the same name opens nothing for the old one.
        _ = try await create(hub, "ada", .admin)
        for headers in [ada, cookie] {
            #expect(try await hub.ask(.get, "/streams", nil, headers).status == .unauthorized)
        }
    }

    /// An event stream lives no longer than the right to it, whichever route it is of: not after its token is revoked, or
    /// its session has ended. The streams of others stay.
    @Test(
        arguments: [
            "/events", "/streams/x/events", "/groups/all/events", "/streams/x/items", "/streams/x/items?of=states",
            "/states",
        ],
        [false, true]
    )
    func eventStreamsEndWithTheRightToThem(_ path: String, _ hasSession: Bool) async throws {
        var settings = HubSettings()
        settings.token = TokenTests.token
        try await withServer(settings) { port in
            func ask(_ method: String, _ path: String, _ body: String, _ field: String) async throws -> Exchange.Answer
            {
                try await Exchange.answer(
                    port,
                    "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\(field)\r\n"
                        + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
                    toEnd: true
                )
            }
            let owner = "Authorization: Bearer \(TokenTests.token)"
            func token(_ name: String) async throws -> String {
                let answer = try await ask("POST", "/tokens", #"{"name": "\#(name)", "role": "read"}"#, owner)
                let json = try JSON(parsing: try #require(answer.text.components(separatedBy: "\r\n\r\n").last))
                return try #require(json["token"]?.string)
            }
            #expect(try await ask("POST", "/streams", #"{"id": "x", "stream": []}"#, owner).status == 201)
            var fields: [String] = []
            for name in ["ada", "bob"] {
                let text = try await token(name)
                fields.append("Authorization: Bearer \(text)")
                guard hasSession else { continue }
                let login = try await ask("POST", "/session", #"{"token": "\#(text)"}"#, "Accept: */*")
                fields[fields.count - 1] =
                    "Cookie: \(try #require(login.field("Set-Cookie")?.components(separatedBy: ";")[0]))"
            }
            var readers: [Asking] = []
            for field in fields {
                let reader = try await Asking(port: port)
                try await reader.ask(path, field)
                try await reader.answered(1)
                readers.append(reader)
            }
            if hasSession {
                #expect(try await ask("DELETE", "/session", "", fields[0]).status == 204)
            } else {
                #expect(try await ask("DELETE", "/tokens/ada", "", owner).status == 204)
            }
            try await readers[0].closed()
            #expect(readers[1].isOpen)
            #expect(try await ask("DELETE", "/tokens/bob", "", owner).status == 204)
            try await readers[1].closed()
        }
    }

    @Test func tokensAreValidAfterARestart() async throws {
        let store = MemoryStreamStore()
        let ada = try await create(hub(on: store), "ada", .read)
        // Also where the hub is started without its own: others had no rights before, and have none now.
        for token in [TokenTests.token, nil] {
            let again = try await hub(token, on: store)
            #expect(try await again.ask(.get, "/streams", nil, ada).status == .ok)
            #expect(try await again.ask(.get, "/streams").status == .unauthorized)
            #expect(try await again.ask(.post, "/streams", "{}", ada).status == .forbidden)
        }
    }

    /// Whoever creates the first token of an open hub would lock everybody else out.
    @Test func anOpenHubGivesOutNone() async throws {
        let answer = try await hub(nil).ask(.post, "/tokens", #"{"name": "ada", "role": "read"}"#)
        #expect(answer.status == .conflict)
        #expect(try answer.json["detail"]?.string?.hasSuffix("start it with --token first") == true)
    }

    @Test(arguments: [
        #"{"name": "", "role": "read"}"#, #"{"name": "a b", "role": "read"}"#, #"{"name": "a\n", "role": "read"}"#,
        #"{"name": "ä", "role": "read"}"#, #"{"name": "a"}"#, #"{"role": "read"}"#, #"{"name": "a", "role": "root"}"#,
        #"{"name": "a", "role": "Admin"}"#, "[]", "", #"{"name": 1, "role": "read"}"#,
    ])
    func otherTokensAreRefused(_ body: String) async throws {
        #expect(try await hub().ask(.post, "/tokens", body, Self.owner).status == .unprocessableContent)
    }

    @Test func aNameIsTakenOnce() async throws {
        let hub = try await hub()
        _ = try await create(hub, "ada", .read)
        let again = try await hub.ask(.post, "/tokens", #"{"name": "ada", "role": "admin"}"#, Self.owner)
        #expect(again.status == .conflict)
        #expect(try await hub.ask(.get, "/tokens", nil, Self.owner).json.array?.first?["role"] == "read")
    }
}
#endif
