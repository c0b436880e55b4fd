extension JSON {
    /// The value of the first member with this key, or nil if this isn't an object or lacks the key.
    ///
    /// Setting a value changes or adds a member, and setting nil removes it. Setting makes `null` an object first, and
    /// does nothing on any other value.
    /// - Complexity: O(1) expected; small objects are searched linearly.
    public subscript(key: String) -> JSON? {
        get { if case .object(let object) = self { object[key] } else { nil } }
        set {
            switch self {
            case .object(var object):
                self = .null
                object[key] = newValue
                self = .object(object)
            case .null where newValue != nil:
                var object = Object()
                object[key] = newValue
                self = .object(object)
            default: break
            }
        }
    }

    /// The element at this index, or nil if this isn't an array or is too short.
    ///
    /// Setting a value replaces the element, and setting nil removes it. Setting a missing element does nothing.
    /// - Complexity: O(1); removal O(*n*).
    public subscript(index: Int) -> JSON? {
        get { if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil } }
        set {
            guard case .array(var elements) = self, elements.indices.contains(index) else { return }
            self = .null
            if let newValue { elements[index] = newValue } else { elements.remove(at: index) }
            self = .array(elements)
        }
    }

    /// The value at the end of a path, or nil if the path leads nowhere.
    public subscript(path: JSONPath) -> JSON? {
        var value = self
        for component in path.components {
            let next: JSON?
            switch component {
            case .key(let key): next = value[key]
            case .index(let index): next = value[index]
            }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// A Boolean value that indicates whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The Boolean value, or nil if this is another kind of value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The whole number, or nil if this is another kind of value or doesn't fit.
    public var int: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .unsigned(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number as the nearest finite double, or nil if this isn't a number or is beyond the largest double.
    public var double: Double? {
        switch self {
        case .int(let value): return Double(value)
        case .unsigned(let value): return Double(value)
        case .double(let value): return value
        case .number(let number):
            let value = number.double
            return value.isFinite ? value : nil
        default: return nil
        }
    }

    /// The string, or nil if this is another kind of value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements, or nil if this isn't an array.
    public var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members in order, or nil if this isn't an object.
    public var object: Object? { if case .object(let object) = self { object } else { nil } }
}
