#if Hub
import Foundation
import HTTPTypes
import SluiceJSON
import SluiceStore
import SluiceStreams
import Testing

@testable import SluiceHub

/// A rename rewrites references by the old name, where the author asks for it.
@Suite struct RenamingTests {
    private let texts = [
        Document.items("a", [1, 2], name: "Numbers"), #"{"id": "b", "source": {"ref": "Numbers"}}"#,
        #"{"id": "c", "x-mine": [1e2], "source": {"merge": [{"ref": "Numbers"}, {"values": [{"ref": "Numbers"}]}]}, "operators": [{"id": "m", "mergeMap": {"to": {"ref": {"id": "Numbers"}}}}]}"#,
        #"{"id": "d", "source": {"ref": "a"}}"#,
    ]
    private let renamed = Document.items("a", [1, 2], name: "Digits")
    private let path = "/streams/a?references=rewrite"

    @Test func referencesByNameBecomeIDs() async throws {
        let hub = try await Hub(texts)
        for id in ["b", "c"] { _ = try await hub.ask(.post, "/streams/\(id)/start") }
        try await hub.pass(0.5)
        let answer = try await hub.ask(.put, path, renamed, ["If-Match": "\"1\"", "X-Sluice-Author": "ada"])
        #expect(answer.status == .ok && answer.etag == "\"2\"")
        try await hub.settle()
        #expect(try await hub.ask(.get, "/streams/b").json["source"] == ["ref": "a"])
        let c = try await hub.ask(.get, "/streams/c").json
        // Items that look like a reference are values.
        #expect(c["source"]?["merge"] == [["ref": "a"], ["values": [["ref": "Numbers"]]]])
        let text = try await hub.ask(.get, "/streams/c").text
        #expect(text.contains(#""x-mine": [1e2]"#) && text.components(separatedBy: "Numbers").count == 2)
        #expect(try await hub.ask(.get, "/streams/d").etag == "\"1\"")
        let heads = try await hub.ask(.get, "/streams").json.array ?? []
        #expect(heads.allSatisfy { $0["errors"] == nil })
        #expect(try await hub.ask(.get, "/streams/b/revisions").json[0]?["author"] == "ada")
        // What ran runs on.
        #expect(hub.state("b") == .running && hub.state("c") == .running)
        #expect(try await hub.ask(.get, "/streams/b/run").json["revision"] == 2)
        try await hub.pass(0.6)
        let outputs = try await hub.store.outputs(of: "b", run: nil, after: 0, limit: 10)
        #expect(outputs.map(\.text) == ["1"] && outputs.map(\.run) == [1])
    }

    /// One that names another document, or several, is not touched; nor is anything when the write is refused.
    @Test func onlyReferencesToTheDocumentAreRewritten() async throws {
        let hub = try await Hub(texts)
        let stale = try await hub.ask(.put, path, renamed, ["If-Match": "\"7\""])
        #expect(stale.status == .preconditionFailed)
        #expect(try await hub.ask(.get, "/streams/b").etag == "\"1\"")
        let kept = "/streams?dependents=keep"
        _ = try await hub.ask(.post, kept, Document.items("e", [1], name: "Numbers"))
        #expect(try await hub.ask(.put, path, renamed, ["If-Match": "\"1\""]).status == .ok)
        #expect(try await hub.ask(.get, "/streams/b").json["source"] == ["ref": "Numbers"])
        let unknown = "/streams/a?references=all"
        #expect(try await hub.ask(.put, unknown, renamed, ["If-Match": "\"2\""]).status == .badRequest)
    }

    @Test func withoutItTheRenameIsRefused() async throws {
        let hub = try await Hub(texts)
        let answer = try await hub.ask(.put, "/streams/a", renamed, ["If-Match": "\"1\""])
        #expect(answer.status == .conflict)
        #expect(try answer.json["dependents"]?.array?.map { $0["id"] } == ["b", "c"])
    }
}
#endif
