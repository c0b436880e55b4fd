/// A map of the language: its keys are bools, ints, uints, and strings, in insertion order.
///
/// ```swift
/// let map = CELMap([(.int(1), .string("one"))])
/// let one = map?[.uint(1)]   // "one": numbers of different types are the same key
/// ```
///
/// A map is a value whose storage is shared until one of its copies changes.
public struct CELMap: Sendable, RandomAccessCollection {
    /// A key and its value.
    public typealias Element = (key: CELValue, value: CELValue)

    /// One reference, so that a value that may be a map is no larger than a string.
    private var storage: Storage

    /// Creates a map without entries.
    public init() { storage = Storage.empty }

    /// Creates a map of these entries, or returns nil if a key is duplicate or of a type that keys can't have.
    public init?(_ entries: some Sequence<(CELValue, CELValue)>) {
        self.init(minimumCapacity: entries.underestimatedCount)
        for (key, value) in entries {
            guard insert(key, value) else { return nil }
        }
    }

    init(minimumCapacity: Int) {
        storage = minimumCapacity > 0 ? Storage(minimumCapacity: minimumCapacity) : Storage.empty
    }

    /// The position of the first entry.
    public var startIndex: Int { 0 }
    /// The position after the last entry.
    public var endIndex: Int { storage.keys.count }
    /// The entry at a position.
    public subscript(position: Int) -> Element { (storage.keys[position], storage.values[position]) }

    /// The value of a key, or nil if the key is missing; `1`, `1u`, and `1.0` find the same entry.
    /// - Complexity: O(1) on average, and the length of a string key.
    public subscript(key: CELValue) -> CELValue? { storage.position(of: key).map { storage.values[$0] } }

    /// The value of a string key.
    /// - Complexity: O(1) on average, and the length of the key.
    public subscript(name: String) -> CELValue? { storage.position(of: name).map { storage.values[$0] } }

    /// Calls `body` with the value of a name, in place; returns nil if the name is missing.
    @inline(__always)
    func withValue<Result>(of name: FieldName, _ body: (borrowing CELValue) -> Result?) -> Result? {
        guard let position = storage.position(of: name) else { return nil }
        return body(storage.values[position])
    }

    /// Returns the key at a position.
    func key(at position: Int) -> CELValue { storage.keys[position] }

    /// Adds an entry, unless its key is duplicate or invalid.
    mutating func insert(_ key: CELValue, _ value: CELValue) -> Bool {
        guard CELMap.isKey(key), storage.position(of: key) == nil else { return false }
        makeUnique()
        storage.append(key, value)
        return true
    }

    /// Adds or replaces an entry.
    mutating func set(_ key: CELValue, _ value: CELValue) {
        guard CELMap.isKey(key) else { return }
        makeUnique()
        if let position = storage.position(of: key) {
            storage.values[position] = value
        } else {
            storage.append(key, value)
        }
    }

    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
    }

    static func isKey(_ value: CELValue) -> Bool {
        switch value {
        case .bool, .int, .uint, .string: true
        default: false
        }
    }
}

extension CELMap: Equatable {
    /// Returns a Boolean value that indicates whether both have the same entries, in any order.
    public static func == (left: CELMap, right: CELMap) -> Bool {
        guard left.count == right.count else { return false }
        return left.allSatisfy { entry in
            guard let position = right.storage.position(of: entry.key) else { return false }
            return right.storage.keys[position] == entry.key && right.storage.values[position] == entry.value
        }
    }
}

extension CELMap {
    /// The entries; a table of the keys' positions exists only in maps that are too large to be searched linearly.
    ///
    /// Unchecked: only a map that holds the only reference changes it.
    private final class Storage: @unchecked Sendable {
        static let empty = Storage(minimumCapacity: 0)
        static let scannedCount = 8

        // Not checked for overlapping access, which would cost more than the access: nothing here calls out while it
        // changes.
        @exclusivity(unchecked) var keys: [CELValue] = []
        @exclusivity(unchecked) var values: [CELValue] = []
        @exclusivity(unchecked) private var positions: [Key: Int] = [:]

        init(minimumCapacity: Int) {
            keys.reserveCapacity(minimumCapacity)
            values.reserveCapacity(minimumCapacity)
        }

        init(copying other: Storage) {
            keys = other.keys
            values = other.values
            positions = other.positions
        }

        func append(_ key: CELValue, _ value: CELValue) {
            keys.append(key)
            values.append(value)
            if keys.count == Storage.scannedCount + 1 {
                for position in keys.indices { note(position) }
            } else if keys.count > Storage.scannedCount {
                note(keys.count - 1)
            }
        }

        private func note(_ position: Int) {
            if let key = Key(keys[position]) { positions[key] = position }
        }

        func position(of key: CELValue) -> Int? {
            if case .string(let name) = key { return position(of: name) }
            guard let key = Key(key) else { return nil }
            if keys.count > Storage.scannedCount { return positions[key] }
            return keys.firstIndex { Key($0) == key }
        }

        @inline(__always)
        func position(of name: FieldName) -> Int? {
            guard keys.count <= Storage.scannedCount else { return positions[.string(ScalarText(text: name.text))] }
            for position in keys.indices {
                if case .string(let key) = keys[position], name.matches(key) { return position }
            }
            return nil
        }

        func position(of name: String) -> Int? {
            guard keys.count <= Storage.scannedCount else { return positions[.string(ScalarText(text: name))] }
            for position in keys.indices {
                if case .string(let key) = keys[position], key.hasSameScalars(as: name) { return position }
            }
            return nil
        }
    }
}

/// A key, by its mathematical value or its code points.
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

/// A string that is compared by code points.
struct ScalarText: Hashable {
    var text: String

    static func == (left: ScalarText, right: ScalarText) -> Bool { left.text.hasSameScalars(as: right.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
