// The direct conformances of the standard library's numbers.

extension JSONNode {
    /// Returns the whole number as the requested type; `1.0` and `1e2` are whole numbers here, as they are for Codable.
    @inlinable
    func integer<T: FixedWidthInteger>() throws(JSONError) -> T {
        if let value = smallInteger(), let exact = T(exactly: value) { return exact }
        guard let (magnitude, isNegative) = try anyInteger() else { throw unfit(T.self) }
        if isNegative {
            if magnitude <= 1 << 63, let exact = T(exactly: 0 &- Int64(bitPattern: magnitude)) { return exact }
        } else if let exact = T(exactly: magnitude) {
            return exact
        }
        throw unfit(T.self)
    }

    /// Returns a whole number of at most 18 digits, or nil.
    @usableFromInline
    func smallInteger() -> Int64? {
        let word = text.tape[index]
        guard Tape.kind(word) == .integer, Tape.length(word) < 19 else { return nil }
        return IntegerText.int64(text.rawBytes(word))
    }

    @usableFromInline @inline(never)
    func anyInteger() throws(JSONError) -> (magnitude: UInt64, isNegative: Bool)? {
        let word = text.tape[index]
        switch Tape.kind(word) {
        case .integer: return IntegerText.magnitude(text.rawBytes(word))
        case .real:
            guard let (magnitude, isNegative) = IntegerText.wholeNumber(text.rawBytes(word)),
                let small = UInt64(exactly: magnitude)
            else { return nil }
            return (small, isNegative)
        default: throw expected(.number)
        }
    }

    @usableFromInline
    func finiteDouble() throws(JSONError) -> Double {
        let word = text.tape[index]
        guard Tape.kind(word) == .real || Tape.kind(word) == .integer else { throw expected(.number) }
        let value = DoubleText.double(text.rawBytes(word))
        guard value.isFinite else {
            if let special = text.special(at: index) { return special }
            throw unfit(Double.self)
        }
        return value
    }
}

extension Int: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Int? { source.integer.flatMap(Int.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension Int8: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Int8? { source.integer.flatMap(Int8.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension Int16: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Int16? { source.integer.flatMap(Int16.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension Int32: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Int32? { source.integer.flatMap(Int32.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension Int64: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Int64? { source.integer.flatMap(Int64.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(self) }
}

extension UInt: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> UInt? { source.integer.flatMap(UInt.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(UInt64(self)) }
}

extension UInt8: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> UInt8? { source.integer.flatMap(UInt8.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension UInt16: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> UInt16? { source.integer.flatMap(UInt16.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension UInt32: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> UInt32? { source.integer.flatMap(UInt32.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension UInt64: JSONConvertible {
    /// Reads a whole number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.integer() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> UInt64? { source.integer.flatMap(UInt64.init(exactly:)) }
    /// Writes the number.
    @inlinable
    public func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Double: JSONConvertible {
    /// Reads a number.
    @inlinable
    public init(json: JSONNode) throws { self = try json.finiteDouble() }
    /// Reads the value on the fast path of ``JSONReadable``.
    @inlinable
    public static func _scalar(_ source: JSONScalarSource) -> Double? { source.double }
    /// Writes the shortest text that reads back as the number. NaN and infinities are recorded in
    /// ``JSONWriter/nonFiniteNumber``.
    @inlinable
    public func write(to json: inout JSONWriter) { json.double(self, .plain) }
}
