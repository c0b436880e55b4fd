public import SluiceJSON

extension CELValue {
    /// Creates a value from JSON: a number without fraction and exponent is an int, any other number a double.
    ///
    /// ```swift
    /// let value = try CELValue(JSON(parsing: #"{"total": 3, "share": 0.5}"#))
    /// print(value)   // {"total": 3, "share": 0.5}
    /// ```
    ///
    /// - Throws: ``CELError`` for an integer outside of the signed 64-bit range and for a double that isn't finite.
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

    /// Creates a value from a place in a document, without an intermediate ``SluiceJSON/JSON`` value; numbers are converted as by
    /// ``init(_:)-(JSON)``.
    ///
    /// ```swift
    /// let document = try JSONDocument(parsing: #"{"items": [1, 2.5]}"#)
    /// let value = try CELValue(document.root)   // {"items": [1, 2.5]}
    /// ```
    ///
    /// - Throws: ``CELError`` with line, column, and path for an integer outside of the signed 64-bit range, for a
    ///   number beyond the doubles, and for more than `JSONLimits.deepestValue` levels.
    /// - Complexity: O(*n*)
    public init(_ node: JSONNode) throws(CELError) { try self.init(node, JSONLimits.deepestValue) }

    private init(_ node: JSONNode, _ levels: Int) throws(CELError) {
        switch node.kind {
        case .null: self = .null
        case .bool: self = .bool(node.bool ?? false)
        case .string: self = .string(node.string ?? "")
        case .number:
            if node.isWholeNumber {
                guard let value = node.int else { throw .unfit(node, "integer", "does not fit into 64 bits with sign") }
                self = .int(Int64(value))
            } else {
                guard let value = node.double else { throw .unfit(node, "number", "is beyond the largest double") }
                self = .double(value)
            }
        case .array:
            guard levels > 0 else { throw .tooDeep(node) }
            var list: [CELValue] = []
            list.reserveCapacity(node.count)
            for element in node.elements { list.append(try CELValue(element, levels - 1)) }
            self = .list(list)
        case .object:
            guard levels > 0 else { throw .tooDeep(node) }
            var map = CELMap(minimumCapacity: node.count)
            var keepsLast: Bool?
            for member in node.members {
                let name = member.key
                let value = try CELValue(member.value, levels - 1)
                if map.insert(.string(name), value) { continue }
                // Looked up once, since finding out which of two members counts takes a search.
                let last = keepsLast ?? node.isLast(member, name)
                keepsLast = last
                if last { map.set(.string(name), value) }
            }
            self = .map(map)
        }
    }

    /// Returns the value as JSON: bytes as base64; durations, timestamps, and addresses as their text; NaN, infinities,
    /// and types as strings; keys as text; an optional as its value or null.
    ///
    /// ```swift
    /// let json = try CELExpression("[1, 2.0, b'hi']").evaluate().json()   // [1,2.0,"aGk="]
    /// ```
    ///
    /// - Throws: ``CELError`` if the JSON would have more than `maximumCount` values, or if two keys have the same
    ///   text.
    /// - Complexity: O(*n*); strings are shared.
    public func json(maximumCount: Int = 1_000_000) throws(CELError) -> JSON {
        var rest = maximumCount
        return try json(&rest)
    }

    private func json(_ rest: inout Int) throws(CELError) -> JSON {
        rest -= 1
        guard rest >= 0 else { throw .tooManyForJSON }
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
            elements.reserveCapacity(list.count)
            for value in list { elements.append(try value.json(&rest)) }
            return .array(elements)
        case .map(let map):
            var object = JSON.Object()
            for entry in map {
                let key = entry.key.keyText
                guard object[key] == nil else { throw .twoKeys(key) }
                object[key] = try entry.value.json(&rest)
            }
            return .object(object)
        }
    }
}

extension CELValue: JSONReadable, JSONWritable {
    /// Reads a value from a place in a document, as ``init(_:)-(JSONNode)`` does.
    public init(json: JSONNode) throws { try self.init(json) }

