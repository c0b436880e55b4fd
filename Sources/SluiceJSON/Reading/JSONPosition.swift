/// A place in a text.
public struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1. A line ends at LF, CR, or CR LF.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int
    /// The distance from the start of the text in bytes.
    public var offset: Int

    /// Creates a position from its parts.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The position as `LINE:COLUMN`.
    public var description: String { "\(line):\(column)" }

    /// Creates the position of the byte at `offset`.
    /// - Complexity: O(*n*) in `offset`.
    init(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var memo = PlaceMemo()
        self = memo.position(of: offset, in: bytes)
    }
}
