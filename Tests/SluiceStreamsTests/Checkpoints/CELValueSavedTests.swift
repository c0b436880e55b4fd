import SluiceExpressions
import SluiceJSON
import Testing

@testable import SluiceStreams

/// Values of every type through the text of a checkpoint.
struct CELValueSavedTests {
    private func again(_ value: CELValue) throws -> CELValue {
        try CELValue(saved: JSON(parsing: value.saved.text()))
    }

    /// Returns a text that distinguishes a value from every other.
    private func exact(_ value: CELValue) -> String {
        switch value {
        case .double(let number): "double \(number.isNaN ? 0 : number.bitPattern) \(number.isNaN)"
        case .list(let list): "list(" + list.map(exact).joined(separator: ", ") + ")"
        case .map(let map): "map(" + map.map { exact($0.key) + ": " + exact($0.value) }.joined(separator: ", ") + ")"
        case .optional(let value): "optional(" + (value.map(exact) ?? "none") + ")"
        default: "\(value.typeName) \(value)"
        }
    }

    @Test(arguments: [
        "null", "true", "1", "-9223372036854775808", "9223372036854775807", "18446744073709551615u", "1.0", "-0.0",
        "0.1", "1e300", "5e-324", "1.0 / 0.0", "-1.0 / 0.0", "0.0 / 0.0", "''", "'a\"b\\n'", "b'\\x00\\xff'", "int",
        "[]",
        "[1, 1.0, [2u]]", "{}", "{'b': 1, 'a': 2.0}", "{1: 2, true: 3, 4u: 'x'}", "{'map': [1]}", "{'double': 'nan'}",
        "duration('1.000000001s')", "timestamp('2009-02-13T23:31:30.5Z')", "optional.none()", "optional.of(null)",
        "optional.of(optional.of(1))", "ip('192.0.2.1')", "ip('2001:db8::1')", "cidr('10.0.0.0/8')",
    ])
    func isReadAgainAsItWas(_ expression: String) throws {
        let value = try CELExpression(expression).evaluate()
        #expect(try exact(again(value)) == exact(value))
    }

    @Test func deepValuesAreWrittenFlat() throws {
        var value = CELValue.string("x")
        for depth in 0..<400 {
            switch depth % 3 {
            case 0: value = .list([.int(Int64(depth)), value])
            case 1: value = .map(try #require(CELMap([(.int(1), value), (.string("a"), .double(2))])))
            default: value = .optional(value)
            }
        }
        #expect(try exact(again(value)) == exact(value))
    }

    @Test(arguments: [
        "{}", #"{"map": 1}"#, #"{"map": [[1]]}"#, #"{"map": [[1, 2], [1, 3]]}"#, #"{"optional": [1, 2]}"#,
        #"{"double": "1"}"#, #"{"uint": "-1"}"#, #"{"bytes": "?"}"#, #"{"timestamp": [1]}"#, #"{"timestamp": [1, -1]}"#,
        #"{"address": "x"}"#, #"{"flat": [{"list": 2}, 1]}"#, #"{"flat": [{"list": -1}]}"#, #"{"flat": [1, 2]}"#,
        #"{"flat": []}"#, #"{"flat": [{"list": 9223372036854775807}]}"#, #"{"a": 1, "b": 2}"#, "1e999",
    ])
    func whatIsNoValueIsRefused(_ text: String) throws {
        let json = try JSON(parsing: text)
        #expect(throws: StreamError.self) { try CELValue(saved: json) }
    }
}
