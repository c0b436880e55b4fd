import Foundation
import SluiceJSON
import SluiceStreams
import Testing

/// A model is saved completely, or not at all.
struct StreamModelSavingTests {
    struct Reading: Codable, Hashable, Sendable { var value: Double }

    /// A value that is Codable alone, and writes what it holds directly.
    struct Direct: Codable, Hashable, JSONConvertible {
        var value: Double

        init(_ value: Double) { self.value = value }

        init(json: JSONNode) throws {
            var object = try json.object()
            value = try object["value"]
        }

        func write(to json: inout JSONWriter) { json.object { $0.member("value", value) } }
    }

    // MARK: What can't be saved

    private func expectRefused(_ model: StreamModel<some Codable & Sendable>) {
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().text(model) }
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().text([model]) }
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().text(["model": [model]]) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(model) }
        #expect(throws: (any Error).self) { try model.document() }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aNumberThatJSONLacksIsRefused(_ number: Double) {
        expectRefused(StreamModel(stream: [StreamItem(value: number)]))
        expectRefused(StreamModel(stream: [StreamItem(value: 1), StreamItem(value: number)]))
        expectRefused(StreamModel(stream: [StreamItem(value: [number])]))
        expectRefused(StreamModel(stream: [StreamItem(value: Optional(number))]))
        expectRefused(StreamModel(stream: [StreamItem(value: Float(number))]))
        expectRefused(StreamModel(stream: [StreamItem(value: Reading(value: number))]))
        expectRefused(StreamModel(stream: [StreamItem(value: Direct(number))]))
        expectRefused(StreamModel(stream: [StreamItem(value: JSON.double(number))]))
        expectRefused(StreamModel(stream: [StreamItem(value: ["deep": [JSON.double(number)]] as JSON)]))
    }

    /// An operator takes the number from its Swift value before the model is saved.
    @Test func aModelThatCannotBeSavedIsNotSavedAsAStreamThatFails() {
        let broken = StreamModel(stream: [StreamItem(value: Double.nan)])
        expectRefused(broken.applying(.map("x > 1.0"), giving: Bool.self))
        expectRefused(StreamModel.merge(broken, .values(1.0)))
        expectRefused(StreamModel.values(1.0).append(broken))
    }

    @Test func aModelOfItemsAndOfASourceIsRefused() {
        var model = StreamModel(stream: [StreamItem(value: 1)])
        model.source = .values([1])
        expectRefused(model)
    }

    // MARK: What is saved

    @Test(arguments: [
        "serial-stream-a", "Ünï ⚡︎", "6C2A9D0E-3C0B-4B63-8C37-1B5D0E2B0A11", "6c2a9d0e-3c0b-4b63-8c37-1b5d0e2b0a11",
    ])
    func anIdIsAName(_ id: String) throws {
        let text = #"{"id":\#(JSON.string(id)),"stream":[{"value":1,"operators":[]}]}"#
        let model = try SluiceJSONDecoder().decode(StreamModel<Int>.self, from: text)
        #expect(model.documentID == id)
        #expect(model.id == (try JSONDecoder().decode(StreamModel<Int>.self, from: Data(text.utf8))).id)
        #expect(model.id == UUID(uuidString: id) ?? model.id)
        #expect(try SluiceJSONEncoder().text(model) == text)
        #expect(try model.document().id == id)
        var other = model
        other.id = UUID()
        #expect(other.documentID == other.id.uuidString)
        #expect(other.id != model.id)
    }

    /// A valid document without an id is a model too, and is saved without one.
    @Test(arguments: ["", #""name":"Ticks","#])
    func anIdMayBeMissing(_ name: String) throws {
        let text = #"{\#(name)"stream":[{"value":1,"operators":[]}],"operators":[{"prefix":{"count":1}}]}"#
        _ = try StreamDocument(parsing: text)
        for model in [
            try SluiceJSONDecoder().decode(StreamModel<Int>.self, from: text), try StreamModel<Int>(parsing: text),
            try JSONDecoder().decode(StreamModel<Int>.self, from: Data(text.utf8)),
        ] {
            #expect(model.documentID == "")
            #expect(try SluiceJSONEncoder().text(model) == text)
            #expect(try model.document().id == nil)
            #expect(try model.document().virtualEvents().compactMap(\.value) == [1])
            var named = model
            named.id = UUID()
            #expect(try named.document().id == named.id.uuidString)
        }
    }

    @Test func namesThatDifferAreDifferentIdentities() {
        let ids = (0..<1000).map { StreamModel<Int>(documentID: "stream-\($0)", stream: []).id }
        #expect(Set(ids).count == ids.count)
    }

    /// Members of a document in every place: known ones, `x-…`, and those that are not known.
    @Test func nothingIsLost() throws {
        let text = #"""
            {"schema":"sluice.stream/1","id":"a","revision":7,"name":"A","description":"d","isDefault":true,"parameters":{"low":1},"item":"int","stream":[{"value":1,"operators":[{"id":"d","note":"n","delay":{"seconds":1,"x-b":1.50},"x-a":[ 1 ]}],"x-item":{"a" : 1}}],"operators":[{"id":"f","filter":{"expression":"x > ${low}"}}],"tests":[{"name":"t","expect":"1|","x-t":[ 1]}],"x-page":{ "left" : 1.5 },"later":{"sinks" : [ ]}}
            """#
        for model in [
            try SluiceJSONDecoder().decode(StreamModel<Int>.self, from: text),
            try StreamModel<Int>(parsing: text),
        ] {
            #expect(try SluiceJSONEncoder().text(model) == text)
            #expect(model.revision == 7)
            #expect(model.item == .int)
            #expect(model.parameters == ["low": 1])
            // An edit in code keeps the rest.
            let edited = model.applying(.map("string(x)"), giving: String.self)
            let document = try StreamDocument(preserving: Array(SluiceJSONEncoder().text(edited).utf8))
            #expect(document.parameters == ["low": 1])
            #expect(document.tests.map(\.name) == ["t"])
            #expect(document.canonicalText.contains(#""later": {"sinks" : [ ]}"#))
        }
        let foundation = try JSONDecoder().decode(StreamModel<Int>.self, from: Data(text.utf8))
        #expect(try JSON(parsing: JSONEncoder().encode(foundation)) == JSON(parsing: text))
        let codable = try SluiceJSONDecoder().decode(StreamModel<CodableAlone>.self, from: text)
        #expect(try JSON(parsing: SluiceJSONEncoder().text(codable)) == JSON(parsing: text))
    }

    struct CodableAlone: Codable, Sendable {
        var number: Int
        init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    @Test func parametersAndTypesHoldWhereTheModelRuns() throws {
        let text =
            #"{"id":"a","parameters":{"low":2},"stream":[{"value":1},{"value":3}],"operators":[{"filter":{"expression":"x > ${low}"}}]}"#
        let model = try StreamModel<Int>(parsing: text)
        #expect(model.virtualEvents().compactMap(\.value) == [3])
        let typed = try StreamModel<JSON>(parsing: #"{"id":"a","item":"int","stream":[{"value":1},{"value":"b"}]}"#)
        #expect(typed.virtualEvents().compactMap(\.value) == [1])
        guard case .failed = typed.virtualEvents().map(\.kind).last else { return #expect(Bool(false)) }
    }

    /// Every example in the documentation, with a member that is not known in each object: canonical text has all of
    /// them byte for byte, and so has a model that is read and saved.
    @Test func membersThatAreNotKnownStayInEveryPlace() throws {
        var places = 0
        for block in DiagramTests.blocks {
            let (document, _) = try Diagram(block.lines).documents()
            for key in ["x-kept", "strange"] {
                var markers: [String] = []
                var json = try Self.marked(JSON(parsing: document.text), key, &markers)
                if case .object(var object) = json {
                    object["id"] = "marked"
                    json = .object(object)
                }
                let marked = Self.text(json)
                let read = try StreamDocument(preserving: Array(marked.utf8))
                for marker in markers {
                    #expect(read.canonicalText.contains(marker), "\(block): \(marker) in \(read.canonicalText)")
                }
                #expect(try JSON(parsing: read.canonicalText) == JSON(parsing: marked), "\(block)")
                places += markers.count
                guard let model = try? StreamModel<JSON>(parsing: marked) else { continue }
                let saved = try SluiceJSONEncoder().text(model)
                for marker in markers { #expect(saved.contains(marker), "\(block): \(marker) in \(saved)") }
            }
        }
        #expect(places > 500)
    }

    /// The text with spaces in each marker, to tell bytes that are kept from those that are written again.
    private static func text(_ json: JSON) -> String {
        json.text().replacing(#""marker":"#, with: #""marker"  : "#)
    }

    /// Puts a member into each object of a document that is not a value.
    private static func marked(_ json: JSON, _ key: String, _ markers: inout [String]) throws -> JSON {
        switch json {
        case .array(let elements): return .array(try elements.map { try marked($0, key, &markers) })
        case .object(let object):
            var result: JSON.Object = [:]
            for (name, value) in object {
                let isValue = ["value", "values", "initialValue", "default", "parameters", "inputs"].contains(name)
                result[name] = isValue ? value : try marked(value, key, &markers)
            }
            result[key] = ["marker": .int(Int64(markers.count))]
            markers.append("{\"marker\"  : \(markers.count)}")
            return .object(result)
        default: return json
        }
    }

    @Test(arguments: [
        #"{"id": 5, "source": {"values": [1]}}"#, #"{"source": 5, "operators": [{"count": {}}], "item": "int"}"#,
        #"{"source": {"values": [1]}, "stream": [{"value": 2}]}"#, #"{"source": {"values": [1]}, "operators": 5}"#,
        #"{"source": {"values": [1]}, "operators": [5, {"id": 7, "count": {}}, {"disabled": "no", "count": {}}]}"#,
        #"{"stream": [5, {"value": 1, "operators": 5}, {"operators": []}]}"#, #"{"name": 5, "stream": []}"#,
        #"{"stream": [], "parameters": [1]}"#, #"{"stream": [], "tests": [5, {"name": "a"}, {"expect": 5}]}"#,
        #"{"stream": [], "tests": 5, "item": "month", "schema": "other", "revision": -1, "isDefault": 5}"#,
        #"{"operators": [{"count": {}}]}"#, #"{"source": {"note": "n", "values": [1]}}"#,
    ])
    func aDocumentThatIsWrongIsKeptWhole(_ text: String) throws {
        let document = try StreamDocument(preserving: Array(text.utf8))
        #expect(try JSON(parsing: document.canonicalText) == JSON(parsing: text))
    }
}
