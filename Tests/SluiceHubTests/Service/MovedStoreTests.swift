#if Hub
import Foundation
import HTTPTypes
import SluiceJSON
import SluiceStore
import Testing

@testable import SluiceHub

/// The store's file is deleted or replaced while the hub runs.
@Suite struct MovedStoreTests {
    @Test(arguments: ["deleted or moved", "replaced"])
    func healthAndWritesFailAtOnce(_ how: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("hub.sqlite").path
        let hub = try await Hub([Document.items("x", [1])], on: SQLiteStreamStore(path: path, isExclusive: true))
        _ = try await hub.hub.createGroup("g")
        #expect(try await hub.ask(.get, "/health").status == .ok)

        try FileManager.default.removeItem(atPath: path)
        if how == "replaced" {
            _ = try SQLiteStreamStore(path: path + "2")
            try FileManager.default.moveItem(atPath: path + "2", toPath: path)
        }

        let health = try await hub.ask(.get, "/health")
        #expect(health.status == .serviceUnavailable)
        let detail = try #require(try health.json["detail"]?.string)
        #expect(detail.contains("hub.sqlite was \(how) while it was open") && detail.contains("put the file back"))

        // Whatever changes what is stored is refused.
        let document = #"{"stream": []}"#
        let writes: [(HTTPRequest.Method, String, String?)] = [
            (.post, "/streams", document), (.put, "/streams/x", document), (.delete, "/streams/x", nil),
            (.post, "/streams/x/rollback", #"{"revision": 1}"#), (.post, "/import", "[\(document)]"),
            (.put, "/groups/h", nil), (.delete, "/groups/g", nil), (.put, "/groups/g/streams/x", nil),
            (.delete, "/groups/g/streams/x", nil), (.post, "/streams/x/start", nil), (.post, "/streams/x/reset", nil),
        ]
        for (method, target, body) in writes {
            let answer = try await hub.ask(method, target, body, ["If-Match": "\"1\""])
            #expect(answer.status == .insufficientStorage, "\(method) \(target): \(answer.status) \(answer.text)")
        }
        // What is there can be saved.
        #expect(try await hub.ask(.get, "/export").json.array?.count == 1)
    }
}
#endif
