#if HTTP
/// A splitter of bytes into lines, for any chunk boundaries.
///
/// A line is returned as soon as its line break arrives: a CR ends it immediately, and an LF directly after the CR is
/// skipped.
struct LineSplitter: Sendable {
    /// The line breaks to recognize.
    enum Break: Sendable {
        /// The line breaks LF, CR LF, and CR.
        case any
        /// Only LF.
        case lineFeed
    }

    /// The error of a line that is longer than allowed.
    struct TooLong: Error {}

    private let breaks: Break
    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0
    private var skipsLineFeed = false
    private var isFinished = false

    init(_ breaks: Break, upTo limit: Int) {
        self.breaks = breaks
        self.limit = limit
    }

    /// Appends received bytes.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0, start == buffer.count || start > 1 << 16 {
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Marks the end of the bytes: the remaining ones are a line without a line break.
    mutating func finish() { isFinished = true }

    /// Returns the next line without its line break, or `nil` if no line is complete.
    ///
    /// - Throws: ``TooLong`` when more bytes than the limit have no line break.
    /// - Complexity: O(*n*) in the bytes of the line; each is examined once, regardless of the number of calls.
    mutating func next() throws -> ArraySlice<UInt8>? {
        if skipsLineFeed, start < buffer.count {
            skipsLineFeed = false
            if buffer[start] == 10 {
                start += 1
                scanned = start
            }
        }
        while scanned < buffer.count {
            let byte = buffer[scanned]
            scanned += 1
            guard byte == 10 || byte == 13 && breaks == .any else { continue }
            let line = buffer[start..<scanned - 1]
            start = scanned
            skipsLineFeed = byte == 13
            guard line.count <= limit else { throw TooLong() }
            return line
        }
        guard buffer.count - start <= limit else { throw TooLong() }
        guard isFinished, start < buffer.count else { return nil }
        let line = buffer[start...]
        start = buffer.count
        return line
    }
}
#endif
