import Foundation

/// A file that is read line by line while others write to it.
final class OpenFile {
    /// A line without its end, and the place after it.
    struct Line: Sendable {
        let bytes: [UInt8]
        let place: FilePlace
        /// The number of bytes before the line.
        let offset: Int
    }

    /// The number of bytes that are read at once.
    private static let chunk = 65_536

    let identity: FilePlace.Identity
    private let file: Int32
    private let path: String
    /// The number of bytes that were read.
    private var count = 0
    /// The bytes after the last line.
    private var rest: [UInt8] = []
    /// The first bytes that were read, up to ``FilePlace/headLength``.
    private var head: [UInt8] = []
    /// The hash of all of them, once there are as many as there may be.
    private var headHash: UInt64?

    /// Takes an open file, from its first byte.
    ///
    /// - Throws: ``StreamError`` that names the path.
    init(_ file: Int32, _ path: String) throws(StreamError) {
        var status = stat()
        guard fstat(file, &status) == 0 else {
            let number = errno
            close(file)
            throw ReadableFile.failure(path, number)
        }
        (self.file, self.path, identity) = (file, path, FilePlace.Identity(status))
    }

    deinit { close(file) }

    /// Moves to a place; returns `false`, and moves to the first byte, if the content is no longer what was read before it.
    func move(to place: FilePlace) -> Bool {
        restart()
        guard place.file == identity, size >= place.offset else { return false }
        let beginning = bytes(from: 0, min(place.offset, FilePlace.headLength))
        guard beginning.count == min(place.offset, FilePlace.headLength), FilePlace.hash(beginning) == place.head else {
            return false
        }
        (count, head) = (place.offset, beginning)
        return true
    }

    /// The place after the last line.
    var place: FilePlace {
        let offset = count - rest.count
        return FilePlace(identity, offset, head: hash(upTo: offset))
    }

    /// The time when the file was last written to, in seconds since 1970.
    var time: Int {
        var status = stat()
        guard fstat(file, &status) == 0 else { return 0 }
        #if canImport(Darwin)
        return status.st_mtimespec.tv_sec
        #else
        return status.st_mtim.tv_sec
        #endif
    }

    /// A Boolean value that indicates whether the file was truncated, or truncated and written again, since it was read.
    var isTruncated: Bool { size < count || bytes(from: 0, head.count) != head }

    /// Moves to the first byte.
    func restart() { (count, rest, head, headHash) = (0, [], [], nil) }

    /// Returns the lines that have been completed since the last call, of some bytes; `nil` at the end of the file.
    ///
    /// - Throws: ``StreamError`` for a line that is too long, or a file that can't be read.
    func lines() throws(StreamError) -> [Line]? {
        let bytes = try readBytes(from: count, Self.chunk)
        if bytes.isEmpty { return nil }
        if head.count < FilePlace.headLength { head += bytes.prefix(FilePlace.headLength - head.count) }
        var (lines, start) = ([Line](), 0)
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let begin = count + start - rest.count
            rest += bytes[start..<end]
            start = end + 1
            lines.append(try takeLine(from: begin, to: count + start))
        }
        rest += bytes[start...]
        count += bytes.count
        if rest.count > LineSplitter.longestLine { throw tooLong(count - rest.count) }
        return lines
    }

    /// Returns the last line, if it has no end.
    func last() throws(StreamError) -> Line? {
        rest.isEmpty ? nil : try takeLine(from: count - rest.count, to: count)
    }

    private func takeLine(from begin: Int, to end: Int) throws(StreamError) -> Line {
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        guard rest.count <= LineSplitter.longestLine else { throw tooLong(begin) }
        let line = Line(bytes: rest, place: FilePlace(identity, end, head: hash(upTo: end)), offset: begin)
        rest = []
        return line
    }

    private func hash(upTo offset: Int) -> UInt64 {
        if offset < FilePlace.headLength { return FilePlace.hash(head.prefix(offset)) }
        if let headHash { return headHash }
        let hash = FilePlace.hash(head)
        headHash = hash
        return hash
    }

    private var size: Int {
        var status = stat()
        return fstat(file, &status) == 0 ? Int(status.st_size) : 0
    }

    private func bytes(from offset: Int, _ count: Int) -> [UInt8] {
        (try? readBytes(from: offset, count)) ?? []
    }

    private func readBytes(from offset: Int, _ count: Int) throws(StreamError) -> [UInt8] {
        if count == 0 { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        var length = 0
        repeat { length = pread(file, &bytes, count, off_t(offset)) } while length < 0 && errno == EINTR
        guard length >= 0 else { throw ReadableFile.failure(path, errno) }
        bytes.removeSubrange(length...)
        return bytes
    }

    private func tooLong(_ offset: Int) -> StreamError {
        StreamError(message: "\(path): the line at byte \(offset) has more than \(LineSplitter.longestLine) bytes")
    }
}
