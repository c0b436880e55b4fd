#if Hub
import Dispatch
import HTTPTypes
import SluiceJSON
import SluiceStore
import SluiceStreams
import Testing

@testable import SluiceHub

/// The work of a write: its text is parsed once and compiled once, and not on the hub's actor.
@Suite struct WriteWorkTests {
    private let counting = #"{"id": "n", "count": {}}, {"id": "s", "scan": {"expression": "acc + x"}}"#

    private func work(_ body: () async throws -> Void) async throws -> DocumentWork.Counts {
        let work = DocumentWork()
        try await DocumentWork.$current.withValue(work) { try await body() }
        return work.counts
    }

    private func put(_ hub: Hub, _ id: String, _ text: String, revision: Int = 1) async throws {
        let answer = try await hub.ask(.put, "/streams/\(id)", text, ["If-Match": "\"\(revision)\""])
        #expect(answer.status == .ok, "\(answer.text)")
        try await hub.settle()
    }

    /// Also of a text to which ids are added.
    @Test(arguments: [true, false]) func aNewDocumentIsParsedAndCompiledOnce(_ hasIDs: Bool) async throws {
        let hub = try await Hub(["{\"id\": \"z\", \"stream\": []}"])
        let text = Document.interval("a", 1, operators: hasIDs ? counting : #"{"count": {}}"#)
        let counts = try await work {
            #expect(try await hub.ask(.post, "/streams", text).status == .created)
            try await hub.settle()
        }
        #expect(counts == .init(parses: 1, compiles: 1))
    }

    /// The run takes over what was compiled for the check.
    @Test(arguments: [nil, "start", "pause", "stop"]) func anEditIsParsedAndCompiledOnce(_ act: String?) async throws {
        let hub = try await Hub([Document.interval("a", 1, operators: counting)])
        if act != nil { _ = try await hub.ask(.post, "/streams/a/start") }
        try await hub.pass(2)
        if let act { _ = try await hub.ask(.post, "/streams/a/\(act)") }
        let counts = try await work { try await put(hub, "a", Document.interval("a", 2, operators: counting)) }
        #expect(counts == .init(parses: 1, compiles: 1))
        #expect(try await hub.ask(.get, "/streams/a/run").json["revision"] == 2)
    }

    /// Each document that the edit concerns is compiled once; their texts were parsed when they were written.
    @Test(arguments: [[], ["a"], ["b"], ["b", "c"], ["a", "b", "c"]], ["start", "pause", "stop"])
    func anEditOfABaseCompilesEachDependentOnce(_ running: [String], _ act: String) async throws {
        let hub = try await Hub(["{\"id\": \"z\", \"stream\": []}"])
        for text in [
            Document.interval("a", 1), #"{"id": "b", "source": {"ref": "a"}, "operators": [\#(counting)]}"#,
            #"{"id": "c", "source": {"ref": "b"}, "operators": []}"#,
        ] {
            #expect(try await hub.ask(.post, "/streams", text).status == .created)
        }
        for id in running {
            _ = try await hub.ask(.post, "/streams/\(id)/start")
            try await hub.pass(2)
            _ = try await hub.ask(.post, "/streams/\(id)/\(act == "start" ? "resume" : act)")
        }
        let counts = try await work { try await put(hub, "a", Document.interval("a", 2)) }
        #expect(counts == .init(parses: 1, compiles: 3))
    }

    @Test func readingAndDeletingCompileNothing() async throws {
        let hub = try await Hub([Document.interval("a", 1, operators: counting)])
        _ = try await hub.ask(.post, "/streams/a/start")
        let counts = try await work {
            for path in ["/streams", "/streams/a", "/streams/a/run", "/streams/a/output", "/export", "/groups/all"] {
                let status = try await hub.ask(.get, path).status
                #expect(status == .ok)
            }
            let status = try await hub.ask(.delete, "/streams/a", nil, ["If-Match": "\"1\""]).status
            #expect(status == .noContent)
        }
        #expect(counts == .init())
    }

    /// While one document is being parsed and compiled, everything else is answered.
    @Test func readsDoNotWaitForACompiler() async throws {
        let hub = try await Hub([Document.interval("a", 1)])
        let (isBlocked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocking = Task {
            try await hub.hub.compiler.perform(size: .max) {
                isBlocked.signal()
                release.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                isBlocked.wait()
                continuation.resume()
            }
        }
        let padding = String(repeating: "a", count: 100_000)
        let large = Task {
            try await hub.ask(.post, "/streams", #"{"id": "large", "stream": [], "x-padding": "\#(padding)"}"#)
        }
        for _ in 0..<20 {
            #expect(try await hub.ask(.get, "/streams").json.array?.count == 1)
            #expect(try await hub.ask(.get, "/health").status == .ok)
        }
        // Small documents don't wait either.
        #expect(try await hub.ask(.post, "/streams", #"{"id": "small", "stream": []}"#).status == .created)
        release.signal()
        try await blocking.value
        #expect(try await large.value.status == .created)
    }

    @Test(arguments: [
        #"{"stream": [], \#((0..<50_000).map { #""k\#($0)": 1"# }.joined(separator: ", "))}"#,
        #"{"source": {"values": [1]}, "operators": [{\#((0..<50_000).map { #""k\#($0)": 1"# }.joined(separator: ", "))}]}"#,
        #"{"source": {"values": [1]}, "operators": [\#((0..<50_000).map { #"{"k\#($0)": 1}"# }.joined(separator: ", "))]}"#,
        #"{"source": {"merge": [\#((0..<20_000).map { #"{"ref": "r\#($0)"}"# }.joined(separator: ", "))]}}"#,
    ]) func errorsAreFewAndShort(_ text: String) async throws {
        let hub = try await Hub(["{\"id\": \"z\", \"stream\": []}"])
        let answer = try await hub.ask(.post, "/check", text)
        let errors = try #require(try answer.json["errors"]?.array)
        #expect((1...100).contains(errors.count))
        #expect(answer.text.utf8.count < 300_000)
    }
}
#endif
