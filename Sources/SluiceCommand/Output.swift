#if Command
import Foundation
import SluiceExpressions

/// Lines of standard output that wait to be written together, for at most 64 KB or 50 ms.
struct OutputBlock {
    private var bytes: [UInt8] = []
    private var written: ContinuousClock.Instant?

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - isFollowed: A Boolean value that indicates whether another line comes at once. If none does, all lines are written.
    ///   - write: A closure that appends the bytes of the line, without its end.
    /// - Throws: ``Output/Closed`` when standard output has no reader.
    mutating func line(isFollowed: Bool, _ write: (inout [UInt8]) -> Void) throws {
        write(&bytes)
        bytes.append(UInt8(ascii: "\n"))
        let now = ContinuousClock.now
        if isFollowed, let written, bytes.count < 1 << 16, written.duration(to: now) < .milliseconds(50) { return }
        written = now
        try flush()
    }

    /// Writes the lines that wait.
    mutating func flush() throws {
        if bytes.isEmpty { return }
        try Output.bytes(Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The output of commands: each line is written at once, also into a pipe.
enum Output {
    /// The reader of standard output has gone.
    struct Closed: Error {}

    /// Prints a line to standard output; throws ``Closed`` when it has no reader.
    static func line(_ text: String) throws { try bytes(Data((text + "\n").utf8)) }

    /// Prints bytes to standard output; throws ``Closed`` when it has no reader, a ``Failure`` when they cannot be
    /// written.
    static func bytes(_ data: Data) throws {
        do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
            let number = Int32((error as NSError).code)
            let underlying = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError).map { Int32($0.code) }
            if number == EPIPE || underlying == EPIPE { throw Closed() }
            let reason = String(cString: strerror(underlying ?? number))
            throw Failure(code: .fault, message: "<stdout>: error: cannot be written: \(reason)")
        }
    }

    /// Prints a line or several to standard error; control characters other than the ends of lines are written as
    /// escapes, so that a document or an answer can't move the cursor of a terminal.
    static func error(_ text: String) {
        let shown = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).shown }
        try? FileHandle.standardError.write(contentsOf: Data((shown.joined(separator: "\n") + "\n").utf8))
    }
}
#endif
