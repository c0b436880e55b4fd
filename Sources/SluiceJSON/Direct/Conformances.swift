extension Bool: JSONConvertible {
    /// Reads a Boolean value.
    @inlinable
    public init(json: JSONNode) throws {
        let word = json.text.tape[json.index]
        guard Tape.isTrue(word) || Tape.isFalse(word) else { throw json.expected(.bool) }
        self = Tape.isTrue(word)
    }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Bool? {
        Tape.isTrue(source.word) ? true : Tape.isFalse(source.word) ? false : nil
    }
    /// Writes the Boolean value.
    @inlinable
    public func write(to json: inout JSONWriter) { json.bool(self) }
}

extension String: JSONConvertible {
    /// Reads a string.
    @inlinable
    public init(json: JSONNode) throws {
        guard Tape.isString(json.text.tape[json.index]) else { throw json.expected(.string) }
        self = json.text.string(json.index)
    }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> String? {
        Tape.isPlainString(source.word) ? String(decoding: source.raw, as: UTF8.self) : nil
    }
    /// Writes the string.
    @inlinable
    public func write(to json: inout JSONWriter) { json.string(self) }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// Reads null as nil.
    @inlinable
    public init(json: JSONNode) throws {
        self = Tape.isNull(json.text.tape[json.index]) ? nil : try Wrapped(json: json)
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    /// Writes nil as null.
    @inlinable
    public func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array.
    /// - Complexity: O(*n*) in its length.
    @inlinable
    public init(json: JSONNode) throws {
        let text = json.text
        guard Tape.isArray(text.tape[json.index]) else { throw json.expected(.array) }
        let count = Tape.count(text.tape[json.index + 1])
        self = try Array(filling: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            var at = json.index + 2
            // If an element throws, the array destroys the `initialized` elements before it.
            while initialized < count {
                if let scalar = Element._scalar(JSONScalarSource(text, at)) {
                    (base + initialized).initialize(to: scalar)
                } else {
                    (base + initialized).initialize(to: try Element(json: JSONNode(text: text, index: at)))
                }
                initialized += 1
                at = text.skip(at)
            }
        }
    }

    /// Reads an array of scalars on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> [Element]? {
        guard Tape.isArray(source.word) else { return nil }
        let count = Tape.count(source.entry[1])
        var isComplete = true
        let elements = [Element](filling: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            // Scalars take one entry each; with anything else, this fast path doesn't apply.
            while initialized < count {
                let entry = source.entry + 2 + initialized
                guard !Tape.isContainer(entry.pointee),
                    let element = Element._scalar(JSONScalarSource(source.bytes, entry))
                else {
                    isComplete = false
                    return
                }
                (base + initialized).initialize(to: element)
                initialized += 1
            }
        }
        return isComplete ? elements : nil
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes an array.
    @inlinable
    public func write(to json: inout JSONWriter) {
        json.open(UInt8(ascii: "["))
        for element in self { element.write(to: &json) }
        json.close(UInt8(ascii: "]"))
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// Reads an object; for repeated keys, the document's ``JSONDuplicateKeys`` decides which member counts.
    /// - Complexity: O(*n*) in the number of its members.
    public init(json: JSONNode) throws {
        guard Tape.isObject(json.word) else { throw json.expected(.object) }
        self.init(minimumCapacity: json.count)
        for member in json.members {
            let key = member.key
            if let earlier = updateValue(try Value(json: member.value), forKey: key), !json.text.lastWins {
                self[key] = earlier
            }
        }
    }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    /// Writes an object with its members sorted by their keys, so that equal dictionaries give equal texts.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            for (key, value) in self.sorted(by: { $0.key < $1.key }) { json.member(key: key, value) }
        }
    }
}

extension JSON: JSONReadable {
    /// Reads any value.
    public init(json: JSONNode) throws { self = try json.json() }
}
