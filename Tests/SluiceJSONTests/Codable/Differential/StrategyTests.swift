import Foundation
import SluiceJSON
import Testing

/// Custom strategies for dates and data that write nothing, throw, or write containers, in every place.
struct StrategyTests {
    enum Writing: String, CaseIterable {
        case nothing, null, number, object, array, nested, twiceTheSame, failure, failureAtEnd, failureCaught

        func write(to encoder: any Encoder) throws {
            switch self {
            case .nothing: break
            case .null:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            case .number:
                var container = encoder.singleValueContainer()
                try container.encode(SideBySide.path(encoder.codingPath))
            case .object: _ = encoder.container(keyedBy: TextKey.self)
            case .array: _ = encoder.unkeyedContainer()
            case .nested:
                var container = encoder.container(keyedBy: TextKey.self)
                var nested = container.nestedUnkeyedContainer(forKey: TextKey("n"))
                try nested.encode(1)
                try container.encode("x", forKey: TextKey("x"))
            case .twiceTheSame:
                var first = encoder.container(keyedBy: TextKey.self)
                try first.encode(1, forKey: TextKey("a"))
                var second = encoder.container(keyedBy: TextKey.self)
                try second.encode(2, forKey: TextKey("a"))
                try second.encode(3, forKey: TextKey("b"))
            case .failure: throw EncodingProgram.Failure()
            case .failureAtEnd:
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode(1, forKey: TextKey("a"))
                throw EncodingProgram.Failure()
            case .failureCaught: try? Writing.failureAtEnd.write(to: encoder)
            }
        }
    }

    struct Keyed<T: Codable>: Codable {
        var value: T
        enum CodingKeys: Int, CodingKey { case value = 7, other, last }
        init(value: T) { self.value = value }
        init(from decoder: any Decoder) throws {
            value = try decoder.container(keyedBy: CodingKeys.self).decode(T.self, forKey: .value)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(1, forKey: .other)
            try? container.encode(value, forKey: .value)
            try container.encode(2, forKey: .last)
        }
    }

