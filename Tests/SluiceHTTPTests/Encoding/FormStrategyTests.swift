#if HTTP
import Foundation
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests of every strategy of the encoder.
@Suite struct FormStrategyTests {
    func text(_ value: some Encodable, _ set: (inout URLEncodedFormEncoder) -> Void) throws -> String? {
        var encoder = URLEncodedFormEncoder()
        set(&encoder)
        return try encoder.text(value).removingPercentEncoding
    }

    @Test func arrays() throws {
        let value: JSON = ["a": ["x", ["y"]]]
        #expect(try text(value) { $0.arrayEncodingStrategy = .brackets } == "a[]=x&a[][]=y")
        #expect(try text(value) { $0.arrayEncodingStrategy = .noBrackets } == "a=x&a=y")
        #expect(try text(value) { $0.arrayEncodingStrategy = .indexInBrackets } == "a[0]=x&a[1][0]=y")
        #expect(
            try text(value) { $0.arrayEncodingStrategy = .custom { name, index in "\(name)-\(index + 1)" } }
                == "a-1=x&a-2-1=y"
        )
        #expect(
            try text(["a": Array(0..<11)]) { $0.arrayEncodingStrategy = .indexInBrackets }?.hasSuffix("a[9]=9&a[10]=10")
                == true
        )
    }

    /// The indices are 0, 1, 2, …, even if some elements have no field.
    @Test func indicesHaveNoHoles() throws {
        let value: JSON = ["a": ["x", nil, "y", [], [nil], [:], ["z", nil, "w"]]]
        #expect(try text(value) { $0.arrayEncodingStrategy = .indexInBrackets } == "a[0]=x&a[1]=y&a[2][0]=z&a[2][1]=w")
        #expect(
            try text(value) { $0.arrayEncodingStrategy = .custom { name, index in "\(name)-\(index)" } }
                == "a-0=x&a-1=y&a-2-0=z&a-2-1=w"
        )
        let kept: JSON = ["a": ["x", nil, "y"]]
        let encoded = try text(kept) {
            $0.arrayEncodingStrategy = .indexInBrackets
            $0.nilEncodingStrategy = .null
        }
        #expect(encoded == "a[0]=x&a[1]=null&a[2]=y")
    }

    @Test func bools() throws {
        #expect(try text(["t": true, "f": false]) { $0.boolEncodingStrategy = .numeric } == "f=0&t=1")
        #expect(try text(["t": true, "f": false]) { $0.boolEncodingStrategy = .literal } == "f=false&t=true")
    }

    @Test func data() throws {
        let value = ["d": Data([1, 255])]
        #expect(try text(value) { _ in } == "d=Af8=")
        #expect(try text(value) { $0.dataEncodingStrategy = .deferredToData } == "d[]=1&d[]=255")
        #expect(try text(value) { $0.dataEncodingStrategy = .custom { "\($0.count) bytes" } } == "d=2 bytes")
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try text(value) { $0.dataEncodingStrategy = .custom { _ in throw Refusal() } }
        }
    }

    @Test func dates() throws {
        let value = ["d": Date(timeIntervalSince1970: 1_700_000_000.5)]
        #expect(try text(value) { _ in } == "d=721692800.5")
        #expect(try text(value) { $0.dateEncodingStrategy = .secondsSince1970 } == "d=1700000000.5")
        #expect(try text(value) { $0.dateEncodingStrategy = .millisecondsSince1970 } == "d=1700000000500.0")
        #expect(try text(value) { $0.dateEncodingStrategy = .iso8601 } == "d=2023-11-14T22:13:20Z")
        #expect(try text(value) { $0.dateEncodingStrategy = .formatted(Year()) } == "d=2023")
        #expect(try text(value) { $0.dateEncodingStrategy = .custom { _ in "now" } } == "d=now")
        #expect(
            try text(["o": Optional(Date(timeIntervalSince1970: 0))]) { $0.dateEncodingStrategy = .iso8601 }
                == "o=1970-01-01T00:00:00Z"
        )
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try text(value) { $0.dateEncodingStrategy = .custom { _ in throw Refusal() } }
        }
    }

    struct Year: DateTextFormatter {
        func string(from date: Date) -> String { String(date.formatted(Date.ISO8601FormatStyle()).prefix(4)) }
        func date(from string: String) -> Date? { nil }
    }

    @Test(arguments: [
        ("useDefaultKeys", "oneTwoURL[innerKey]=1"), ("snake", "one_two_url[inner_key]=1"),
        ("kebab", "one-two-url[inner-key]=1"), ("capitalized", "OneTwoURL[InnerKey]=1"),
        ("uppercased", "ONETWOURL[INNERKEY]=1"), ("lowercased", "onetwourl[innerkey]=1"),
        ("custom", "<oneTwoURL>[<innerKey>]=1"),
    ])
    func keys(_ name: String, _ expected: String) throws {
        let strategies: [String: URLEncodedFormEncoder.KeyEncodingStrategy] = [
            "useDefaultKeys": .useDefaultKeys, "snake": .convertToSnakeCase, "kebab": .convertToKebabCase,
            "capitalized": .capitalized, "uppercased": .uppercased, "lowercased": .lowercased,
            "custom": .custom { "<\($0)>" },
        ]
        let strategy = try #require(strategies[name])
        struct Model: Encodable {
            var oneTwoURL = Inner()
            struct Inner: Encodable { var innerKey = 1 }
        }
        #expect(try text(Model()) { $0.keyEncodingStrategy = strategy } == expected)
        #expect(try text(["oneTwoURL": ["innerKey": 1]]) { $0.keyEncodingStrategy = strategy } == expected)
        #expect(try text(["oneTwoURL": ["innerKey": 1]] as JSON) { $0.keyEncodingStrategy = strategy } == expected)
    }

    /// Keys that become the same name lose no values; the names are sorted, not the keys.
    @Test func keysThatMeet() throws {
        #expect(try text(["B": 1, "a": 3, "A": 2] as JSON) { $0.keyEncodingStrategy = .lowercased } == "a=3&a=2&b=1")
    }

    @Test func keyPaths() throws {
        let value: JSON = ["a": ["b": ["c": 1], "l": [2]]]
        #expect(try text(value) { $0.keyPathEncodingStrategy = .brackets } == "a[b][c]=1&a[l][]=2")
        #expect(try text(value) { $0.keyPathEncodingStrategy = .dots } == "a.b.c=1&a.l[]=2")
        #expect(try text(value) { $0.keyPathEncodingStrategy = .custom { "\($0)/\($1)" } } == "a/b/c=1&a/l[]=2")
    }

    struct Optionals: Encodable {
        var bool: Bool?, string: String?, double: Double?, float: Float?, int: Int?, int8: Int8?, int16: Int16?
        var int32: Int32?, int64: Int64?, int128: Int128?, uint: UInt?, uint8: UInt8?, uint16: UInt16?
        var uint32: UInt32?, uint64: UInt64?, uint128: UInt128?, date: Date?, list: [Int]?
    }

    @Test func nils() throws {
        let names =
            "bool string double float int int8 int16 int32 int64 int128 uint uint8 uint16 uint32 uint64 uint128 date list"
            .split(separator: " ")
        func optionals(_ strategy: URLEncodedFormEncoder.NilEncodingStrategy) throws -> String? {
            try text(Optionals()) {
                $0.nilEncodingStrategy = strategy
                $0.order = .asEncoded
            }
        }
        #expect(try optionals(.dropKey) == "")
        #expect(try optionals(.dropValue) == names.map { "\($0)=" }.joined(separator: "&"))
        #expect(try optionals(.null) == names.map { "\($0)=null" }.joined(separator: "&"))
        #expect(try optionals(.custom { $0 == "int" ? "0" : nil }) == "int=0")
        #expect(try text(Optionals(bool: true, int: 3, list: [1])) { _ in } == "bool=1&int=3&list[]=1")
    }

    @Test func nilsInArrays() throws {
        let value: JSON = ["a": ["x", .null, "y"]]
        #expect(try text(value) { $0.arrayEncodingStrategy = .indexInBrackets } == "a[0]=x&a[1]=y")
        #expect(try text(value) { $0.nilEncodingStrategy = .null } == "a[]=x&a[]=null&a[]=y")
        #expect(try text(["a": ["x", nil]]) { $0.nilEncodingStrategy = .dropValue } == "a[]=x&a[]=")
    }
}
#endif
