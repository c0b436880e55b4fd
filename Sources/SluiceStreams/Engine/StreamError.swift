/// An error with which a stream fails.
public struct StreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The path in the document, such as `stream[2].operators[0].delay.seconds`; empty if the error has no place.
    public let path: String
    /// A description of the error and its remedy.
    public let message: String
    /// The error that a closure or a source threw, if it is the cause.
    public let underlying: (any Error)?

    /// Creates an error.
    public init(path: String = "", message: String) {
        self.path = path
        self.message = message
        underlying = nil
    }

    /// Returns the error itself if it is a `StreamError`, otherwise an error that wraps it.
    public init(_ error: any Error) {
        if let error = error as? StreamError {
            self = error
        } else {
            path = ""
            message = "\(error)"
            underlying = error
        }
    }

    /// Returns a Boolean value that indicates whether both have the same path and message.
    public static func == (a: StreamError, b: StreamError) -> Bool { a.path == b.path && a.message == b.message }

    /// The path, if there is one, and the message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
