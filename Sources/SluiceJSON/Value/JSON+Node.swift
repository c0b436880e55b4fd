extension JSONNode {
    /// The value and all in it, as ``JSON``.
    ///
    /// Of members with the same key one is kept, as the document's ``JSONDuplicateKeys`` says.
    /// - Throws: ``JSONError`` where the value is deeper than ``JSONLimits/deepestValue``.
    /// - Complexity: O(*n*) in the size of the value.
    public func json() throws(JSONError) -> JSON {
        var end = 0
        return try json(index, JSONLimits.deepestValue, &end)
    }

    /// The value at `at`; sets `end` to the index behind it. Recursion ends at `depth` 0.
    private func json(_ at: Int, _ depth: Int, _ end: inout Int) throws(JSONError) -> JSON {
        let word = text.tape[at]
        end = at + 1
        switch Tape.kind(word) {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .integer: return JSON(integerText: text.rawBytes(word))
        case .real: return JSON(realText: text.rawBytes(word))
        case .string, .escapedString: return .string(text.string(at))
        case .array: return .array(try elements(at, depth, &end))
        case .object, .objectWithDuplicates: return .object(try members(at, depth, &end))
        }
    }

    private func elements(_ at: Int, _ depth: Int, _ end: inout Int) throws(JSONError) -> [JSON] {
        try check(depth, at)
        let count = Tape.count(text.tape[at + 1])
        var next = at + 2
        let elements = try [JSON](unsafeUninitializedCapacity: count) { buffer, initialized throws(JSONError) in
            guard let base = buffer.baseAddress else { return }
            // The array destroys the `initialized` elements before one that throws.
            while initialized < count {
                (base + initialized).initialize(to: try json(next, depth - 1, &next))
                initialized += 1
            }
        }
        end = next
        return elements
    }

    private func members(_ at: Int, _ depth: Int, _ end: inout Int) throws(JSONError) -> JSON.Object {
        try check(depth, at)
        let count = Tape.count(text.tape[at + 1])
        var next = at + 2
        let members = try [JSON.Object.Element](unsafeUninitializedCapacity: count) {
            buffer,
            initialized throws(JSONError) in
            guard let base = buffer.baseAddress else { return }
            while initialized < count {
                let key = text.string(next)
                (base + initialized).initialize(to: (key, try json(next + 1, depth - 1, &next)))
                initialized += 1
            }
        }
        end = next
        guard Tape.kind(text.tape[at]) == .objectWithDuplicates else { return JSON.Object(distinct: members) }
        if !text.lastWins { return JSON.Object(members) }
        var object = JSON.Object()
        for (key, value) in members { object[key] = value }
        return object
    }

    private func check(_ depth: Int, _ at: Int) throws(JSONError) {
        guard depth > 0 else {
            throw JSONError(
                .limitExceeded,
                "a JSON value may not have more than \(JSONLimits.deepestValue) levels of nesting",
                at: JSONNode(text: text, index: at).position
            )
        }
    }
}

extension JSON {
    /// The number of a text without fraction and exponent.
    init(integerText text: UnsafeBufferPointer<UInt8>) {
        if let int = IntegerText.int64(text) {
            self = .int(int)
        } else if let unsigned = IntegerText.uint64(text) {
            self = .unsigned(unsigned)
        } else {
            self = .number(Number(checked: String(decoding: text, as: UTF8.self)))
        }
    }

    /// The number of a text with a fraction or an exponent: a double if its shortest text has the same value.
    init(realText text: UnsafeBufferPointer<UInt8>) {
        let parts = DecimalParts(text)
        if let value = DoubleText.double(parts), value.isFinite, JSON.keepsValue(value, parts) {
            self = .double(value)
        } else {
            self = .number(Number(checked: String(decoding: text, as: UTF8.self)))
        }
    }

    /// Whether the shortest text of `value` has exactly the value of `parts`.
    private static func keepsValue(_ value: Double, _ parts: DecimalParts) -> Bool {
        if parts.isTruncated { return false }
        // A normal double tells any two numbers of at most 15 digits apart.
        if parts.digits < 1_000_000_000_000_000, abs(value) >= .leastNormalMagnitude { return true }
        if parts.digits == 0 { return true }
        var text = value.description
        var shortest = text.withUTF8 { DecimalParts($0) }
        var given = parts
        shortest.dropTrailingZeros()
        given.dropTrailingZeros()
        return shortest.digits == given.digits && shortest.exponent == given.exponent
    }
}

extension DecimalParts {
    /// Moves trailing zeros of the digits into the exponent.
    mutating func dropTrailingZeros() {
        while digits != 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
    }
}
