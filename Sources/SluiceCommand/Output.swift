import Foundation

/// What the commands print: each line at once, also into a pipe.
enum Output {
    /// The reader of standard output has gone.
    struct Closed: Error {}

    /// Prints a line to standard output; throws ``Closed`` when nobody reads it.
    static func line(_ text: String) throws { try bytes(Data((text + "\n").utf8)) }

    /// Prints bytes to standard output; throws ``Closed`` when nobody reads them, a ``Failure`` when they cannot be
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

    /// Prints a line to standard error.
    static func error(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}
