/// A place in a text.
public struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1. A line ends at LF, CR or CR LF.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int
    /// The distance from the start of the text in bytes.
    public var offset: Int

    /// A position from its parts.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// `LINE:COLUMN`.
    public var description: String { "\(line):\(column)" }

    /// The position of the byte at `offset`.
    /// - Complexity: O(*n*) in `offset`.
    init(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        let offset = Swift.min(offset, bytes.count)
        var line = 1
        var lineStart = 0
        var index = 0
        while index < offset {
            let byte = bytes[index]
            index += 1
            if byte == 10 || byte == 13 && !(index < bytes.count && bytes[index] == 10) {
                line += 1
                lineStart = index
            }
        }
        // A byte order mark is no column.
        if lineStart == 0, offset >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { lineStart = 3 }
        var column = 1
        for index in lineStart..<offset where bytes[index] & 0xC0 != 0x80 { column += 1 }
        self.init(line: line, column: column, offset: offset)
    }
}
