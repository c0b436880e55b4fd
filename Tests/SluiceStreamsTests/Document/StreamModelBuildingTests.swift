import Foundation
import SluiceJSON
import SluiceStreams
import Testing

@Suite struct StreamModelBuildingTests {
    func values<Value>(_ model: StreamModel<Value>) -> [Value] { model.virtualEvents().compactMap(\.value) }

    /// Returns the events of a model after it was written and read, in both ways of writing.
    func saved<Value: Equatable>(_ model: StreamModel<Value>) throws -> [Value] {
        let codable = try JSONDecoder().decode(StreamModel<Value>.self, from: JSONEncoder().encode(model))
        #expect(codable == model)
        let document = try model.document()
        #expect(document.id == model.id.uuidString)
        let direct = try SluiceJSONDecoder().decode(StreamModel<Value>.self, from: document.text)
        #expect(direct == model)
        return values(direct)
    }

    @Test func aDocumentIsMadeOfAModel() throws {
        let model = StreamModel.values(1, 2, 3).filter("x > 1")
        let document = try StreamDocument(model)
        #expect(document == (try model.document()))
        #expect(try document.virtualEvents().compactMap(\.value) == [2, 3])
        #expect(throws: StreamError.self) { try StreamDocument(StreamModel.values(Double.infinity)) }
    }

    @Test func isDataThatIsSaved() throws {
        let model = StreamModel.values(1, 2, 3).filter("x > 1")
        #expect(try saved(model) == [2, 3])
        let json = try JSON(parsing: SluiceJSONEncoder().encode(model))
        #expect(
            json == [
                "id": .string(model.id.uuidString),
                "stream": [
                    ["value": 1, "operators": []], ["value": 2, "operators": []], ["value": 3, "operators": []],
                ],
                "operators": [["filter": ["expression": "x > 1"]]],
            ]
        )
    }

    @Test func aSourceIsSavedInPlaceOfItems() throws {
        let model = StreamModel.interval(seconds: 1, count: 3).map("x * 10")
        #expect(try saved(model) == [0, 10, 20])
        let json = try JSON(parsing: SluiceJSONEncoder().encode(model))
        #expect(json["source"] == ["interval": ["seconds": 1, "count": 3]])
        #expect(json["stream"] == nil)
    }

    @Test func operatorsChangeTheType() throws {
        let texts = StreamModel.values(1, 2).map("'n' + string(x)", as: String.self)
        #expect(try saved(texts) == ["n1", "n2"])
        #expect(try saved(StreamModel.values(1, 2, 3).collect(2)) == [[1, 2], [3]])
        #expect(try saved(StreamModel.values(1, 2, 3).count()) == [3])
        #expect(try saved(StreamModel.values(1, 2).average()) == [1.5])
        #expect(try saved(StreamModel.values("a", "b").contains("b")) == [true])
        #expect(try saved(StreamModel.values(1, 2).scan("", "acc + string(x)", as: String.self)) == ["1", "12"])
    }

    @Test func itemsKeepTheirOperators() throws {
        let items = [StreamItem(value: 1, operators: [.delay(seconds: 2)]), StreamItem(value: 2)]
        let model = StreamModel(name: "A", stream: items).map("string(x)", as: String.self)
        #expect(model.name == "A")
        #expect(text(model.virtualEvents()) == ["2:1", "2:2", "2|"])
    }

    @Test func modelsAreSourcesOfOthers() throws {
        let letters = StreamModel.values("a", "b")
        let numbers = StreamModel.interval(seconds: 1)
        let both = letters.zip(with: numbers, expression: "a + string(b)", as: String.self)
        #expect(try saved(both) == ["a0", "b1"])
        #expect(try saved(StreamModel.values(1).append(.values(2)).merge(with: .values(3))) == [1, 2, 3])
        #expect(try saved(numbers.prefixUntil(StreamModel.timer(seconds: 2.5))) == [0, 1])
        let inner = StreamModel.values(1, 2).flatMap(to: StreamModel.values(10, 20), "a + x")
        #expect(try saved(inner) == [11, 21, 12, 22])
        #expect(try saved(StreamModel.append(.values(1), .fail("over")).catch(.values(9))) == [1, 9])
    }

    @Test func aClosureMakesItAFlow() {
        let flow: Flow<Int> = StreamModel.values(1, 2, 3).filter("x > 1").map { $0 * 2 }
        #expect(flow.virtualEvents().compactMap(\.value) == [4, 6])
        #expect(StreamModel.values(1, 2).filter { $0 > 1 }.virtualEvents().compactMap(\.value) == [2])
        #expect(StreamModel.values(1, 2).scan(0) { $0 + $1 }.virtualEvents().compactMap(\.value) == [1, 3])
    }

    /// Values that JSON cannot hold run where nothing has to know their JSON, and are a clear error else.
    @Test func whatJSONCannotHoldIsAClearError() throws {
        let model = StreamModel.values(1, Double.nan)
        #expect(values(model).count == 2)
        let message = "stream[1].value: JSON cannot hold the value: "
        let filtered = text(model.filter("x > 0.0").virtualEvents())
        #expect(filtered.count == 1 && filtered[0].hasPrefix("0# \(message)"))
        let changed = model.map("string(x)", as: String.self)
        #expect(text(changed.virtualEvents())[0].hasPrefix("0# \(message)"))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(model) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(changed) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(StreamModel.values(1.0).append(model)) }
        #expect(throws: StreamError.self) { try model.document() }
        #expect(throws: StreamError.self) { try changed.document() }
        let chained = text(StreamModel.values(1.0).append(model).prefix(1).virtualEvents())
        #expect(chained[0].hasPrefix("0# \(message)"))
    }

    @Test func aValueOfAnotherTypeFailsTheStream() {
        #expect(text(StreamModel.values(1).map("string(x)").virtualEvents()) == [#"0# "1" isn't a valid Int"#])
    }

    @Test func itemsAndASourceAreOneTooMany() throws {
        var model = StreamModel(stream: [StreamItem(value: 1)])
        model.source = .named(try #require(named("never")))
        let message = #""stream" is short for "source": {"stream": […]}: there may be one of both"#
        #expect(text(model.virtualEvents()) == ["0# \(message)"])
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(model) }
        let both = #"{"id": "\#(model.id)", "source": {"never": {}}, "stream": []}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(StreamModel<Int>.self, from: Data(both.utf8)) }
        #expect(throws: JSONError.self) { try StreamModel<Int>(json: JSONDocument(parsing: both).root) }
    }

    func named(_ name: String) -> NamedSource? {
        guard case .named(let source) = StreamModel<Int>.never.source, source.name == name else { return nil }
        return source
    }

    @Test func operatorsAreAppliedToNativeStreams() {
        let even = Flow.values(1, 2, 3, 4).applying(.filter("x % 2 == 0"))
        #expect(even.virtualEvents().compactMap(\.value) == [2, 4])
        let late = Flow.values(Double.nan).applying(.delay(seconds: 1))
        #expect(late.virtualEvents().map(\.time.seconds) == [1, 1])
        #expect(
            text(Flow.values(1).applying(.delay(seconds: -1)).virtualEvents()) == [
                "0# [0].delay.seconds: expected a number of seconds from 0 to 1000000000, found -1"
            ]
        )
    }
}
