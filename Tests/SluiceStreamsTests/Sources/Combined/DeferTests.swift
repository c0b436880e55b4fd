import SluiceJSON
import SluiceStreams
import Testing

struct DeferTests {
    /// A shared stream inside `defer` is shared within one subscription; elsewhere by all.
    @Test func sharesWithinASubscription() throws {
        func times(_ source: String) throws -> [Double] {
            let text = #"""
                {"source": {"ref": "ticks"}, "operators": [{"delay": {"seconds": 0.5}}, {"merge": {"source": {
                    "source": {"timer": {"seconds": 0.5}}, "operators": [{"flatMap": {"to": {"ref": "ticks"}}}]
                }}}]}
                """#
            var library = StreamLibrary()
            library.add(try StreamDocument(parsing: #"{"name": "ticks", "source": \#(source)}"#))
            let events = Array(try StreamDocument(parsing: text).virtualEvents(in: library))
            return events.filter { $0.value != nil }.map(\.time.seconds)
        }
        let shared = #"{"source": {"timer": {"seconds": 1}}, "operators": [{"share": {}}]}"#
        #expect(try times(shared) == [1, 1.5])
        #expect(try times(#"{"defer": {"source": \#(shared)}}"#) == [1.5, 1.5])
    }

    @Test func ofNativeStreams() {
        #expect(Flow.defer { .values(1, 2) }.virtualEvents().compactMap(\.value) == [1, 2])
    }
}
