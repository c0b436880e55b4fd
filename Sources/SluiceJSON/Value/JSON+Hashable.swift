extension JSON: Hashable {
    /// Returns a Boolean value that indicates whether two values are the same JSON, regardless of the order of members.
    /// - Complexity: O(*n*) in the size of the values, expected.
    public static func == (left: JSON, right: JSON) -> Bool {
        if let answer = scalarsAreEqual(left, right) { return answer }
        // Containers without recursion: the pairs that remain to be compared.
        var pairs = [(left, right)]
        while let (left, right) = pairs.popLast() {
            switch (left, right) {
            case (.array(let a), .array(let b)):
                guard a.count == b.count else { return false }
                for index in a.indices { guard add(a[index], b[index], &pairs) else { return false } }
            case (.object(let a), .object(let b)):
                guard a.count == b.count else { return false }
                for index in a.members.indices {
                    let (key, value) = a.members[index]
                    // Most often both have the same order.
                    let isSame = b.members[index].key.utf8.elementsEqual(key.utf8)
                    guard let other = isSame ? b.members[index].value : b[key], add(value, other, &pairs) else {
                        return false
                    }
                }
            default: return false
            }
        }
        return true
    }

    /// Compares two scalars immediately and queues containers; returns false if the two differ.
    private static func add(_ left: JSON, _ right: JSON, _ pairs: inout [(JSON, JSON)]) -> Bool {
        if let answer = scalarsAreEqual(left, right) { return answer }
        pairs.append((left, right))
        return true
    }

    /// Returns the result of the comparison, or nil if both are arrays or both are objects.
    private static func scalarsAreEqual(_ left: JSON, _ right: JSON) -> Bool? {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.int(let a), .unsigned(let b)), (.unsigned(let b), .int(let a)): a >= 0 && UInt64(a) == b
        case (.double(let a), .double(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array, .array), (.object, .object): nil
        default: false
        }
    }

    /// Feeds the value to a hasher, so that equal values have equal hashes. Values more than eight levels deep are left
    /// out.
    /// - Complexity: O(*n*) in the size of the value.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 8) }

    func hash(into hasher: inout Hasher, levels: Int) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(UInt64(bitPattern: value))
        case .unsigned(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let elements):
            hasher.combine(elements.count)
            guard levels > 0 else { return }
            for element in elements { element.hash(into: &hasher, levels: levels - 1) }
        case .object(let object): object.hash(into: &hasher, levels: levels)
        }
    }
}
