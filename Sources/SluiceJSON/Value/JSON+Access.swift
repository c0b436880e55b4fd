extension JSON {
    /// The value of the first member with this key, or nil if this is no object or has none.
    ///
    /// Setting changes or adds a member, nil removes it; on anything but an object setting does nothing, but `null`
    /// becomes an object first.
    /// - Complexity: O(1) expected; a walk over the members of small objects.
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

    /// The element at this index, or nil if this is no array or has none there.
    ///
    /// Setting replaces the element, nil removes it; where there is none setting does nothing.
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

    /// The value at the end of a path, or nil if there is none.
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

    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The truth value, or nil if this is none.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The whole number, or nil if this is none or does not fit.
    public var int: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .unsigned(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number as the nearest finite double, or nil if this is no number or beyond the largest double.
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

    /// The string, or nil if this is none.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements, or nil if this is no array.
    public var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members in order, or nil if this is no object.
    public var object: Object? { if case .object(let object) = self { object } else { nil } }
}
