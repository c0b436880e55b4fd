/// The strict parser of RFC 8259: it reads the bytes of a text in one pass, without recursion, and produces a ``Tape``.
///
/// The parser owns raw memory while it works: `start` is a copy of the text with `ParsedText.padding` zero bytes after
/// it, so that `p` may look ahead freely (a zero byte is never part of a token), and `tape` grows by doubling. Nothing
/// is written at or beyond `tapeCapacity`: every write goes through `push`, which grows first.
struct TextParser {
    let start: UnsafeMutablePointer<UInt8>
    let count: Int
    let limits: JSONLimits
    let duplicates: JSONDuplicateKeys
    /// A Boolean value that indicates whether a comma may follow the last element or member.
    let allowsTrailingCommas: Bool
    /// The text that this one was translated from, for the places of errors.
    let origin: TextOrigin?
    var p: UnsafePointer<UInt8>
    var tape: UnsafeMutablePointer<UInt64>
    var tapeCount = 0
    var tapeCapacity: Int
    /// The containers around the current one, from the outside in; grows by doubling, as the tape does.
    private var outer: UnsafeMutablePointer<Frame>
    private var outerCount = 0
    private var outerCapacity = 32
    var frame = Frame()
    /// The levels of the deepest value so far.
    private(set) var depth = 0

    /// An open container.
    struct Frame {
        /// The index of its entry; -1 represents the text itself.
        var index = -1
        var count = 0
        /// A bit for each key seen, chosen by a small hash; a bit that is set twice requires an exact check at the end.
        var seenKeys: UInt64 = 0
        var isObject = false
        var needsKeyCheck = false
    }

