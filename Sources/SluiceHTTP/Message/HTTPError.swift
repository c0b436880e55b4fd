import HTTPTypes
public import SluiceJSON

/// Why a call has no answer that can be used: where it failed, with what was known then.
///
/// ```swift
/// do { _ = try await users.process("ada") } catch let error as HTTPError {
///     print(error)             // GET http://example.com/users/ada: 404 Not Found: there is no such user
///     print(error.code)        // badStatus
///     print(error.problem?.detail ?? "")
/// }
/// ```
public struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code that must tell cases apart.
    public let code: Code
    /// What went wrong, for people.
    public let message: String
    /// The request; `nil` when it failed before there was one.
    public let request: TransportRequest?
    /// The answer, or as much of it as came; `nil` when none did.
    public let response: TransportResponse?
    /// Which time was over, of a ``Code/timedOut``.
    public let timeout: Timeout?
    /// Where in the answer's body the error stands, of a ``Code/badBody`` whose place is known: line, column, path and a
    /// snippet.
    public let place: JSONError?
    /// The error that this one wraps, if it does.
    public let cause: (any Error)?
    /// A Boolean value that indicates whether it is known that nothing of the request was sent.
    public let isUnsent: Bool
    /// A Boolean value that indicates whether it is known that the server has not processed the request: nothing of it was
    /// sent, or the server says so.
    public let isUnprocessed: Bool

    /// Makes an error.
    public init(
        _ code: Code,
        _ message: String,
        request: TransportRequest?,
        response: TransportResponse? = nil,
        timeout: Timeout? = nil,
        place: JSONError? = nil,
        cause: (any Error)? = nil,
        isUnsent: Bool = false,
        isUnprocessed: Bool = false
    ) {
        self.code = code
        self.message = message
        self.request = request
        self.response = response
        self.timeout = timeout
        self.place = place
        self.cause = cause
        self.isUnsent = isUnsent
        self.isUnprocessed = isUnsent || isUnprocessed
    }

    /// The method and the address, without query and credentials; empty when it failed before there was a request.
    public var summary: String { request?.summary ?? "" }

    /// `GET http://example.com/: the connection was refused`.
    public var description: String { request == nil ? message : "\(summary): \(message)" }

    /// The problem (RFC 9457) that the answer describes; `nil` if it describes none.
    public var problem: ProblemDetails? { response.flatMap(ProblemDetails.init) }

    /// Whether trying again may help: nothing came, or the server says that it is its own fault or too busy.
    public var isPassing: Bool {
        switch code {
        case .unreachable, .timedOut: true
        case .badStatus:
            response.map { $0.status.kind == .serverError || [408, 425, 429].contains($0.status.code) } ?? false
        default: false
        }
    }
}

extension HTTPError {
    /// The kinds of error; later versions may add some.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case badRequest, unreachable, timedOut, bodyTooLarge, badStatus, badBody, canceled, failed
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The request cannot be sent: a model or a route says no, or its address is none.
        public static let badRequest = Code(.badRequest)
        /// No connection, or one that broke.
        public static let unreachable = Code(.unreachable)
        /// No answer in time; ``HTTPError/timeout`` says in which.
        public static let timedOut = Code(.timedOut)
        /// The answer's body is longer than allowed.
        public static let bodyTooLarge = Code(.bodyTooLarge)
        /// The answer's status is from 400 to 599, or unknown.
        public static let badStatus = Code(.badStatus)
        /// The answer's body is not what was asked for.
        public static let badBody = Code(.badBody)
        /// The caller left.
        public static let canceled = Code(.canceled)
        /// A stage of the caller's own failed; ``HTTPError/cause`` is its error.
        public static let failed = Code(.failed)

        /// The name of the constant.
        public var description: String { kind.rawValue }
    }

    /// The times that may be over.
    public enum Timeout: String, Sendable, Hashable {
        /// To get a connection.
        case connection
        /// From the request to the head of its answer, or from one piece of it to the next.
        case idle
        /// Of one try.
        case attempt
        /// Of the call, whatever it tries: its deadline.
        case total
    }
}
