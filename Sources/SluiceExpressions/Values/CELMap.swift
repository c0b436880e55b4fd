/// A map of the language: keys are bools, ints, uints and strings, in the order in which they came.
///
/// ```swift
/// let map = CELMap([(.int(1), .string("one"))])
/// let one = map?[.uint(1)]   // "one": numbers of different types are the same key
/// ```
public struct CELMap: Sendable, RandomAccessCollection {
    /// A key and its value.
    public typealias Element = (key: CELValue, value: CELValue)

    var keys: [CELValue] = []
    var values: [CELValue] = []
    private var positions: [Key: Int] = [:]

    /// A map without entries.
    public init() {}

    /// A map of these entries, or nil if a key occurs twice or is of a type that no key has.
    public init?(_ entries: some Sequence<(CELValue, CELValue)>) {
        for (key, value) in entries {
            guard insert(key, value) else { return nil }
        }
    }

    /// 0
    public var startIndex: Int { 0 }
    /// The count of entries.
    public var endIndex: Int { keys.count }
    /// The entry at a position.
    public subscript(position: Int) -> Element { (keys[position], values[position]) }

    /// The value of a key, nil if there is none; `1`, `1u` and `1.0` find the same entry.
    /// - Complexity: O(1) on average, and the length of a string key.
    public subscript(key: CELValue) -> CELValue? {
        guard let key = Key(key), let position = positions[key] else { return nil }
        return values[position]
    }

    /// The value of a string key.
    public subscript(name: String) -> CELValue? {
        guard let position = positions[.string(ScalarText(text: name))] else { return nil }
        return values[position]
    }

    /// Adds an entry, unless its key is there or cannot be one.
    mutating func insert(_ key: CELValue, _ value: CELValue) -> Bool {
        guard CELMap.isKey(key), let found = Key(key), positions[found] == nil else { return false }
        positions[found] = keys.count
        keys.append(key)
        values.append(value)
        return true
    }

    /// Adds or replaces an entry.
    mutating func set(_ key: CELValue, _ value: CELValue) {
        guard let found = Key(key) else { return }
        if let position = positions[found] { values[position] = value } else { _ = insert(key, value) }
    }

    static func isKey(_ value: CELValue) -> Bool {
        switch value {
        case .bool, .int, .uint, .string: true
        default: false
        }
    }
}

extension CELMap: Equatable {
    /// Whether both have the same entries, in any order.
    public static func == (left: CELMap, right: CELMap) -> Bool {
        guard left.count == right.count else { return false }
        return left.allSatisfy { entry in
            guard let key = Key(entry.key), let position = right.positions[key] else { return false }
            return right.keys[position] == entry.key && right.values[position] == entry.value
        }
    }
}

/// A key by its mathematical value or its code points.
private enum Key: Hashable {
    case bool(Bool)
    case int(Int64)
    case large(UInt64)
    case string(ScalarText)

    init?(_ value: CELValue) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = Int64(exactly: value).map(Key.int) ?? .large(value)
        case .string(let value): self = .string(ScalarText(text: value))
        case .double(let value):
            if let whole = Int64(exactly: value) {
                self = .int(whole)
            } else if let whole = UInt64(exactly: value) {
                self = .large(whole)
            } else {
                return nil
            }
        default: return nil
        }
    }
}

/// A string that is equal by code points.
struct ScalarText: Hashable {
    var text: String

    static func == (left: ScalarText, right: ScalarText) -> Bool { left.text.hasSameScalars(as: right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
