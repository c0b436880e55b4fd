/// A writer of one JSON text to a buffer of bytes, which ``JSONWritable`` types write themselves to.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object {
///     $0.member("id", 1)
///     $0.member("tags", ["a", "b"])
/// }
/// writer.text   // {"id":1,"tags":["a","b"]}
/// ```
///
/// The writer adds commas, quotes, and escapes. You make sure that objects contain members and arrays contain values.
///
/// The buffer belongs to the writer: it is allocated in `init` and `grow` and freed in `deinit`; `count <= capacity`
/// always holds, since every write reserves its room first.
public struct JSONWriter: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
    /// A Boolean value that indicates whether the next key or element needs a comma before it.
    @usableFromInline var needsComma = false
    /// A Boolean value that indicates whether `/` is written as `\/`.
    @usableFromInline var escapesSlashes = false
    /// The reason given to ``fail(_:)``; `nil` if it was not called.
    public private(set) var failure: String?

    /// The first number without a JSON form (NaN or an infinity) that was written as `null`, or nil.
    ///
    /// ```swift
    /// var writer = JSONWriter()
    /// writer.value([1.5, .nan])
    /// writer.text              // [1.5,null]
    /// writer.nonFiniteNumber   // nan
    /// ```
    ///
    /// ``SluiceJSONEncoder`` throws if a value writes one; check it when you use a text that you wrote yourself.
    public internal(set) var nonFiniteNumber: Double?

    /// Creates a writer with nothing written; `capacity` is the initial room in bytes.
    public init(capacity: Int = 256) {
        self.capacity = Swift.max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// The text so far.
    /// - Complexity: O(*n*), since the text is copied.
    public var text: String { String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self) }

    /// The bytes so far.
    /// - Complexity: O(*n*), since the bytes are copied.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

    /// Calls `body` with the bytes so far, without a copy; they are valid during the call only.
    public borrowing func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Discards the text and keeps the room for it.
    public mutating func removeAll() {
        count = 0
        needsComma = false
        failure = nil
        nonFiniteNumber = nil
    }

    /// Records that a value has no JSON form, and writes `null` for it; ``SluiceJSONEncoder`` then throws. The first
    /// reason counts.
    ///
    /// ```swift
    /// var writer = JSONWriter()
    /// writer.fail("the stream has items and a source")   // null
    /// writer.failure                                    // the stream has items and a source
    /// ```
    public mutating func fail(_ reason: String) {
        if failure == nil { failure = reason }
        null()
    }

    /// Returns the reason given to ``fail(_:)``, and clears it.
    mutating func takeFailure() -> String? {
        defer { failure = nil }
        return failure
    }

    // MARK: - Structure

    /// Writes an object; `body` writes its members.
    @inlinable
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(UInt8(ascii: "{"))
        try body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes an array; `body` writes its elements with `value(_:)`.
    @inlinable
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(UInt8(ascii: "["))
        try body(&self)
        close(UInt8(ascii: "]"))
    }

    /// Writes a member of the enclosing object.
    @inlinable
    public mutating func member(_ key: StaticString, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a member, or nothing if the value is nil.
    @inlinable
    public mutating func member(_ key: StaticString, ifPresent value: (some JSONWritable)?) {
        guard let value else { return }
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a member whose key is known at run time only.
    @inlinable
    public mutating func member(key: String, _ value: some JSONWritable) {
        self.key(text: key)
        value.write(to: &self)
    }

    /// Writes a value: an element of the enclosing array, or the whole text.
    @inlinable
    public mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

    /// Writes a key; the next thing written is its value.
    @inlinable
    public mutating func key(_ key: StaticString) {
        let length = key.utf8CodeUnitCount
        reserve(length &+ 4)
        comma()
        if key.hasPointerRepresentation, isPlain(key.utf8Start, length) {
            put(UInt8(ascii: "\""))
            (base + count).update(from: key.utf8Start, count: length)
            count &+= length
            put(UInt8(ascii: "\""))
            put(UInt8(ascii: ":"))
        } else {
            needsComma = false
            self.key(text: key.description)
        }
        needsComma = false
    }

    /// Writes a key; the next thing written is its value.
    @usableFromInline
    mutating func key(text key: String) {
        string(key)
        reserve(1)
        put(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: - Room

    @inlinable
    mutating func reserve(_ room: Int) {
        if capacity &- count < room { grow(room) }
    }

    @usableFromInline
    mutating func grow(_ room: Int) {
        let larger = Swift.max(capacity * 2, count + room)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }

    /// Writes a byte for which there is room.
    @inlinable
    mutating func put(_ byte: UInt8) {
        base[count] = byte
        count &+= 1
    }

    /// Writes the comma before a key or an element, for which there is room.
    @inlinable
    mutating func comma() {
        if needsComma { put(UInt8(ascii: ",")) }
        needsComma = true
    }

    @inlinable
    mutating func open(_ bracket: UInt8) {
        reserve(2)
        comma()
        put(bracket)
        needsComma = false
    }

    @inlinable
    mutating func close(_ bracket: UInt8) {
        reserve(1)
        put(bracket)
        needsComma = true
    }
}

/// Returns a Boolean value that indicates whether none of these bytes needs an escape.
@inlinable
func isPlain(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    for index in 0..<length where bytes[index] < 0x20 || bytes[index] == 0x22 || bytes[index] == 0x5C { return false }
    return true
}
