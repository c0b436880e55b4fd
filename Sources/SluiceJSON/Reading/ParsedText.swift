/// A text and its tape, which never change after creation.
///
/// `@unchecked Sendable`: every stored property is a `let`; the memory behind the two pointers is written by
/// `TextParser` before the initializer below takes ownership, is never written again, and is freed only in `deinit`,
/// when no reference is left. Pointers never leave the module except inside a call that holds a reference.
@usableFromInline
final class ParsedText: @unchecked Sendable {
    /// The `count` bytes of the text, followed by `padding` zero bytes.
    @usableFromInline let bytes: UnsafePointer<UInt8>
    @usableFromInline let count: Int
    @usableFromInline let tape: UnsafePointer<UInt64>
    @usableFromInline let tapeCount: Int
    /// A Boolean value that indicates whether the last of the members with the same key is found, and not the first.
    let lastWins: Bool
    /// The number of levels of its deepest value.
    let depth: Int
    /// The text that this one was translated from, or nil if it wasn't translated.
    let origin: TextOrigin?
    private let memo = Locked(PlaceMemo())

    /// The number of zero bytes after the text: word-at-a-time scans may read that far without a bounds check.
    static let padding = 16

    /// Takes over two allocations made with `UnsafeMutablePointer.allocate`.
    init(
        adopting bytes: UnsafeMutablePointer<UInt8>,
        count: Int,
        tape: UnsafeMutablePointer<UInt64>,
        tapeCount: Int,
        depth: Int,
        lastWins: Bool,
        origin: TextOrigin?
    ) {
        self.depth = depth
        self.origin = origin
        self.lastWins = lastWins
        self.bytes = UnsafePointer(bytes)
        self.count = count
        self.tape = UnsafePointer(tape)
        self.tapeCount = tapeCount
    }

    deinit {
        bytes.deallocate()
        tape.deallocate()
    }

    /// Returns the index of the entry after the value at `index`.
    @inlinable
    func skip(_ index: Int) -> Int {
        Tape.isContainer(tape[index]) ? Tape.end(tape[index + 1]) : index + 1
    }

    /// Returns the line and column of the byte at `offset`, in the original text if this one was translated.
    func position(of offset: Int) -> JSONPosition {
        guard let origin else {
            return memo.withLock { $0.position(of: offset, in: UnsafeBufferPointer(start: bytes, count: count)) }
        }
        return origin.bytes.withUnsafeBufferPointer { source in
            memo.withLock { $0.position(of: origin.offset(offset), in: source) }
        }
    }

    /// Returns the NaN or infinity that JSON5 wrote as the number at `index`, or nil.
    @inline(never)
    func special(at index: Int) -> Double? {
        guard let origin, index >= 0 else { return nil }
        return origin.specials[Tape.offset(tape[index])]
    }

    /// Returns the path from the root to the value at `index`.
    func path(to index: Int) -> JSONPath { memo.withLock { $0.path(to: index, in: self) } }

    /// Returns the offset of the first byte of the value at `index`, including its quote.
    func sourceStart(_ index: Int) -> Int {
        let word = tape[index]
        return Tape.isString(word) ? Tape.offset(word) - 1 : Tape.offset(word)
    }

    /// Returns the offset after the last byte of the value at `index`, including its quote.
    func sourceEnd(_ index: Int) -> Int {
        let word = tape[index]
        return Tape.offset(word) + Tape.length(word) + (Tape.isString(word) ? 1 : 0)
    }

    /// Returns the bytes of a scalar or of a string's content, as they appear in the text.
    @inlinable
    func rawBytes(_ word: UInt64) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Tape.offset(word), count: Tape.length(word))
    }

    /// Returns the string at `index`, which must be a string entry, with its escapes resolved.
    /// - Complexity: O(*n*) in its length.
    @inlinable
    func string(_ index: Int) -> String {
        let word = tape[index]
        if Tape.isPlainString(word) { return String(decoding: rawBytes(word), as: UTF8.self) }
        return unescapedString(word)
    }

    @usableFromInline
    func unescapedString(_ word: UInt64) -> String {
        let raw = rawBytes(word)
        // An escape is never shorter than the character that it encodes, so the raw length is enough room.
        return String(unsafeUninitializedCapacity: raw.count) { target in Unescaping.copy(raw, to: target) }
    }

    /// Returns a Boolean value that indicates whether the string at `index` has exactly these UTF-8 bytes.
    @inlinable
    func stringEquals(_ index: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = tape[index]
        if Tape.isPlainString(word) {
            let length = Tape.length(word)
            return length == key.count && equalBytes(bytes + Tape.offset(word), key.baseAddress, length)
        }
        return escapedStringEquals(word, key)
    }

    @usableFromInline
    func escapedStringEquals(_ word: UInt64, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        key.count < Tape.length(word) && Unescaping.equals(rawBytes(word), key)
    }
}

/// Returns a Boolean value that indicates whether two runs of `count` bytes are equal. `right` may be nil only if
/// `count` is 0.
@inlinable
func equalBytes(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
    guard let right else { return count == 0 }
    var index = 0
    while index &+ 8 <= count {
        let a = UnsafeRawPointer(left + index).loadUnaligned(as: UInt64.self)
        let b = UnsafeRawPointer(right + index).loadUnaligned(as: UInt64.self)
        if a != b { return false }
        index &+= 8
    }
    while index < count {
        if left[index] != right[index] { return false }
        index &+= 1
    }
    return true
}
