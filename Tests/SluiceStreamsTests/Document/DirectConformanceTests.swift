import Foundation
import SluiceJSON
import SluiceStreams
import Testing

/// The document types read and write themselves, and give what their Codable conformances give.
@Suite struct DirectConformanceTests {
    let model = StreamModel(
        name: "A",
        stream: [
            StreamItem(value: 1, operators: [.delay(seconds: 1), .delay(seconds: 0.25)]), StreamItem(value: -7),
        ],
        isDefault: true
    )

    @Test func bothWaysGiveTheSame() throws {
        let codable = try JSONEncoder().encode(model)
        let direct = try SluiceJSONEncoder().encode(model)
        #expect(try JSON(parsing: codable) == JSON(parsing: direct))
        #expect(try SluiceJSONDecoder().decode(StreamModel<Int>.self, from: codable) == model)
        #expect(try JSONDecoder().decode(StreamModel<Int>.self, from: Data(direct)) == model)
        #expect(try StreamModel<Int>(parsing: Array(direct)) == model)
    }

    @Test func textIsThatOfTheSeed() throws {
        let text = try SluiceJSONEncoder().text(model.stream[0])
        #expect(text == #"{"value":1,"operators":[{"delay":{"seconds":1}},{"delay":{"seconds":0.25}}]}"#)
    }

    @Test(arguments: [
        (#"{"id": 5, "stream": []}"#, #"1:8: id: expected a string, found a number"#),
        (
            #"{"id": "6C2A9D0E-3C0B-4B63-8C37-1B5D0E2B0A11", "stream": [{"value": 1, "operators": [{"dely": {}}]}]}"#,
            #"1:87: stream[0].operators[0].dely: unknown operator "dely" (did you mean "delay"?)"#
        ),
        (#"{"id": "a"}"#, #"1:1: the key "stream" is missing"#),
    ])
    func errorsHaveTheirPlace(_ text: String, _ message: String) {
        let error = #expect(throws: JSONError.self) { try StreamModel<Int>(parsing: text) }
        #expect(error?.description == message)
    }
}
