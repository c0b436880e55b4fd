/// A state machine, without a clock or a task, that divides a flow of bytes into texts, regardless of the borders of
/// its chunks.
///
/// ```swift
/// var splitter = JSONTextSplitter(framing: .concatenated)
/// splitter.append(Array("{\"a\":1}[".utf8))
/// try splitter.next()?.root["a"]?.int   // 1
/// try splitter.next()                   // nil: the array is not complete
/// splitter.append(Array("2]".utf8))
/// splitter.finish()
/// try splitter.next()?.root[0]?.int     // 2
/// ```
///
/// It holds the bytes that were appended and not yet consumed. A text of more than ``JSONLimits/maximumByteCount``
/// bytes is an error as soon as it exceeds that number.
public struct JSONTextSplitter: Sendable {
    private let framing: JSONFraming
    private let limits: JSONLimits
    private let duplicates: JSONDuplicateKeys
    private var buffer: [UInt8] = []
    /// The start of the current text in the buffer, and the end of the part that was scanned.
    private var start = 0
    private var scanned = 0
    private var isFinished = false
    /// A Boolean value that indicates whether the start of the next text is unknown because of an error.
    private var isBroken = false
    /// The position of `start` in the flow.
    private var line = 1
    private var column = 1
    private var offset = 0
    // The state of the scan of a concatenated text.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isInScalar = false
    /// A Boolean value that indicates whether the rest of an overlong line is to be discarded.
    private var skipsLine = false

    /// Creates a splitter without bytes.
    public init(
        framing: JSONFraming = .lines,
        limits: JSONLimits = .default,
        duplicateKeys: JSONDuplicateKeys = .refused
    ) {
        self.framing = framing
        self.limits = limits
        self.duplicates = duplicateKeys
    }

    /// Appends received bytes.
    /// - Complexity: O(*n*) in their number, amortized.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        if isBroken { return }
        if start > 4096, start * 2 > buffer.count {
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Declares that no more bytes will follow.
    public mutating func finish() { isFinished = true }

    /// Returns the next complete text, or nil if it isn't complete yet.
    ///
    /// After an error in a line, the next call continues with the next line. After an error in concatenated texts,
    /// nothing follows, since the start of the next text is unknown.
    /// - Throws: ``JSONError`` with its line, column and offset counted from the start of the flow.
    /// - Complexity: O(*n*) in the length of the text; each byte is scanned once, however many calls it takes.
    public mutating func next() throws(JSONError) -> JSONDocument? {
        while !isBroken {
            let end: Int?
            switch framing {
            case .lines: end = endOfLine()
            case .concatenated: end = endOfValue()
            }
            if let end {
                if let document = try take(upTo: end) { return document }
                continue
            }
            guard scanned - start <= limits.maximumByteCount || skipsLine else { throw tooLong() }
            if skipsLine { drop(upTo: buffer.count) }
            guard isFinished, start < buffer.count else { return nil }
            return try take(upTo: buffer.count)
        }
        return nil
    }

    // MARK: - Ends

    /// Returns the index after the next line break, or nil.
    private mutating func endOfLine() -> Int? {
        while scanned < buffer.count {
            scanned += 1
            if buffer[scanned - 1] == 10 { return scanned }
        }
        return nil
    }

    /// Returns the index after the next complete value, or nil.
    private mutating func endOfValue() -> Int? {
        while scanned < buffer.count {
            let byte = buffer[scanned]
            if isInString {
                scanned += 1
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 0 { return scanned }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
                if isInScalar { return endScalar() }
                isInString = byte == UInt8(ascii: "\"")
                if !isInString { depth += 1 }
                scanned += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                scanned += 1
                depth -= 1
                // The parser rejects a surplus one.
                if depth <= 0 {
                    depth = 0
                    isInScalar = false
                    return scanned
                }
            case 0x20, 0x09, 0x0A, 0x0D:
                if isInScalar { return endScalar() }
                scanned += 1
            default:
                if depth == 0, !isMark(scanned) { isInScalar = true }
                scanned += 1
            }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether a byte belongs to a byte order mark, with which the flow may begin.
    private func isMark(_ index: Int) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return offset == 0 && index - start < mark.count && buffer[index] == mark[index - start]
    }

    private mutating func endScalar() -> Int {
        isInScalar = false
        return scanned
    }

    // MARK: - Taking

    /// Parses the bytes from `start` to `end`; returns nil if there is only white space.
    private mutating func take(upTo end: Int) throws(JSONError) -> JSONDocument? {
        if skipsLine {
            skipsLine = false
            drop(upTo: end)
            return nil
        }
        // Without its line break, so that an error about a missing part is on this line.
        let hasBreak = framing == .lines && buffer[end - 1] == 10
        let text = buffer[start..<(hasBreak ? end - 1 : end)]
        let isBlank = text.indices.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains(text[$0]) || isMark($0) }
        guard !isBlank else {
            drop(upTo: end)
            return nil
        }
        do throws(JSONError) {
            let document = try JSONDocument(parsing: text, limits: limits, duplicateKeys: duplicates)
            drop(upTo: end)
            return document
        } catch {
            let moved = inFlow(error)
            drop(upTo: framing == .lines ? end : buffer.count)
            isBroken = framing == .concatenated
            throw moved
        }
    }

    private mutating func drop(upTo end: Int) {
        let position = JSONPosition(of: end - start, in: buffer[start..<end])
        if position.line > 1 {
            line += position.line - 1
            column = position.column
        } else {
            column += position.column - 1
        }
        offset += end - start
        start = end
        scanned = Swift.max(scanned, end)
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
            start = 0
            scanned = 0
        }
    }

    private mutating func tooLong() -> JSONError {
        let error = JSONError(
            .limitExceeded,
            "a text of more than \(limits.maximumByteCount) bytes",
            hint: "raise maximumByteCount in JSONLimits",
            at: JSONPosition(line: line, column: column, offset: offset)
        )
        skipsLine = framing == .lines
        isBroken = framing == .concatenated
        drop(upTo: buffer.count)
        return error
    }

    /// Returns the error with its position counted from the start of the flow.
    private func inFlow(_ error: JSONError) -> JSONError {
        var error = error
        if error.line == 1 { error.column += column - 1 }
        error.line += line - 1
        error.offset += offset
        return error
    }
}

extension JSONPosition {
    fileprivate init(of offset: Int, in bytes: ArraySlice<UInt8>) {
        self = bytes.withUnsafeBufferPointer { JSONPosition(of: offset, in: $0) }
    }
}
