import Foundation
import SluiceJSON
import Testing

/// Foundation's coders and ours, side by side: the same texts, the same values, the same errors.
struct DifferentialTests {
    /// One set of strategies for both.
    struct Setting: Sendable, CustomTestStringConvertible {
        var name: String
        var foundation: @Sendable (JSONEncoder, JSONDecoder) -> Void = { _, _ in }
        var ours: @Sendable (inout SluiceJSONEncoder, inout SluiceJSONDecoder) -> Void = { _, _ in }
        var testDescription: String { name }
    }

    static let settings: [Setting] = [
        Setting(name: "defaults"),
        Setting(
            name: "snake case, ISO dates, pretty",
            foundation: {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $1.keyDecodingStrategy = .convertFromSnakeCase
                $0.dateEncodingStrategy = .iso8601
                $1.dateDecodingStrategy = .iso8601
                $0.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            },
            ours: {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $1.keyDecodingStrategy = .convertFromSnakeCase
                $0.dateEncodingStrategy = .iso8601
                $1.dateDecodingStrategy = .iso8601
                $0.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            }
        ),
        Setting(
            name: "milliseconds, deferred data, custom keys",
            foundation: {
                $0.dateEncodingStrategy = .millisecondsSince1970
                $1.dateDecodingStrategy = .millisecondsSince1970
                $0.dataEncodingStrategy = .deferredToData
                $1.dataDecodingStrategy = .deferredToData
                $0.keyEncodingStrategy = .custom { TextKey("k_" + ($0.last?.stringValue ?? "")) }
                $1.keyDecodingStrategy = .custom { TextKey(String(($0.last?.stringValue ?? "").dropFirst(2))) }
            },
            ours: {
                $0.dateEncodingStrategy = .millisecondsSince1970
                $1.dateDecodingStrategy = .millisecondsSince1970
                $0.dataEncodingStrategy = .deferredToData
                $1.dataDecodingStrategy = .deferredToData
                $0.keyEncodingStrategy = .custom { TextKey("k_" + ($0.last?.stringValue ?? "")) }
                $1.keyDecodingStrategy = .custom { TextKey(String(($0.last?.stringValue ?? "").dropFirst(2))) }
            }
        ),
    ]

    @Test(arguments: settings)
    func everyShapeIsCodedAsByFoundation(_ setting: Setting) {
        var run = DifferentialRun(setting: setting)
        run.leaf(Bool.self)
        run.leaf(Int.self)
        run.leaf(Int8.self)
        run.leaf(UInt16.self)
        run.leaf(Int32.self)
        run.leaf(Int64.self)
        run.leaf(UInt.self)
        run.leaf(UInt8.self)
        run.leaf(UInt64.self)
        run.leaf(Double.self)
        run.leaf(Float.self)
        run.leaf(String.self)
        run.leaf(Date.self)
        run.leaf(Data.self)
        run.leaf(URL.self)
        run.leaf(Decimal.self)
        run.leaf(UUID.self)
        run.leaf([String: Int].self)
        #expect(run.shapes >= 200)
        print(
            "\(setting.name): \(run.shapes) shapes, \(run.values) values, \(run.damaged) damaged texts, "
                + "\(run.lenient) of them read by Foundation alone, \(run.differences.count) differences"
        )
        #expect(run.differences.count == 0, "\(run.differences.prefix(10).joined(separator: "\n"))")
    }
}

struct TextKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
