/// A splitter of bytes into lines without their ends: a line feed, with or without a preceding carriage return.
struct LineSplitter {
    /// The maximum length of a line, in bytes.
    static let longestLine = 1 << 20

    /// The number of lines so far.
    private(set) var count = 0
    private var rest: [UInt8] = []

    /// Returns the lines that these bytes complete.
    ///
    /// - Throws: ``StreamError`` for a line that is too long, or not UTF-8.
    mutating func lines(adding bytes: [UInt8]) throws(StreamError) -> [String] {
        var lines: [String] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest += bytes[start..<end]
            lines.append(try take())
            start = end + 1
        }
        rest += bytes[start...]
        if rest.count > Self.longestLine { throw tooLong }
        return lines
    }

    /// Returns the last line, if it has no end.
    mutating func last() throws(StreamError) -> String? { rest.isEmpty ? nil : try take() }

    private mutating func take() throws(StreamError) -> String {
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        guard rest.count <= Self.longestLine else { throw tooLong }
        count += 1
        guard let line = String(validating: rest, as: UTF8.self) else {
            throw StreamError(message: "line \(count) is not UTF-8")
        }
        rest.removeAll(keepingCapacity: true)
        return line
    }

    private var tooLong: StreamError {
        StreamError(message: "line \(count + 1) has more than \(Self.longestLine) bytes")
    }
}
