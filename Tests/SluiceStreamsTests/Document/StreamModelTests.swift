import Foundation
import SluiceStreams
import Testing

@Suite struct StreamModelTests {
    func decode<T: Decodable>(_ type: T.Type = StreamModel<Int>.self, _ json: String) throws -> T {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test func readsTheSeedsForm() throws {
        let json = """
            {"id":"6C2A9D0E-3C0B-4B63-8C37-1B5D0E2B0A11","name":"Serial Stream A","isDefault":true,
             "stream":[{"value":"1","operators":[{"delay":{"seconds":1}}]},{"value":"2"}]}
            """
        let model = try decode(StreamModel<String>.self, json)
        #expect(model.name == "Serial Stream A")
        #expect(model.isDefault == true)
        #expect(model.stream == [StreamItem(value: "1", operators: [.delay(seconds: 1)]), StreamItem(value: "2")])
    }

    @Test func writesTheSeedsForm() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let item = StreamItem(value: 1, operators: [.delay(seconds: 1.5)])
        let text = String(decoding: try encoder.encode(item), as: UTF8.self)
        #expect(text == #"{"operators":[{"delay":{"seconds":1.5}}],"value":1}"#)
    }

    @Test func unknownOperatorIsNamed() {
        let json = #"{"id":"6C2A9D0E-3C0B-4B63-8C37-1B5D0E2B0A11","stream":[{"value":1,"operators":[{"dely":{}}]}]}"#
        #expect {
            try decode(StreamModel<Int>.self, json)
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.debugDescription == #"unknown operator "dely" (did you mean "delay"?)"#
                && context.codingPath.map(\.stringValue) == ["stream", "Index 0", "operators", "Index 0"]
        }
    }

    @Test func anOperatorHasOneName() {
        let two = #"{"value":1,"operators":[{"delay":{"seconds":1},"x":1}]}"#
        #expect {
            try decode(StreamItem<Int>.self, two)
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            // Foundation's decoder gives the keys in any order.
            return context.debugDescription.hasPrefix("exactly one key may name the operator, found ")
        }
    }
}
