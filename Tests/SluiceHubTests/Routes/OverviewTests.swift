#if Hub
import HTTPTypes
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceHub

/// The overview of all streams.
@Suite struct OverviewTests {
    @Test func streamsHaveTheirConnections() async throws {
        let hub = try await Hub([Document.items("a", [1, 2], name: "Numbers")])
        for text in [
            #"{"id": "b", "source": {"zip": [{"ref": "Numbers"}, {"ref": "a"}]}}"#,
            #"{"id": "c", "source": {"subscribe": {"stream": "b"}}, "sinks": [{"id": "out", "outside": {"name": "x"}}]}"#,
        ] { #expect(try await hub.ask(.post, "/streams", text).status == .created) }
        let overview = try await hub.ask(.get, "/overview").json
        let streams = try #require(overview["streams"]?.array)
        #expect(streams.map { $0["id"] } == ["a", "b", "c"] && overview["others"] == 0)
        #expect(streams[0]["source"] == "stream" && streams[0]["references"] == [] && streams[0]["last"] == nil)
        #expect(streams[1]["source"] == "zip" && streams[1]["references"] == ["a"])
        #expect(streams[2]["subscriptions"] == ["b"] && streams[2]["sinks"] == [["id": "out", "name": "outside"]])
    }

    @Test func valuesAreShort() {
        #expect(LastOutputs.short(.string(String(repeating: "é", count: 500))).count == LastOutputs.length)
        #expect(LastOutputs.short([1, "a"]) == #"[1,"a"]"# || LastOutputs.short([1, "a"]) == #"[1, "a"]"#)
        #expect(LastOutputs.short(.array(Array(repeating: 1, count: 5000))) == "[…] with 5000 parts")
    }

    @Test func theLastOutputOfAStreamIsKept() {
        let outputs = LastOutputs()
        outputs.note(1, at: .zero, of: "a")
        outputs.note("two", at: .zero, of: "a")
        #expect(outputs.all["a"]?.text == "two")
        outputs.forget("a")
        #expect(outputs.all.isEmpty)
    }
}
#endif
