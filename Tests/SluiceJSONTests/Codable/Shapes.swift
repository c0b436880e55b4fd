import Foundation

// Shapes of types: each is made with every leaf.

/// A struct with a plain and an optional member.
struct Plain<T: Sample>: Sample {
    var name: String
    var value: T
    var other: T?

    static func sample(_ random: inout SeededGenerator) -> Plain {
        Plain(name: .sample(&random), value: .sample(&random), other: .sample(&random))
    }
}

/// Keys with underscores, capitals and accents, and keys that do not exist in the text.
struct OddKeys<T: Sample>: Sample {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var one_two: T
    var threeFourURL: T?
    var _five: Int
    var é: String?

    static func sample(_ random: inout SeededGenerator) -> OddKeys {
        OddKeys(one_two: .sample(&random), threeFourURL: .sample(&random), _five: .sample(&random), é: .sample(&random))
    }
}

/// The synthesized Codable of an enum with payloads.
enum Choice<T: Sample>: Sample {
    case none
    case one(T)
    case named(value: T, count: Int)
    case maybe(value: T?)

    static func sample(_ random: inout SeededGenerator) -> Choice {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .none
        case 1: .one(.sample(&random))
        case 2: .named(value: .sample(&random), count: .sample(&random))
        default: .maybe(value: .sample(&random))
        }
    }
}

/// A recursive type.
indirect enum Tree<T: Sample>: Sample {
    case leaf(T)
    case node([Tree])

    static func sample(_ random: inout SeededGenerator) -> Tree {
        Int.random(in: 0..<3, using: &random) > 0
            ? .leaf(.sample(&random)) : .node((0..<2).map { _ in .sample(&random) })
    }
}

/// A class and its superclass, coded through `superEncoder`.
class Base: Codable {
    var id = 0
}

final class Derived<T: Sample>: Base, Sample {
    var value: T

    private enum CodingKeys: String, CodingKey { case value }

    init(id: Int, value: T) {
        self.value = value
        super.init()
        self.id = id
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value = try container.decode(T.self, forKey: .value)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(value, forKey: .value)
        try super.encode(to: container.superEncoder())
    }

    static func == (left: Derived, right: Derived) -> Bool { left.id == right.id && left.value == right.value }
    static func sample(_ random: inout SeededGenerator) -> Derived {
        Derived(id: .sample(&random), value: .sample(&random))
    }
}

/// Nested containers by hand: keyed in keyed, unkeyed in keyed, and back.
struct Nested<T: Sample>: Sample {
    var x: T
    var y: [T]

    enum Keys: String, CodingKey { case outer, list, x }

    init(x: T, y: [T]) {
        self.x = x
        self.y = y
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        x = try container.nestedContainer(keyedBy: Keys.self, forKey: .outer).decode(T.self, forKey: .x)
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        y = []
        while !list.isAtEnd {
            if try list.decodeNil() { continue }
            var inner = try list.nestedUnkeyedContainer()
            y.append(try inner.decode(T.self))
        }
    }

    /// Writes to the containers in turns, so that none is ever done before the others.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        var outer = container.nestedContainer(keyedBy: Keys.self, forKey: .outer)
        for element in y {
            try list.encodeNil()
            var inner = list.nestedUnkeyedContainer()
            try inner.encode(element)
        }
        try outer.encode(x, forKey: .x)
        try list.encodeNil()
    }

    static func sample(_ random: inout SeededGenerator) -> Nested { Nested(x: .sample(&random), y: .sample(&random)) }
}

/// A heterogeneous array.
struct Mixed<T: Sample>: Sample {
    var a: Int
    var b: T
    var c: String

    init(a: Int, b: T, c: String) {
        self.a = a
        self.b = b
        self.c = c
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        a = try container.decode(Int.self)
        b = try container.decode(T.self)
        c = try container.decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(a)
        try container.encode(b)
        try container.encode(c)
    }

    static func sample(_ random: inout SeededGenerator) -> Mixed {
        Mixed(a: .sample(&random), b: .sample(&random), c: .sample(&random))
    }
}

/// A value that is its only member, through a single value container.
struct Wrapped<T: Sample>: Sample {
    var value: T

    init(value: T) { self.value = value }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(T.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
    static func sample(_ random: inout SeededGenerator) -> Wrapped { Wrapped(value: .sample(&random)) }
}

/// One type after the other until one fits.
enum FirstFit<T: Sample>: Sample {
    case value(T)
    case text(String)
    case list([T?])

    init(from decoder: any Decoder) throws {
        if let value = try? T(from: decoder) {
            self = .value(value)
        } else if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try [T?](from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .value(let value): try value.encode(to: encoder)
        case .text(let text): try text.encode(to: encoder)
        case .list(let list): try list.encode(to: encoder)
        }
    }

    static func sample(_ random: inout SeededGenerator) -> FirstFit {
        Bool.random(using: &random) ? .value(.sample(&random)) : .list(.sample(&random))
    }
}