    /// Reads a whole text.
    /// - Complexity: O(*n*) in its length.
    static func parse(
        _ source: UnsafeRawBufferPointer,
        limits: JSONLimits,
        duplicates: JSONDuplicateKeys,
        allowsTrailingCommas: Bool = false,
        origin: TextOrigin? = nil
    ) throws(JSONError) -> ParsedText {
        let maximum = min(limits.maximumByteCount, Tape.maximumTextLength)
        guard source.count <= maximum else {
            throw JSONError(
                .limitExceeded,
                "the text has \(source.count) bytes, more than \(maximum)",
                hint: maximum < Tape.maximumTextLength ? "raise maximumByteCount in JSONLimits" : nil,
                at: JSONPosition(line: 1, column: 1, offset: 0)
            )
        }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: source.count + ParsedText.padding)
        if let base = source.baseAddress {
            UnsafeMutableRawPointer(copy).copyMemory(from: base, byteCount: source.count)
        }
        (copy + source.count).initialize(repeating: 0, count: ParsedText.padding)
        var parser = TextParser(
            start: copy,
            count: source.count,
            limits: limits,
            duplicates: duplicates,
            allowsTrailingCommas: allowsTrailingCommas,
            origin: origin
        )
        defer { parser.outer.deallocate() }
        do throws(Fault) {
            try parser.run()
            return ParsedText(
                adopting: copy,
                count: source.count,
                tape: parser.tape,
                tapeCount: parser.tapeCount,
                depth: parser.depth,
                lastWins: duplicates == .lastWins,
                origin: origin
            )
        } catch {
            let refusal =
                origin?.error(for: error)
                ?? error.refusal(in: UnsafeBufferPointer(start: copy, count: source.count))
            copy.deallocate()
            parser.tape.deallocate()
            throw refusal
        }
    }

    private init(
        start: UnsafeMutablePointer<UInt8>,
        count: Int,
        limits: JSONLimits,
        duplicates: JSONDuplicateKeys,
        allowsTrailingCommas: Bool,
        origin: TextOrigin?
    ) {
        self.allowsTrailingCommas = allowsTrailingCommas
        self.origin = origin
        self.start = start
        self.count = count
        self.limits = limits
        self.duplicates = duplicates
        self.p = UnsafePointer(start)
        self.tapeCapacity = count / 6 + 16
        self.tape = .allocate(capacity: tapeCapacity)
        self.outer = .allocate(capacity: outerCapacity)
    }

    private mutating func run() throws(Fault) {
        try checkEncoding()
        var awaitsValue = true
        while awaitsValue {
            skipSpace()
            var isComplete = true
            let byte = p.pointee
            switch byte {
            case UInt8(ascii: "\""):
                try string(isKey: false)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                isComplete = try open(isObject: byte == UInt8(ascii: "{"))
            case UInt8(ascii: "-"), 0x30...0x39:
                try number()
            case UInt8(ascii: "t"):
                try literal("true", .true)
            case UInt8(ascii: "f"):
                try literal("false", .false)
            case UInt8(ascii: "n"):
                try literal("null", .null)
            case UInt8(ascii: "]") where allowsTrailingCommas && frame.index >= 0 && !frame.isObject && frame.count > 0:
                // Only a comma can precede a missing value in an array with elements.
                p += 1
                try close()
            default:
                throw noValue()
            }
            awaitsValue = isComplete ? try closeContainers() : true
        }
        skipSpace()
        guard offset == count else { throw trailing() }
    }

    /// Returns a Boolean value that indicates whether the comma before `p` is a trailing one that is allowed.
    @inline(never)
    private func endsAfterComma() -> Bool {
        guard allowsTrailingCommas else { return false }
        var ahead = self
        ahead.skipSpace()
        return ahead.p.pointee == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    /// Closes the containers that end after a value, and returns `true` if another value must follow.
    @inline(__always)
    private mutating func closeContainers() throws(Fault) -> Bool {
        while frame.index >= 0 {
            frame.count &+= 1
            skipSpace()
            let byte = p.pointee
            if byte == UInt8(ascii: ",") {
                p += 1
                guard frame.count < limits.maximumMemberCount || endsAfterComma() else { throw tooManyMembers() }
                if frame.isObject {
                    skipSpace()
                    if p.pointee != UInt8(ascii: "\"") {
                        guard allowsTrailingCommas, p.pointee == UInt8(ascii: "}") else { throw noKey() }
                        p += 1
                        try close()
                        continue
                    }
                    try key()
                }
                return true
            }
            guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { throw noSeparator() }
            p += 1
            try close()
        }
        return false
    }

    /// Opens the container whose bracket is at `p`, and returns `true` if it is empty and so already complete.
    @inline(__always)
    private mutating func open(isObject: Bool) throws(Fault) -> Bool {
        guard outerCount < limits.maximumDepth else { throw tooDeep() }
        if outerCount == outerCapacity { growOuter() }
        (outer + outerCount).initialize(to: frame)
        outerCount &+= 1
        if outerCount > depth { depth = outerCount }
        frame = Frame()
        frame.index = tapeCount
        frame.isObject = isObject
        push(Tape.word(isObject ? .object : .array, offset: offset, length: 0))
        push(0)
        p += 1
        skipSpace()
        if p.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            p += 1
            try close()
            return true
        }
        guard limits.maximumMemberCount > 0 else { throw tooManyMembers() }
        if isObject { try key() }
        return false
    }

    @inline(__always)
    private mutating func close() throws(Fault) {
        let index = frame.index
        let begin = Tape.offset(tape[index])
        var kind: Tape.Kind = frame.isObject ? .object : .array
        tape[index + 1] = Tape.extent(count: frame.count, end: tapeCount)
        if frame.needsKeyCheck, try hasDuplicateKeys() { kind = .objectWithDuplicates }
        tape[index] = Tape.word(kind, offset: begin, length: offset - begin)
        // `frame` is open, so `open` has saved the enclosing one.
        outerCount &-= 1
        frame = outer[outerCount]
    }

    /// Reads a key, its colon, and the space before the value.
    @inline(__always)
    private mutating func key() throws(Fault) {
        guard p.pointee == UInt8(ascii: "\"") else { throw noKey() }
        try string(isKey: true)
        skipSpace()
        guard p.pointee == UInt8(ascii: ":") else { throw noColon() }
        p += 1
    }

    @inline(__always)
    private mutating func literal(_ text: StaticString, _ kind: Tape.Kind) throws(Fault) {
        let length = text.utf8CodeUnitCount
        for index in 0..<length where p[index] != text.utf8Start[index] { throw noValue() }
        push(Tape.word(kind, offset: offset, length: length))
        p += length
    }

    // MARK: - Small steps

    /// The distance of `p` from the start.
    @inline(__always)
    var offset: Int { UnsafePointer(start).distance(to: p) }

    @inline(__always)
    mutating func skipSpace() {
        while true {
            let byte = p.pointee
            if byte > 0x20 { return }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            p += 1
        }
    }

    @inline(__always)
    mutating func push(_ word: UInt64) {
        if tapeCount == tapeCapacity { grow() }
        tape[tapeCount] = word
        tapeCount &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: tapeCapacity * 2)
        larger.moveInitialize(from: tape, count: tapeCount)
        tape.deallocate()
        tape = larger
        tapeCapacity *= 2
    }

    @inline(never)
    private mutating func growOuter() {
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: outerCapacity * 2)
        larger.moveInitialize(from: outer, count: outerCount)
        outer.deallocate()
        outer = larger
        outerCapacity *= 2
    }
}
