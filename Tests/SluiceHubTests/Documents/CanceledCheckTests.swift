#if Hub
import SluiceRuns
import Testing

@testable import SluiceHub

@Suite struct CanceledCheckTests {
    /// A request that reads a document ends while the document is checked: others still wait for what is found.
    @Test func aCheckIsMadeAlsoIfItsCallerIsGone() async throws {
        let hub = try await Hub([Document.items("a", [1])])
        await hub.hub.forgetCheck(of: "a")
        #expect(await hub.hub.isChecked("a") == false)
        let request = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await hub.hub.recheck(["a"])
        }
        await request.value
        try await hub.until("the document is checked") { await hub.hub.isChecked("a") }
    }
}

extension StreamHub {
    fileprivate func forgetCheck(of id: String) {
        if let document = set[id] { set.put(HubDocument(reading: document.stored)) }
    }

    fileprivate func isChecked(_ id: String) -> Bool { set[id]?.isChecked ?? false }
}
#endif
