import Foundation
import SluiceJSON
import Testing

struct JSONSliceTests {
    struct Model: Codable, Equatable {
        var id: Int
        var extra: JSONSlice
    }

    @Test func bytesPassThroughModels() throws {
        let text = #"{"id":1,"extra":{ "x" : 1.50, "\u0061":[ ] }}"#
        let model = try SluiceJSONDecoder().decode(Model.self, from: text)
        #expect(model.extra.text == #"{ "x" : 1.50, "\u0061":[ ] }"#)
        #expect(try model.extra.json() == ["x": 1.5, "a": []])
        #expect(try SluiceJSONEncoder().text(model) == text)
        var sorted = SluiceJSONEncoder()
        sorted.outputFormatting = .sortedKeys
        #expect(try sorted.text(model) == #"{"extra":{"a":[],"x":1.5},"id":1}"#)
    }

    @Test func foundationKeepsTheValue() throws {
        let model = Model(id: 1, extra: try JSONSlice(parsing: "[ 1, \"a\" ]"))
        let back = try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(model))
        #expect(try back.extra.json() == [1, "a"])
        #expect(back.extra.text == "[1,\"a\"]")
    }

    @Test func onlyJSONIsASlice() {
        #expect(throws: JSONError.self) { try JSONSlice(parsing: "[1,]") }
        #expect((try? JSONSlice(parsing: " [1] "))?.text == "[1]")
    }
}