    /// Writes the value as ``json(maximumCount:)`` returns it; of two keys with the same text the first counts.
    /// - Complexity: O(*n*)
    public func write(to json: inout JSONWriter) {
        switch self {
        case .null, .optional(nil): json.null()
        case .bool(let value): json.value(value)
        case .int(let value): json.value(value)
        case .uint(let value): json.value(value)
        case .double(let value):
            if value.isFinite { json.value(JSON.double(value)) } else { json.value(Library.text(value)) }
        case .string(let value): json.value(value)
        case .bytes(let value): json.value(Library.base64(value))
        case .type(let name): json.value(name)
        case .duration(let value): json.value(value.description)
        case .timestamp(let value): json.value(value.description)
        case .address(let value): json.value(value.description)
        case .network(let value): json.value(value.description)
        case .optional(.some(let value)): value.write(to: &json)
        case .list(let list): json.array { json in for value in list { value.write(to: &json) } }
        case .map(let map):
            json.object { json in
                var seen: Set<String>? = map.hasStringKeysOnly ? nil : []
                for entry in map {
                    let key = entry.key.keyText
                    if seen?.insert(key).inserted == false { continue }
                    json.member(key: key, entry.value)
                }
            }
        }
    }

    /// Returns the canonical JSON text, the result of `json().text()`, without the intermediate values.
    ///
    /// ```swift
    /// let text = try CELExpression("[1, 2.0, b'hi']").evaluate().jsonText()   // [1,2.0,"aGk="]
    /// ```
    ///
    /// - Throws: ``CELError`` as ``json(maximumCount:)`` does.
    /// - Complexity: O(*n*)
    public func jsonText(maximumCount: Int = 1_000_000) throws(CELError) -> String {
        var rest = maximumCount
        try checkForJSON(&rest)
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    private func checkForJSON(_ rest: inout Int) throws(CELError) {
        rest -= 1
        guard rest >= 0 else { throw .tooManyForJSON }
        switch self {
        case .optional(.some(let value)): try value.checkForJSON(&rest)
        case .list(let list): for value in list { try value.checkForJSON(&rest) }
        case .map(let map):
            var seen: Set<String>? = map.hasStringKeysOnly ? nil : []
            for entry in map {
                if seen?.insert(entry.key.keyText).inserted == false { throw .twoKeys(entry.key.keyText) }
                try entry.value.checkForJSON(&rest)
            }
        default: break
        }
    }

    /// The key as text, for JSON.
    private var keyText: String { (try? Library.text(self)) ?? description }
}

extension CELMap {
    fileprivate var hasStringKeysOnly: Bool { allSatisfy { if case .string = $0.key { true } else { false } } }
}

extension CELError {
    fileprivate static func unfit(_ node: JSONNode, _ what: String, _ why: String) -> CELError {
        CELError(code: .binding, "\(node.position) at \(node.path): the \(what) \(node.shownSource) \(why)")
    }

    fileprivate static func tooDeep(_ node: JSONNode) -> CELError {
        CELError(
            code: .limitExceeded,
            "\(node.position): more than \(JSONLimits.deepestValue) levels of nesting"
        )
    }

    fileprivate static var tooManyForJSON: CELError {
        CELError(code: .limitExceeded, "the answer has too many values for JSON")
    }

    fileprivate static func twoKeys(_ text: String) -> CELError {
        CELError(code: .invalidArgument, "two keys of a map have the text \(text.quoted)")
    }
}

extension JSONNode {
    /// Returns a Boolean value that indicates whether a member with a duplicate key is the one that counts, or follows
    /// it.
    fileprivate func isLast(_ member: Member, _ key: String) -> Bool {
        (self[key]?.byteRange.lowerBound ?? 0) >= member.value.byteRange.lowerBound
    }

    fileprivate var shownSource: String { String(sourceText.prefix(100)) }
}
