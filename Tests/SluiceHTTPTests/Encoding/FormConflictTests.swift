#if HTTP
import Foundation
import SluiceHTTP
import Testing

/// Tests of values that encode one member with several containers, which agree or contradict each other.
@Suite struct FormConflictTests {
    private enum Key: String, CodingKey { case a, b, c, `super` }

    private struct Model: Encodable {
        let body: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private func text(_ body: @escaping @Sendable (any Encoder) throws -> Void) throws -> String? {
        try URLEncodedFormEncoder().text(Model(body: body)).removingPercentEncoding
    }

    @Test func nestedContainersOfOneKindFillOneValue() throws {
        let objects = try text {
            var container = $0.container(keyedBy: Key.self)
            var one = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            var other = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            try one.encode(1, forKey: .b)
            try other.encode(2, forKey: .c)
        }
        #expect(objects == "a[b]=1&a[c]=2")
        let arrays = try text {
            var container = $0.container(keyedBy: Key.self)
            var one = container.nestedUnkeyedContainer(forKey: .a)
            try one.encode(1)
            var other = container.nestedUnkeyedContainer(forKey: .a)
            try other.encode(2)
        }
        #expect(arrays == "a[]=1&a[]=2")
    }

    @Test func superEncoderAndNestedContainerFillOneValue() throws {
        let text = try text {
            var container = $0.container(keyedBy: Key.self)
            var parent = container.superEncoder().container(keyedBy: Key.self)
            try parent.encode(1, forKey: .b)
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: .super)
            try nested.encode(2, forKey: .c)
            var again = container.superEncoder(forKey: .super).container(keyedBy: Key.self)
            try again.encode(3, forKey: .a)
        }
        #expect(text == "super[a]=3&super[b]=1&super[c]=2")
    }

    /// The last of two plain values counts, as with other encoders.
    @Test func theLastOfTwoValuesCounts() throws {
        let text = try text {
            var container = $0.container(keyedBy: Key.self)
            try container.encode(["x"], forKey: .a)
            try container.encode(2, forKey: .a)
        }
        #expect(text == "a=2")
    }

    /// The different ways to encode one value, for tests of every pair.
    private static let ways: [(String, @Sendable (inout KeyedEncodingContainer<Key>) throws -> Void)] = [
        (
            "nested keyed",
            { container in
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                try nested.encode(1, forKey: .b)
            }
        ),
        (
            "nested unkeyed",
            { container in
                var nested = container.nestedUnkeyedContainer(forKey: .a)
                try nested.encode(1)
            }
        ),
        (
            "super, single",
            { container in
                var single = container.superEncoder(forKey: .a).singleValueContainer()
                try single.encode("x")
            }
        ),
        ("value", { container in try container.encode("x", forKey: .a) }),
        ("nil", { container in try container.encodeNil(forKey: .a) }),
    ]

    @Test func contradictionsAreErrors() {
        for (index, (first, encodeFirst)) in Self.ways.enumerated() {
            for (other, (second, encodeSecond)) in Self.ways.enumerated() where index != other {
                // Two plain values: the last counts.
                if index > 2 && other > 2 { continue }
                #expect(throws: EncodingError.self, "\(first), then \(second)") {
                    try text {
                        var container = $0.container(keyedBy: Key.self)
                        try encodeFirst(&container)
                        try encodeSecond(&container)
                    }
                }
            }
        }
    }

    @Test func containersOfTwoKindsForOneValue() {
        #expect(throws: EncodingError.self) {
            try text {
                var keyed = $0.container(keyedBy: Key.self)
                try keyed.encode(1, forKey: .a)
                var unkeyed = $0.unkeyedContainer()
                try unkeyed.encode(1)
            }
        }
        #expect(throws: EncodingError.self) {
            try text {
                var keyed = $0.container(keyedBy: Key.self)
                try keyed.encode(1, forKey: .a)
                var single = $0.singleValueContainer()
                try single.encode(1)
            }
        }
    }
}
#endif
