#if HTTP
import Foundation
import SluiceHTTP
import SluiceJSON
import Testing

@Suite struct URLEncodedFormEncoderTests {
    func text(_ value: some Encodable, _ set: (inout URLEncodedFormEncoder) -> Void = { _ in }) throws -> String {
        var encoder = URLEncodedFormEncoder()
        set(&encoder)
        return try encoder.text(value)
    }

    /// Returns the text with unescaped brackets.
    func plain(_ value: JSON, _ set: (inout URLEncodedFormEncoder) -> Void = { _ in }) throws -> String {
        try text(value, set).replacing("%5B", with: "[").replacing("%5D", with: "]")
    }

    // MARK: The vectors of the library that Sluice comes from (request-chains.md, 4.3)

    @Test func vectors() throws {
        #expect(try plain(["name": "bob", "age": 23]) == "age=23&name=bob")
        #expect(try plain(["arr": ["a", 23, false]]) == "arr[]=a&arr[]=23&arr[]=0")
        #expect(try plain(["dict": ["name": "bob", "age": 23]]) == "dict[age]=23&dict[name]=bob")
        #expect(
            try plain(["dict": ["name": "bob", "age": 23], "arr": ["a", 23, false]])
                == "arr[]=a&arr[]=23&arr[]=0&dict[age]=23&dict[name]=bob"
        )
        #expect(try plain(["arr": ["a", 23, false, ["map"]]]) == "arr[]=a&arr[]=23&arr[]=0&arr[][]=map")
        #expect(try plain([:]) == "")
        #expect(try plain(["d": ["a": [1]], "l": [["k": 2]]]) == "d[a][]=1&l[][k]=2")
        #expect(try plain(["e": [], "f": [:]]) == "")
    }

    @Test func vectorsWithSeedStrategies() throws {
        let params: JSON = ["params": ["a", "b"], "desc": true, "map": ["k": 1], "max": 5]
        let result = try plain(params) {
            $0.boolEncodingStrategy = .asBool
            $0.arrayEncodingStrategy = .noBrackets
        }
        #expect(result == "desc=true&map[k]=1&max=5&params=a&params=b")
        #expect(try plain(["b": true, "n": 1]) { $0.boolEncodingStrategy = .asInt } == "b=1&n=1")
    }

    /// The errors of that library: a printed optional, a printed null, and 0 and 1 read as Booleans.
    @Test func weakSpotsThatAreNone() throws {
        let literal: (inout URLEncodedFormEncoder) -> Void = { $0.boolEncodingStrategy = .literal }
        #expect(try plain(["zero": 0, "one": 1, "yes": true, "none": .null], literal) == "one=1&yes=true&zero=0")
        struct Model: Encodable { var some: Int? = 3, none: Int? }
        #expect(try text(Model()) == "some=3")
        #expect(try text(["a": Optional("x"), "b": nil]) == "a=x")
    }

    // MARK: Escaping

    @Test func aPlusArrives() throws {
        #expect(try text(["q": "1+1=2 & 50%"]) == "q=1%2B1%3D2%20%26%2050%25")
        #expect(try text(["a&b=c+d": "x"]) == "a%26b%3Dc%2Bd=x")
    }

    @Test func onlyUnreservedCharactersAreLiteral() throws {
        let ascii = String(String.UnicodeScalarView((0..<128).compactMap(Unicode.Scalar.init)))
        let value = try text(["k": ascii]).dropFirst(2)
        let expected = ascii.unicodeScalars.map { scalar in
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".unicodeScalars.contains(scalar)
                ? String(scalar) : "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16).uppercased()
        }
        #expect(value == expected.joined())
        #expect(try text(["é": "漢😀"]) == "%C3%A9=%E6%BC%A2%F0%9F%98%80")
    }

    @Test func allowedCharacters() throws {
        #expect(try text(["k": "a/b?c d"]) { $0.allowedCharacters = .unreserved.union("/?") } == "k=a/b?c%20d")
        // Characters that would change the meaning are never literal.
        #expect(
            try text(["k": "%&=+# \"<>é\u{7F}"]) { $0.allowedCharacters = .unreserved.union("%&=+# \"<>é\u{7F}") }
                == "k=%25%26%3D%2B%23%20%22%3C%3E%C3%A9%7F"
        )
        #expect(try text(["k": "ab"]) { $0.allowedCharacters = LiteralCharacters("a") } == "%6B=a%62")
    }

    @Test func spaces() throws {
        #expect(try text(["a b": "c d+e"]) { $0.spaceEncodingStrategy = .plusReplaced } == "a+b=c+d%2Be")
    }

    // MARK: Values

    @Test func numbers() throws {
        struct Numbers: Encodable {
            var int = Int.min, unsigned = UInt64.max, wide = Int128.max, double = 1.0, small = 0.1, float = Float(0.1)
            var large = 1e100
            var decimal = Decimal(string: "12.50")
            var byte: UInt8 = 7
        }
        #expect(
            try text(Numbers()) { $0.order = .asEncoded }
                == "int=-9223372036854775808&unsigned=18446744073709551615"
                + "&wide=170141183460469231731687303715884105727&double=1.0&small=0.1&float=0.1&large=1e%2B100"
                + "&decimal=12.5&byte=7"
        )
        #expect(
            try text(JSON(parsing: #"{"n": 123456789012345678901234567890}"#)) == "n=123456789012345678901234567890"
        )
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func numbersWithoutText(_ number: Double) throws {
        let error = #expect(throws: EncodingError.self) { try text(["a": [number]]) }
        guard case .invalidValue(_, let context) = error else { throw CocoaError(.coderInvalidValue) }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
        #expect(context.debugDescription == "There is no text for the number \(number).")
    }

    @Test func otherTypes() throws {
        struct Others: Encodable {
            var url = URL(string: "http://h/?a=b")
            var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
            var kind = Kind.second
            enum Kind: String, Encodable { case second }
        }
        #expect(
            try text(Others()) == "id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F&kind=second&url=http%3A%2F%2Fh%2F%3Fa%3Db"
        )
    }

    @Test func valuesOfDifferentTypes() throws {
        let values: [String: any Encodable & Sendable] = [
            "max": 5, "desc": true, "params": ["a", "b"], "map": ["k": 1],
        ]
        #expect(
            try URLEncodedFormEncoder().text(values) == "desc=1&map%5Bk%5D=1&max=5&params%5B%5D=a&params%5B%5D=b"
        )
        #expect(try URLEncodedFormEncoder().fields(values).first == FormField(name: "desc", value: "1"))
    }

    @Test func bodyIsTheText() throws {
        #expect(try URLEncodedFormEncoder().bytes(["a": "é"]) == Array("a=%C3%A9".utf8))
        #expect(URLEncodedFormEncoder.contentType == "application/x-www-form-urlencoded; charset=utf-8")
    }

    // MARK: Order

    @Test func membersAreSortedAndElementsStayTogether() throws {
        let json: JSON = ["b": 1, "a": [["y": 2, "x": 1], ["x": 3]], "B": 0]
        #expect(try plain(json) == "B=0&a[][x]=1&a[][y]=2&a[][x]=3&b=1")
        #expect(try plain(json) { $0.order = .asEncoded } == "b=1&a[][y]=2&a[][x]=1&a[][x]=3&B=0")
    }

    @Test func hashTablesHaveNoOrderOfTheirOwn() throws {
        let names = (0..<50).map { "k\($0)" }
        let dictionary = Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
        let sorted = names.sorted().map { "\($0)=\($0)" }.joined(separator: "&")
        #expect(try text(dictionary) { $0.order = .asEncoded } == sorted)
        struct Tags: Encodable { let tags: Set<String> }
        let tags = names.sorted().map { "tags=\($0)" }.joined(separator: "&")
        #expect(
            try text(Tags(tags: Set(names))) {
                $0.order = .asEncoded
                $0.arrayEncodingStrategy = .noBrackets
            } == tags
        )
        struct Pairs: Encodable { let pairs: Set<[String: Int]> }
        let pairs = try text(Pairs(pairs: [["b": 1], ["a": 2, "c": 3], ["a": 2, "b": 9]])) {
            $0.arrayEncodingStrategy = .indexInBrackets
            $0.keyPathEncodingStrategy = .dots
        }
        #expect(pairs.removingPercentEncoding == "pairs[0].a=2&pairs[0].b=9&pairs[1].a=2&pairs[1].c=3&pairs[2].b=1")
    }

    @Test func keysOfAnyOtherTypeAreRefused() throws {
        struct Point: Hashable, Encodable { var x = 1 }
        let error = #expect(throws: EncodingError.self) { try text(["a": [Point(): 1]]) }
        guard case .invalidValue(_, let context) = error else { throw CocoaError(.coderInvalidValue) }
        #expect(context.debugDescription == "A form has names: a dictionary's keys must be strings or integers.")
        #expect(try text(["a": [2: "x", 1: "y"]]).removingPercentEncoding == "a[1]=y&a[2]=x")
    }

    // MARK: Invalid forms

    @Test func theTopHasKeys() throws {
        for value in [AnyEncodable([1]), AnyEncodable("a"), AnyEncodable(JSON.array([]))] {
            let error = #expect(throws: EncodingError.self) { try text(value) }
            guard case .invalidValue(_, let context) = error else { throw CocoaError(.coderInvalidValue) }
            #expect(
                context.debugDescription == "A form has names: its top must have keys, as a struct or a dictionary."
            )
        }
        struct Nothing: Encodable {}
        #expect(try text(Nothing()) == "")
        #expect(try text(JSON.null) == "")
        #expect(try text([String: Int]?.none) == "")
    }

    @Test func depthHasAnEnd() throws {
        var json: JSON = 1
        for _ in 0..<100_000 { json = ["a": json] }
        #expect(throws: EncodingError.self) { try text(json) }
        // A value of such depth can't be freed on a small stack, so it is taken apart here.
        while case .object(let object) = json, let inner = object["a"] { json = inner }
        final class Loop: Encodable { func encode(to encoder: any Encoder) throws { try encoder.unkeyed(self) } }
        #expect(throws: EncodingError.self) { try text(["a": Loop()]) }
        struct Wrapped: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        #expect(throws: EncodingError.self) { try text(["a": Wrapped()]) }
    }

    @Test func whatAModelThrows() {
        struct Refusal: Error {}
        struct Model: Encodable { func encode(to encoder: any Encoder) throws { throw Refusal() } }
        #expect(throws: Refusal.self) { try text(["a": Model()]) }
    }

    // MARK: Containers

    @Test func nestedContainersAndSuper() throws {
        class Animal: Encodable {
            var name = "Rex"
        }
        final class Dog: Animal {
            enum Key: CodingKey { case tricks, home, owner, city, nothing }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var tricks = container.nestedUnkeyedContainer(forKey: .tricks)
                try tricks.encode("sit")
                try tricks.encodeNil()
                var inner = tricks.nestedUnkeyedContainer()
                try inner.encode(1)
                #expect(tricks.count == 3)
                var home = container.nestedContainer(keyedBy: Key.self, forKey: .home)
                try home.encode("Turin", forKey: .city)
                try super.encode(to: container.superEncoder())
                try super.encode(to: container.superEncoder(forKey: .owner))
                try container.encodeNil(forKey: .nothing)
            }
        }
        #expect(
            try text(Dog()) { $0.order = .asEncoded }.removingPercentEncoding
                == "tricks[]=sit&tricks[][]=1&home[city]=Turin&super[name]=Rex&owner[name]=Rex"
        )
    }

    @Test func aKeyThatIsEncodedTwice() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var first = encoder.container(keyedBy: Key.self)
                try first.encode(1, forKey: .a)
                try first.encode(2, forKey: .b)
                var second = encoder.container(keyedBy: Key.self)
                try second.encode(3, forKey: .a)
            }
            enum Key: CodingKey { case a, b }
        }
        #expect(try text(Twice()) == "a=3&b=2")
    }

    @Test func userInfoReachesTheTypes() throws {
        struct Model: Encodable {
            func encode(to encoder: any Encoder) throws {
                let key = try #require(CodingUserInfoKey(rawValue: "who"))
                try ["who": encoder.userInfo[key] as? String].encode(to: encoder)
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "who"))
        #expect(try text(Model()) { $0.userInfo[key] = "Ada" } == "who=Ada")
    }
}

/// A value of any type under one type.
struct AnyEncodable: Encodable {
    private let write: (any Encoder) throws -> Void
    init(_ value: some Encodable) { write = value.encode }
    func encode(to encoder: any Encoder) throws { try write(encoder) }
}

extension Encoder {
    fileprivate func unkeyed(_ value: some Encodable) throws {
        var container = unkeyedContainer()
        try container.encode(value)
    }
}
#endif
