/// Cuts a flow of bytes into lines, wherever the borders of its chunks fall.
///
/// A line is given as soon as its break is there: a CR ends it at once, and an LF right behind it is left out.
struct LineSplitter: Sendable {
    /// What ends a line.
    enum Break: Sendable {
        /// LF, CR LF or CR.
        case any
        /// LF alone.
        case lineFeed
    }

    /// A line is longer than allowed.
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

    /// Adds bytes that came.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0, start == buffer.count || start > 1 << 16 {
            buffer.removeSubrange(..<start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Says that no more bytes will come: what is left is a line without a break.
    mutating func finish() { isFinished = true }

    /// The next line without its break, `nil` if none is complete.
    ///
    /// - Throws: ``TooLong`` when more than the limit of bytes are there without a break.
    /// - Complexity: O(*n*) in the bytes of the line; each is looked at once, however many calls it takes.
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
