/// The values that an expression may see at one place: the kinds that may occur there, the fields of an object, and the
/// elements of a list.
///
/// A variable of the type ``CELType/shape(_:)`` is dynamic when the expression is evaluated. A check reports only the
/// parts that fail on every value of the shape, such as a field that no value has.
///
/// A shape is bounded: in one that is too large or too deep, nothing is known about the values within.
public struct CELShape: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of values.
    package struct Kinds: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let null = Kinds(rawValue: 1)
        package static let bool = Kinds(rawValue: 2)
        package static let int = Kinds(rawValue: 4)
        package static let uint = Kinds(rawValue: 8)
        package static let double = Kinds(rawValue: 16)
        package static let string = Kinds(rawValue: 32)
        package static let bytes = Kinds(rawValue: 64)
        package static let duration = Kinds(rawValue: 128)
        package static let timestamp = Kinds(rawValue: 256)
        package static let type = Kinds(rawValue: 512)
        package static let list = Kinds(rawValue: 1024)
        package static let map = Kinds(rawValue: 2048)
        package static let optional = Kinds(rawValue: 4096)
        package static let other = Kinds(rawValue: 8192)
        package static let all = Kinds(rawValue: 16383)
        static let number: Kinds = [.int, .uint, .double]
    }

    /// The members of an object.
    package struct Fields: Sendable, Hashable {
        /// The shapes of the members by name; each may be missing.
        package var named: [String: CELShape]
        /// The shape of all other members; `nil` if objects have no others.
        package var rest: CELShape?

        package init(named: [String: CELShape], rest: CELShape?) { (self.named, self.rest) = (named, rest) }

        /// Returns the shape of a member, or `nil` if no value has it.
        package subscript(name: String) -> CELShape? { named[name] ?? rest }
    }

    private final class Parts: Sendable, Hashable {
        let element: CELShape?
        let fields: Fields?

        init(element: CELShape?, fields: Fields?) { (self.element, self.fields) = (element, fields) }

        static func == (left: Parts, right: Parts) -> Bool {
            left === right || left.element == right.element && left.fields == right.fields
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(element)
            hasher.combine(fields)
        }
    }

    /// The largest number of shapes within a shape.
    package static let largestSize = 2_000
    /// The greatest depth of a shape.
    package static let deepest = 40

    /// The kinds of values.
    package let kinds: Kinds
    private let parts: Parts?
    private let size: Int
    private let depth: Int

    /// Creates a shape of kinds.
    ///
    /// - Parameters:
    ///   - element: The shape of the elements of lists; `nil` for any.
    ///   - fields: The members of objects; `nil` for any map.
    package init(_ kinds: Kinds, element: CELShape? = nil, fields: Fields? = nil) {
        self.kinds = kinds
        let element = kinds.contains(.list) && element?.isAny == false ? element : nil
        let fields = kinds.contains(.map) ? fields : nil
        var (size, depth) = (1, 1)
        for part in [element, fields?.rest].compactMap(\.self) {
            size += part.size
            depth = max(depth, part.depth + 1)
        }
        for part in (fields?.named ?? [:]).values {
            size += part.size
            depth = max(depth, part.depth + 1)
        }
        let isKept = (element != nil || fields != nil) && size <= Self.largestSize && depth <= Self.deepest
        parts = isKept ? Parts(element: element, fields: fields) : nil
        (self.size, self.depth) = isKept ? (size, depth) : (1, 1)
    }

    /// The shape of any value.
    package static let any = CELShape(.all)

    /// A Boolean value that indicates whether it is the shape of any value.
    package var isAny: Bool { kinds == .all && parts == nil }

    /// The shape of the elements of lists.
    package var element: CELShape { parts?.element ?? .any }

    /// The members of objects; `nil` if nothing is known about them.
    package var fields: Fields? { parts?.fields }

    /// Returns the shape of the values that are no `null`.
    package var withoutNull: CELShape {
        CELShape(kinds.subtracting(.null), element: parts?.element, fields: parts?.fields)
    }

    /// Returns the shape of the values of both shapes.
    ///
    /// - Parameter fuel: The number of steps that are left; the shape of any value is returned when it is used up.
    package func joined(with other: CELShape, _ fuel: inout Int) -> CELShape {
        fuel -= 1
        guard fuel >= 0 else { return .any }
        if kinds == other.kinds, parts === other.parts { return self }
        var element: CELShape?
        switch (kinds.contains(.list), other.kinds.contains(.list)) {
        case (true, true): element = self.element.joined(with: other.element, &fuel)
        case (true, false): element = self.element
        case (false, true): element = other.element
        case (false, false): break
        }
        var fields: Fields?
        switch (kinds.contains(.map), other.kinds.contains(.map)) {
        case (true, true):
            if let left = self.fields, let right = other.fields { fields = left.joined(with: right, &fuel) }
        case (true, false), (false, true):
            fields = self.fields ?? other.fields
            fuel -= fields?.named.count ?? 0
            guard fuel >= 0 else { return .any }
        case (false, false): break
        }
        return CELShape(kinds.union(other.kinds), element: element, fields: fields)
    }

    private static let names: [(Kinds, String)] = [
        (.null, "null"), (.bool, "bool"), (.int, "int"), (.uint, "uint"), (.double, "double"), (.string, "string"),
        (.bytes, "bytes"), (.duration, "duration"), (.timestamp, "timestamp"), (.type, "type"), (.list, "list"),
        (.map, "map"), (.optional, "optional"), (.other, "other"),
    ]

    /// The kinds of values in the language's terms: `int or string`.
    public var description: String {
        if kinds == .all { return "dyn" }
        return Self.names.filter { kinds.contains($0.0) }.map(\.1).joined(separator: " or ")
    }
}

extension CELShape.Fields {
    fileprivate func joined(with other: Self, _ fuel: inout Int) -> Self {
        fuel -= named.count + other.named.count
        guard fuel >= 0 else { return Self(named: [:], rest: .any) }
        var joined: [String: CELShape] = [:]
        for name in Set(named.keys).union(other.named.keys) {
            joined[name] = Self.joined(self[name], other[name], &fuel)
        }
        return Self(named: joined, rest: Self.joined(rest, other.rest, &fuel))
    }

    private static func joined(_ left: CELShape?, _ right: CELShape?, _ fuel: inout Int) -> CELShape? {
        guard let left, let right else { return left ?? right }
        return left.joined(with: right, &fuel)
    }
}
