#if Hub
import HTTPTypes
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import Testing

@testable import SluiceHub

/// Documents with a gate: an edit is stored only if their tests pass.
@Suite struct GateTests {
    /// A document that multiplies by `factor`, with a test that wants a double.
    private func doubling(_ factor: Int, gate: Bool = true, id: String = "g", name: String = "Doubling") -> String {
        """
        {"id": "\(id)", "name": "\(name)",\(gate ? #" "gate": true,"# : "")
         "source": {"poll": {"url": "https://p.example/", "seconds": 1}},
         "operators": [{"id": "m", "map": {"expression": "x * \(factor)"}}],
         "sinks": [{"id": "hook", "post": {"url": "https://h.example/"}}],
         "tests": [{"name": "doubles", "inputs": {"poll": "-1-2|"}, "delivers": {"hook": "-2-4|"}}]}
        """
    }

    /// Returns everything that is stored.
    private func stored(_ hub: Hub) async throws -> String {
        try await hub.settle()
        return try await hub.ask(.get, "/streams").text + hub.ask(.get, "/export").text
    }

    private func expectRefused(
        _ hub: Hub,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String,
        _ headers: [String: String] = [:],
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await stored(hub)
        let answer = try await hub.ask(method, path, body, headers)
        #expect(answer.status == .unprocessableContent, "\(answer.text)", sourceLocation: location)
        let error = try #require(try answer.json["errors"]?.array?.first, sourceLocation: location)
        #expect(error["test"] == "doubles", sourceLocation: location)
        #expect(error["path"]?.string?.contains("tests[0].delivers.hook") == true, sourceLocation: location)
        let message = #"the test "doubles" fails: the sink "hook": expected 0.001 s  2, found 0.001 s  3"#
        #expect(error["message"]?.string == message, "\(error)", sourceLocation: location)
        #expect(error["line"]?.int ?? 0 > 0 && error["column"]?.int ?? 0 > 0, sourceLocation: location)
        #expect(error["report"]?.string?.contains("actual    -3-6|") == true, "\(error)", sourceLocation: location)
        #expect(try answer.json["detail"]?.string?.contains(message) == true, sourceLocation: location)
        #expect(try await stored(hub) == before, sourceLocation: location)
    }

