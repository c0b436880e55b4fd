/// Why a stream failed.
public struct StreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where in the document, such as `stream[2].operators[0].delay.seconds`; empty when no place is at fault.
    public let path: String
    /// What happened, and what to do.
    public let message: String
    /// What a closure or a source threw, where that is why.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(path: String = "", message: String) {
        self.path = path
        self.message = message
        underlying = nil
    }

    /// The error as it is, or one around it.
    public init(_ error: any Error) {
        if let error = error as? StreamError {
            self = error
        } else {
            path = ""
            message = "\(error)"
            underlying = error
        }
    }

    /// Whether both tell the same.
    public static func == (a: StreamError, b: StreamError) -> Bool { a.path == b.path && a.message == b.message }

    /// The path, if there is one, and the message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
