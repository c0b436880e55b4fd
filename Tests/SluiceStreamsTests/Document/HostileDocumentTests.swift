import SluiceJSON
import SluiceStreams
import Testing

/// Documents that are large, deep, or loop: a clear error, bounded memory, no trap. `docs/streams.md` has their times,
/// measured in release mode.
@Suite struct HostileDocumentTests {
    func errors(_ text: String) -> String {
        do throws(JSONErrors) {
            _ = try StreamDocument(parsing: text).flow()
            return ""
        } catch {
            return error.description
        }
    }

    @Test func aHundredThousandOperators() {
        let operators = Array(repeating: #"{"prefix":{"count":1}}"#, count: 200).joined(separator: ",")
        let stream = #"{"source": {"values": [1]}, "operators": [\#(operators)]}"#
        let streams = Array(repeating: stream, count: 500).joined(separator: ",")
        let found = errors(#"{"source": {"merge": [\#(streams)]}}"#)
        #expect(found.contains("more than 10000 operators and sources in all"), "\(found.prefix(300))")
        #expect(found.split(separator: "\n").count == 1)
    }

    @Test func tooManyOneAfterAnother() {
        let operators = Array(repeating: #"{"prefix":{"count":1}}"#, count: 300).joined(separator: ",")
        #expect(
            errors(#"{"source": {"values": [1]}, "operators": [\#(operators)]}"#)
                == "1:42: operators: more than 256 operators one after another"
        )
    }

    @Test(arguments: [40, 10_000]) func deepSources(_ depth: Int) {
        let text =
            String(repeating: #"{"source": "#, count: depth) + #"{"values": [1]}"#
            + String(repeating: #", "operators": []}"#, count: depth)
        let found = errors(text)
        #expect(found.contains("more than 32 deep") || found.contains("levels of nesting"), "\(found.prefix(300))")
    }

    @Test(arguments: [40, 5_000]) func deepFlattening(_ depth: Int) {
        let text =
            #"{"source": {"values": [1]}, "operators": ["#
            + String(repeating: #"{"flatMap": {"to": {"source": {"values": [1]}, "operators": ["#, count: depth)
            + String(repeating: "]}}}", count: depth) + "]}"
        let found = errors(text)
        #expect(found.contains("more than 32 deep") || found.contains("levels of nesting"), "\(found.prefix(300))")
    }

    /// A long recording is no hostile one.
    @Test func manyItems() throws {
        let items = (0..<20_000).map { #"{"value": \#($0), "operators": [{"delay": {"seconds": 0.001}}]}"# }
        let document = try StreamDocument(parsing: #"{"stream": [\#(items.joined(separator: ","))]}"#)
        let events = Array(try document.virtualEvents())
        #expect(events.count == 20_001)
        #expect(events.last?.time == StreamTime(seconds: 20))
    }

    /// Errors beyond the limit are counted, and cost no comparison with each sink.
    @Test(.timeLimit(.minutes(1))) func manyDeliveriesToUnknownSinks() {
        let sinks = (0..<10_000).map { #"{"id": "sink\#(10_000 + $0)", "lines": {"path": "f"}}"# }
        let delivers = (0..<20_000).map { #""sunk\#(10_000 + $0)": "|""# }
        let text = #"""
            {"source": {"values": [1]}, "sinks": [\#(sinks.joined(separator: ","))],
             "tests": [{"delivers": {\#(delivers.joined(separator: ","))}}]}
            """#
        let found = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
        #expect(found?.errors.count == 100 && found?.omittedCount == 19_900)
        #expect(found?.errors.first?.message == #"there is no sink with the id "sunk10000""#)
        #expect(found?.errors.first?.hint == #"did you mean "sink10000"?"#)
    }

    @Test func whatSpinsIsStopped() throws {
        let limits = StreamLimits(eventsPerInstant: 10_000, heldItems: 1_000)
        func last(_ document: String) throws -> StreamEvent<JSON>? {
            var last: StreamEvent<JSON>?
            for event in try StreamDocument(parsing: document).virtualEvents(limits: limits) { last = event }
            return last
        }
        let spinning = "more than 10000 events at one instant: does something repeat without a delay?"
        let repeats = Array(repeating: #"{"repeat": {"count": 1000000}}"#, count: 50).joined(separator: ",")
        #expect(
            try last(#"{"source": {"empty": {}}, "operators": [\#(repeats)]}"#)?.kind
                == .failed(StreamError(message: spinning))
        )
        #expect(
            try last(#"{"source": {"values": [1]}, "operators": [\#(repeats)]}"#)?.kind
                == .failed(StreamError(message: spinning))
        )
        #expect(
            try last(#"{"source": {"fail": "x"}, "operators": [{"retry": {"count": 1000000}}]}"#)?.kind
                == .failed(StreamError(message: spinning))
        )
        #expect(
            try last(#"{"source": {"interval": {"seconds": 1}}, "operators": [{"collect": {}}]}"#)?.kind
                == .failed(StreamError(message: "operators hold back more than 1000 items"))
        )
    }
}