    @Test func aGatedDocumentIsStoredIfItsTestsPass() async throws {
        let hub = try await Hub([#"{"id": "z", "stream": []}"#])
        #expect(try await hub.ask(.post, "/streams", doubling(2)).status == .created)
        let edited = doubling(2, name: "Still")
        #expect(try await hub.ask(.put, "/streams/g", edited, ["If-Match": "\"1\""]).status == .ok)
        #expect(try await hub.ask(.get, "/streams/g").text == edited)
    }

    /// Every way to write a document.
    @Test func aGatedDocumentIsRefusedIfATestFails() async throws {
        // The first revision, without a gate, has a test that fails.
        let hub = try await Hub([doubling(3, gate: false)])
        try await expectRefused(hub, .put, "/streams/g", doubling(3), ["If-Match": "\"1\""])
        try await expectRefused(hub, .put, "/streams/g?dependents=keep", doubling(3), ["If-Match": "\"1\""])
        try await expectRefused(hub, .post, "/streams", doubling(3, id: "h"))
        try await expectRefused(hub, .put, "/streams/h", doubling(3, id: "h"), ["If-None-Match": "*"])
        try await expectRefused(hub, .post, "/import", #"[{"id": "y", "stream": []}, \#(doubling(3, id: "h"))]"#)
        #expect(try await hub.ask(.put, "/streams/g", doubling(2), ["If-Match": "\"1\""]).status == .ok)
        // The text of the first revision has no gate: the gate of the new text decides.
        let back = try await hub.ask(.post, "/streams/g/rollback", #"{"revision": 1}"#, ["If-Match": "\"2\""])
        #expect(back.status == .ok)
    }

    @Test func aRollbackPassesTheGate() async throws {
        // Stored before its gate was closed: by a store, not through the hub.
        let hub = try await Hub([doubling(3)])
        #expect(try await hub.ask(.put, "/streams/g", doubling(2), ["If-Match": "\"1\""]).status == .ok)
        try await expectRefused(hub, .post, "/streams/g/rollback", #"{"revision": 1}"#, ["If-Match": "\"2\""])
    }

    /// The gate of the new text decides.
    @Test func anEditThatRemovesTheGateIsStored() async throws {
        let hub = try await Hub([doubling(2)])
        #expect(try await hub.ask(.put, "/streams/g", doubling(3, gate: false), ["If-Match": "\"1\""]).status == .ok)
    }

    @Test func aGateWithoutTestsIsOpen() async throws {
        let hub = try await Hub([#"{"id": "z", "stream": []}"#])
        #expect(try await hub.ask(.post, "/streams", #"{"gate": true, "source": {"values": [1]}}"#).status == .created)
        let answer = try await hub.ask(.post, "/streams", #"{"gate": "yes", "source": {"values": [1]}}"#)
        #expect(answer.status == .unprocessableContent)
        #expect(try answer.json["errors"]?.array?.first?["path"] == "gate")
    }

    /// A write on another revision is refused for that, before its tests are run.
    @Test func aConflictComesFirst() async throws {
        let hub = try await Hub([doubling(2)])
        let answer = try await hub.ask(.put, "/streams/g", doubling(3), ["If-Match": "\"7\""])
        #expect(answer.status == .preconditionFailed)
    }

    /// A document that doesn't run here has no tests that pass.
    @Test func whatCannotRunIsRefused() async throws {
        let hub = try await Hub([#"{"id": "z", "stream": []}"#])
        for source in [#"{"ref": "none"}"#, #"{"quantum": {}}"#] {
            let text = #"{"gate": true, "source": \#(source), "tests": [{"name": "t", "expect": "|"}]}"#
            let answer = try await hub.ask(.post, "/streams", text)
            #expect(answer.status == .unprocessableContent && answer.text.contains("the document can't run"))
        }
        // An input replaces what is missing.
        let text = #"{"gate": true, "source": {"ref": "none"}, "tests": [{"inputs": {"none": "|"}, "expect": "|"}]}"#
        #expect(try await hub.ask(.post, "/streams", text).status == .created)
    }

    // MARK: Dependents

    private let base = #"{"id": "base", "name": "Base", "source": {"values": [1, 2]}}"#
    private let edited = #"{"id": "base", "name": "Base", "source": {"values": [1, 3]}}"#

    private func dependent(_ id: String, gate: Bool = true, _ expected: String = "(12|)") -> String {
        """
        {"id": "\(id)", "gate": \(gate), "source": {"ref": "Base"}, "tests": [{"name": "t", "expect": "\(expected)"}]}
        """
    }

    @Test func anEditOfABaseIsRefusedIfATestOfADependentFails() async throws {
        let through = #"{"id": "d", "gate": true, "source": {"ref": "b"}, "tests": [{"name": "u", "expect": "(12|)"}]}"#
        let hub = try await Hub([base, dependent("b"), dependent("c", gate: false), through])
        let before = try await stored(hub)
        let refused = try await hub.ask(.put, "/streams/base", edited, ["If-Match": "\"1\""])
        #expect(refused.status == .conflict)
        let dependents = try refused.json["dependents"]?.array ?? []
        #expect(dependents.map { $0["id"] } == ["b", "d"])
        #expect(dependents.first?["errors"]?[0]?["test"] == "t")
        #expect(dependents.first?["errors"]?[0]?["path"] == "tests[0].expect")
        #expect(try refused.json["detail"]?.string?.contains("?dependents=keep") == true)
        #expect(try await stored(hub) == before)
        let kept = try await hub.ask(.put, "/streams/base?dependents=keep", edited, ["If-Match": "\"1\""])
        #expect(kept.status == .ok)
        // A test that failed before blocks no edit.
        try await hub.settle()
        let again = edited.replacing("3", with: "4")
        #expect(try await hub.ask(.put, "/streams/base", again, ["If-Match": "\"2\""]).status == .ok)
    }

    /// Both in one: references that are rewritten take the inputs of tests with them.
    @Test func aRenameTakesTheInputsOfGatedTestsAlong() async throws {
        let gated =
            #"{"id": "b", "gate": true, "source": {"ref": "Base"}, "tests": [{"name": "t", "inputs": {"Base": "-7|"}, "expect": "-7|"}]}"#
        let hub = try await Hub([base, gated])
        let renamed = base.replacing("Base", with: "Other")
        let answer = try await hub.ask(.put, "/streams/base?references=rewrite", renamed, ["If-Match": "\"1\""])
        #expect(answer.status == .ok, "\(answer.text)")
        let text = try await hub.ask(.get, "/streams/b").json
        #expect(text["source"]?["ref"] == "base" && text["tests"]?[0]?["inputs"] == ["base": "-7|"])
    }

    /// A dependent whose references are rewritten is still a dependent: a test that failed before blocks nothing.
    @Test func aRenameIsNotBlockedByATestThatFailedBefore() async throws {
        let hub = try await Hub([base, dependent("b")])
        #expect(
            try await hub.ask(.put, "/streams/base?dependents=keep", edited, ["If-Match": "\"1\""]).status == .ok
        )
        try await hub.settle()
        let renamed = edited.replacing("Base", with: "Other")
        let answer = try await hub.ask(.put, "/streams/base?references=rewrite", renamed, ["If-Match": "\"2\""])
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try await hub.ask(.get, "/streams/b").json["source"]?["ref"] == "base")
    }

    /// A new document of the same name as another makes references ambiguous; one that is removed may do the opposite.
    @Test func aRemovalIsTested() async throws {
        let other = #"{"id": "x", "name": "Base", "source": {"values": [5]}}"#
        let gated = #"{"id": "b", "gate": true, "source": {"ref": "Base"}, "tests": [{"name": "t", "expect": "(5|)"}]}"#
        let hub = try await Hub([other, gated])
        let answer = try await hub.ask(.delete, "/streams/x", nil, ["If-Match": "\"1\""])
        #expect(answer.status == .conflict)
    }

    // MARK: Plans

    @Test func aPlanSaysThatTestsFail() async throws {
        let hub = try await Hub([doubling(2), base, dependent("b")])
        let plan = try await hub.ask(.post, "/streams/g/plan", doubling(3)).json
        #expect(plan["errors"] == [] && plan["tests"]?[0]?["test"] == "doubles")
        #expect(try await hub.ask(.post, "/streams/g/plan", doubling(2)).json["tests"] == [])
        #expect(try await hub.ask(.post, "/streams/g/plan", doubling(3, gate: false)).json["tests"] == [])
        let dependents = try await hub.ask(.post, "/streams/base/plan", edited).json["dependents"]
        #expect(dependents?[0]?["tests"]?[0]?["test"] == "t" && dependents?[0]?["errors"] == [])
    }

    // MARK: Hostile documents

    /// A test that never ends is bounded, and other documents don't wait for it.
    @Test func aHostileTestIsBounded() async throws {
        let hub = try await Hub([#"{"id": "z", "stream": []}"#])
        let endless =
            #"{"id": "e", "gate": true, "source": {"interval": {"seconds": 1e-9}}, "operators": [{"ignoreOutput": {}}], "tests": [{"name": "t", "expect": "|"}, {"name": "u", "expect": "|"}]}"#
        let answer = try await hub.ask(.post, "/streams", endless)
        #expect(answer.status == .unprocessableContent)
        #expect(try answer.json["errors"]?.array?.map { $0["test"] } == ["t", "u"])
        #expect(answer.text.contains("the test was ended early"), "\(answer.text)")
        #expect(try await stored(hub).contains("\"e\"") == false)
    }

    /// Readers who ask for plans hold up no write, and get an answer at once if they are too many.
    @Test func testsOfPlansHoldNoWriteUp() async throws {
        let hub = try await Hub([doubling(2)])
        let endless =
            #"{"id": "g", "gate": true, "source": {"interval": {"seconds": 1e-9}}, "operators": [{"ignoreOutput": {}}], "tests": [{"name": "t", "expect": "|"}]}"#
        final class Answered: Sendable {
            let count = Locked(0)
        }
        let answered = Answered()
        try await withThrowingTaskGroup(of: HTTPResponse.Status?.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    let status = try? await hub.ask(.post, "/streams/g/plan", endless).status
                    answered.count.withLock { $0 += 1 }
                    return status
                }
            }
            // The others wait for their turn, and end after two seconds each.
            var isRefused = false
            while !isRefused, let status = try await group.next() { isRefused = status == .tooManyRequests }
            #expect(isRefused)
            let written = try await hub.ask(.put, "/streams/g", doubling(2), ["If-Match": "\"1\""]).status
            #expect(written == .ok)
            // Behind them, it would have been the last one.
            #expect(answered.count.withLock { $0 } < 30)
            group.cancelAll()
        }
    }

    /// Documents are compiled while the tests of others run.
    @Test func testsHoldNothingUp() async throws {
        let hub = try await Hub([#"{"id": "z", "stream": []}"#])
        let endless =
            #"{"id": "e", "gate": true, "source": {"interval": {"seconds": 1e-9}}, "operators": [{"ignoreOutput": {}}], "tests": [{"name": "t", "expect": "|"}]}"#
        async let hostile = hub.ask(.post, "/streams", endless).status
        for number in 0..<10 {
            #expect(try await hub.ask(.post, "/streams", #"{"id": "n\#(number)", "stream": []}"#).status == .created)
        }
        #expect(try await hostile == .unprocessableContent)
    }
}
#endif
