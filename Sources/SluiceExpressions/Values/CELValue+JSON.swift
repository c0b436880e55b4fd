public import SluiceJSON

extension CELValue {
    /// The value of a JSON value: a number without fraction and exponent is an int, every other a double.
    ///
    /// ```swift
    /// let value = try CELValue(JSON(parsing: #"{"total": 3, "share": 0.5}"#))
    /// print(value)   // {"total": 3, "share": 0.5}
    /// ```
    ///
    /// - Throws: ``CELError`` for an integer outside 64 bits with sign and for a double that is not finite.
    /// - Complexity: O(*n*)
    public init(_ json: JSON) throws(CELError) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .unsigned(let value):
            throw CELError(code: .binding, "the integer \(value) does not fit into 64 bits with sign")
        case .number(let number):
            guard number.description.contains(where: { ".eE".contains($0) }) else {
                throw CELError(code: .binding, "the integer \(number) does not fit into 64 bits with sign")
            }
            guard number.double.isFinite else {
                throw CELError(code: .binding, "the number \(number) is beyond the largest double")
            }
            self = .double(number.double)
        case .array(let elements):
            var list: [CELValue] = []
            list.reserveCapacity(elements.count)
            for element in elements { list.append(try CELValue(element)) }
            self = .list(list)
        case .object(let object):
            var map = CELMap()
            for member in object { map.set(.string(member.key), try CELValue(member.value)) }
            self = .map(map)
        }
    }

    /// The value as JSON: bytes as base64, durations, timestamps and addresses as their text, NaN, infinities and types
    /// as strings, keys as text, an optional as its value or null.
    ///
    /// ```swift
    /// let json = try CELExpression("[1, 2.0, b'hi']").evaluate().json()   // [1,2.0,"aGk="]
    /// ```
    ///
    /// - Throws: ``CELError`` if the JSON would have more than `maximumCount` values, or two keys have one text.
    /// - Complexity: O(*n*)
    public func json(maximumCount: Int = 1_000_000) throws(CELError) -> JSON {
        var rest = maximumCount
        return try json(&rest)
    }

    private func json(_ rest: inout Int) throws(CELError) -> JSON {
        rest -= 1
        guard rest >= 0 else { throw CELError(code: .limitExceeded, "the answer has too many values for JSON") }
        switch self {
        case .null, .optional(nil): return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .uint(let value): return Int64(exactly: value).map(JSON.int) ?? .unsigned(value)
        case .double(let value): return value.isFinite ? .double(value) : .string(Library.text(value))
        case .string(let value): return .string(value)
        case .bytes(let value): return .string(Library.base64(value))
        case .type(let name): return .string(name)
        case .duration(let value): return .string(value.description)
        case .timestamp(let value): return .string(value.description)
        case .address(let value): return .string(value.description)
        case .network(let value): return .string(value.description)
        case .optional(.some(let value)): return try value.json(&rest)
        case .list(let list):
            var elements: [JSON] = []
            for value in list { elements.append(try value.json(&rest)) }
            return .array(elements)
        case .map(let map):
            var object = JSON.Object()
            for entry in map {
                let key = (try? Library.text(entry.key)) ?? entry.key.description
                guard object[key] == nil else {
                    throw CELError(code: .invalidArgument, "two keys of a map have the text \(key.quoted)")
                }
                object[key] = try entry.value.json(&rest)
            }
            return .object(object)
        }
    }
}
