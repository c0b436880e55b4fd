#if Hub
import Foundation
import HTTPTypes
import SluiceRuns
import SluiceStore
import Testing

@testable import SluiceHub

/// Streams whose outputs grow until they would fill a disk.
@Suite(.timeLimit(.minutes(20))) struct GrownStoreTests {
    /// The oldest outputs of a stream that has grown go soon, not with the next look at all streams.
    @Test func outputsAreBoundedBySize() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = String(repeating: "y", count: 5000)
        let document = #"""
            {"id": "a", "source": {"interval": {"seconds": 0.01}}, "operators": [{"map": {"expression": "'\#(text)' + string(x)"}}]}
            """#
        var settings = HubSettings()
        settings.retention = Retention(size: 1_000_000)
        let store = try SQLiteStreamStore(path: folder.appendingPathComponent("hub.sqlite").path)
        let hub = try await Hub([document], on: store, settings: settings)
        await hub.hub.tend()
        try await hub.settle()
        #expect(try await hub.ask(.post, "/streams/a/start").status == .ok)
        for _ in 0..<4 {
            try await hub.pass(5)
            await hub.hub.tend()
            try await hub.settle()
        }
        let kept = try await store.outputs(of: "a", run: 1, after: 0, limit: 10_000).map(\.sequence)
        let last = try #require(kept.last)
        #expect(last >= 1990 && kept == Array((last - kept.count + 1)...last))
        // A megabyte, and what is not in the tables yet.
        #expect(kept.count >= 150 && kept.count <= 300, "\(kept.count)")
    }
}
#endif