    struct Single<T: Codable>: Codable {
        var value: T
        init(value: T) { self.value = value }
        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(T.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private func everywhere<T: Codable & Hashable>(_ value: T, _ both: SideBySide) {
        func check(_ value: some Encodable) {
            let (theirs, ours) = both.encoded(value)
            #expect(theirs == ours, "\(type(of: value))")
        }
        check(value)
        check(Optional(value))
        check([value])
        check([value, value])
        check([Optional(value)])
        check(Set([value]))
        check(["a": value])
        check([1: [value]])
        check(Keyed(value: value))
        check([Keyed(value: Optional(value))])
        check(Keyed(value: [value]))
        check(Single(value: value))
        check([Single(value: Single(value: value))])
        check(["a": ["b": Single(value: value)]])
    }

    @Test(arguments: Writing.allCases)
    func datesAreWrittenAsByFoundation(_ writing: Writing) {
        var both = SideBySide()
        both.theirEncoder.dateEncodingStrategy = .custom { try writing.write(to: $1) }
        both.encoder.dateEncodingStrategy = .custom { try writing.write(to: $1) }
        everywhere(Date(timeIntervalSince1970: 1), both)
        both.theirEncoder.keyEncodingStrategy = .convertToSnakeCase
        both.encoder.keyEncodingStrategy = .convertToSnakeCase
        everywhere(Date(timeIntervalSince1970: 1), both)
    }

    @Test(arguments: Writing.allCases)
    func dataIsWrittenAsByFoundation(_ writing: Writing) {
        var both = SideBySide()
        both.theirEncoder.dataEncodingStrategy = .custom { try writing.write(to: $1) }
        both.encoder.dataEncodingStrategy = .custom { try writing.write(to: $1) }
        everywhere(Data([1, 2]), both)
    }

    @Test func aStrategyThatWritesNothingWritesAnEmptyObject() throws {
        var encoder = SluiceJSONEncoder()
        encoder.dateEncodingStrategy = .custom { _, _ in }
        encoder.dataEncodingStrategy = .custom { _, _ in }
        #expect(try encoder.text(Date()) == "{}")
        #expect(try encoder.text(Data()) == "{}")
        #expect(try encoder.text([Date()]) == "[{}]")
        #expect(try encoder.text(["a": Data()]) == #"{"a":{}}"#)
    }

    /// Dates and data that don't fit, in every place, under every strategy: the error's type and path.
    @Test(arguments: ["null", "true", "1", "1.5", "\"x\"", "[]", "{}", "[null]", "{\"a\":null}", "1e400"])
    func whatIsNoDateOrDataIsRefusedAsByFoundation(_ value: String) {
        let text = { (shape: String) in Data(shape.replacingOccurrences(of: "V", with: value).utf8) }
        func check<T: Codable & Hashable>(_ type: T.Type, _ both: SideBySide) {
            func compare<U: Decodable>(_ type: U.Type, _ shape: String) {
                let (theirs, ours) = both.decoded(type, text(shape)) { _ in "decodes" }
                #expect(theirs == ours, "\(type) from \(shape)")
            }
            compare(T.self, "V")
            compare([T].self, "[V]")
            compare([T?].self, "[V]")
            compare([String: T].self, #"{"k":V}"#)
            compare([Int: T].self, #"{"3":V}"#)
            compare(Keyed<T>.self, #"{"value":V}"#)
            compare(Keyed<T?>.self, #"{"value":V}"#)
            compare([Keyed<[T]>].self, #"[{"value":[V]}]"#)
            compare(Single<T>.self, "V")
            compare([Single<T>].self, "[V]")
        }
        for strategy in 0..<5 {
            var both = SideBySide()
            switch strategy {
            case 0: break
            case 1:
                both.theirDecoder.dateDecodingStrategy = .iso8601
                both.decoder.dateDecodingStrategy = .iso8601
                both.theirDecoder.dataDecodingStrategy = .deferredToData
                both.decoder.dataDecodingStrategy = .deferredToData
            case 2:
                both.theirDecoder.dateDecodingStrategy = .secondsSince1970
                both.decoder.dateDecodingStrategy = .secondsSince1970
            case 3:
                both.theirDecoder.dateDecodingStrategy = .millisecondsSince1970
                both.decoder.dateDecodingStrategy = .millisecondsSince1970
                both.theirDecoder.keyDecodingStrategy = .convertFromSnakeCase
                both.decoder.keyDecodingStrategy = .convertFromSnakeCase
            default:
                both.theirDecoder.dateDecodingStrategy = .custom { _ in Date() }
                both.decoder.dateDecodingStrategy = .custom { _ in Date() }
                both.theirDecoder.dataDecodingStrategy = .custom { _ in throw EncodingProgram.Failure() }
                both.decoder.dataDecodingStrategy = .custom { _ in throw EncodingProgram.Failure() }
            }
            check(Date.self, both)
            check(Data.self, both)
            check(URL.self, both)
            check(Decimal.self, both)
            check(UUID.self, both)
            check(Bool.self, both)
            check(Int8.self, both)
            check(Double.self, both)
            check(Float.self, both)
            check(String.self, both)
            check([String: Int].self, both)
            check([Int].self, both)
            check(Set<Int>.self, both)
        }
    }

    @Test func theErrorForNullNamesTheType() throws {
        for (type, name) in [
            (Date.self, "Date"), (Data.self, "Data"), (URL.self, "URL"), (Decimal.self, "Decimal"),
        ] as [(any Decodable.Type, String)] {
            let error = #expect(throws: DecodingError.self) { try SluiceJSONDecoder().decode(type, from: "null") }
            #expect(error?.jsonError?.message == "Expected \(name), found null.")
        }
    }
}
