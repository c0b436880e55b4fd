import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

@Suite struct StreamDocumentTests {
    /// `LINE:COLUMN: PATH: message` of each error.
    func errors(_ text: String) -> [String] {
        do {
            _ = try StreamDocument(parsing: text)
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test func readsTheSeedsForm() throws {
        let document = try StreamDocument(
            parsing: """
                {"schema": "sluice.stream/1", "id": "a", "revision": 4, "name": "Mixed", "description": "All kinds",
                 "isDefault": true, "x-color": "red",
                 "stream": [
                    {"value": 9007199254740993, "operators": [{"delay": {"seconds": 1}}]},
                    {"value": {"b": [null, true, 1.5], "a": "text"}, "operators": [{"id": "d", "note": "n", "delay": {"seconds": 0.5}}]},
                    {"value": "text", "operators": [{"delay": {"seconds": 9}, "disabled": true}]}
                 ]}
                """
        )
        #expect(document.id == "a")
        #expect(document.revision == 4)
        #expect(document.name == "Mixed")
        #expect(document.description == "All kinds")
        #expect(document.isDefault)
        #expect(
            try document.virtualEvents().map(\.line) == [
                #"{"time": 1, "value": 9007199254740993}"#,
                #"{"time": 1.5, "value": {"b":[null,true,1.5],"a":"text"}}"#,
                #"{"time": 1.5, "value": "text"}"#,
                #"{"time": 1.5, "completed": true}"#,
            ]
        )
    }

    @Test func stopsAtItsLimit() throws {
        let document = try StreamDocument(
            parsing:
                #"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}, {"value": 2, "operators": [{"delay": {"seconds": 1}}]}]}"#
        )
        #expect(try document.virtualEvents(until: StreamTime(seconds: 1)).map(\.line) == [#"{"time": 1, "value": 1}"#])
        #expect(try document.virtualEvents(until: .zero).map(\.line) == [])
    }

    @Test func failureIsALine() {
        let event = StreamEvent<JSON>(
            time: .zero,
            kind: .failed(StreamError(path: "stream[0]", message: "a \"bad\" one"))
        )
        #expect(event.line == #"{"time": 0, "error": "stream[0]: a \"bad\" one"}"#)
    }

    @Test func everyErrorAtOnce() {
        let text = """
            {
              "nam": "typo",
              "revision": 0,
              "stream": [
                {"operators": []},
                {"value": 1, "operators": [{"dely": {"seconds": 1}}, {"delay": {"seconds": -1}}, {"delay": {}}]},
                {"value": 99999999999999999999, "operators": [{"delay": 3}, {"delay": {"seconds": 1}, "filter": {}}]},
                7
              ]
            }
            """
        #expect(
            errors(text) == [
                #"2:3: nam: unknown key "nam" (did you mean "name"?)"#,
                "3:15: revision: the number 0 is not at least 1",
                #"5:5: stream[0]: the key "value" is missing"#,
                #"6:33: stream[1].operators[0].dely: unknown operator "dely" (did you mean "delay"?)"#,
                "6:80: stream[1].operators[1].delay.seconds: expected a number of seconds from 0 to 1000000000, found -1",
                #"6:96: stream[1].operators[2].delay: the key "seconds" is missing"#,
                "7:15: stream[2].value: the number 99999999999999999999 does not fit into 64 bits",
                "7:61: stream[2].operators[0].delay: expected an object, found a number",
                #"7:91: stream[2].operators[1].filter: exactly one key may name the operator, found "delay", "filter""#,
                "8:5: stream[3]: expected an object, found a number",
            ]
        )
    }

    @Test(arguments: [
        ("", "1:1: "), ("[]", "1:1: expected an object, found an array"),
        ("{}", #"1:1: the key "source" is missing (or "stream")"#),
        (#"{"stream": {}}"#, "1:12: stream: expected an array, found an object"),
        (#"{"stream": [], "stream": []}"#, "1:16: "), (#"{"stream": [}"#, "1:13: "),
        (#"{"schema": "sluice.stream/9", "stream": []}"#, #"1:12: schema: "sluice.stream/9" is not allowed here"#),
        (#"{"stream": [{"value": 1e999}]}"#, "1:23: stream[0].value: the number 1e999 is beyond the largest double"),
        (#"{"name": 3, "stream": []}"#, "1:10: name: expected a string, found a number"),
    ])
    func oneErrorWithItsPlace(_ text: String, _ error: String) {
        let found = errors(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(error) == true, "\(found)")
    }

    /// No text makes it crash or stall: cut, damaged, and deep ones.
    @Test func hostileTexts() {
        let text = #"{"id":"a","stream":[{"value":{"x":[1,"y"]},"operators":[{"delay":{"seconds":1}}]}]}"#
        for end in 0..<text.utf8.count { #expect(!errors(String(text.prefix(end))).isEmpty) }
        var generator = Seeded(seed: 11)
        for _ in 0..<20_000 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = errors(String(decoding: bytes, as: UTF8.self))
        }
        #expect(!errors(#"{"stream": "# + String(repeating: "[", count: 1_000_000)).isEmpty)
        #expect(
            !errors(
                #"{"stream": [{"value": "# + String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
                    + "}]}"
            ).isEmpty
        )
    }
}
