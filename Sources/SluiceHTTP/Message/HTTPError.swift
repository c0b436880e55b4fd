#if HTTP
import HTTPTypes
public import SluiceJSON

/// The error of a call without a usable answer: the failure and everything that was known at that point.
///
/// ```swift
/// do { _ = try await users.process("ada") } catch let error as HTTPError {
///     print(error)             // GET http://example.com/users/ada: 404 Not Found: there is no such user
///     print(error.code)        // badStatus
///     print(error.problem?.detail ?? "")
/// }
/// ```
public struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for code that distinguishes cases.
    public let code: Code
    /// A description of the failure for people.
    public let message: String
    /// The request; `nil` if the failure came before there was one.
    public let request: TransportRequest?
    /// The answer, as far as it arrived; `nil` without one.
    public let response: TransportResponse?
    /// The time limit that was exceeded, for ``Code/timedOut``.
    public let timeout: Timeout?
    /// The place of the error in the answer's body, for ``Code/badBody`` with a known place: line, column, path, and a
    /// snippet.
    public let place: JSONError?
    /// The wrapped error, if there is one.
    public let cause: (any Error)?
    /// A Boolean value that indicates whether nothing of the request was sent for certain.
    public let isUnsent: Bool
    /// A Boolean value that indicates whether the server has certainly not processed the request: nothing of it was
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

    /// The method and the address, without query and credentials; empty if there was no request yet.
    public var summary: String { request?.summary ?? "" }

    /// A description such as `GET http://example.com/: the connection was refused`.
    public var description: String { request == nil ? message : "\(summary): \(message)" }

    /// The problem (RFC 9457) that the answer describes; `nil` if it does not describe one.
    public var problem: ProblemDetails? { response.flatMap(ProblemDetails.init) }

    /// A Boolean value that indicates whether the failure is transient: no answer arrived, or the server reports a
    /// fault of its own or overload.
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

        /// The request can't be sent: its model, route, or address is invalid.
        public static let badRequest = Code(.badRequest)
        /// The connection failed or was lost.
        public static let unreachable = Code(.unreachable)
        /// The answer did not arrive in time; ``HTTPError/timeout`` names the time limit.
        public static let timedOut = Code(.timedOut)
        /// The answer's body is longer than allowed.
        public static let bodyTooLarge = Code(.bodyTooLarge)
        /// The answer's status is from 400 to 599, or unknown.
        public static let badStatus = Code(.badStatus)
        /// The answer's body is not as expected.
        public static let badBody = Code(.badBody)
        /// The call was canceled.
        public static let canceled = Code(.canceled)
        /// A custom stage failed; ``HTTPError/cause`` is its error.
        public static let failed = Code(.failed)

        /// The name of the constant.
        public var description: String { kind.rawValue }
    }

    /// The time limits of a call.
    public enum Timeout: String, Sendable, Hashable {
        /// The time to get a connection.
        case connection
        /// The time from the request to the head of its answer, or between two parts of the answer.
        case idle
        /// The time of one attempt.
        case attempt
        /// The time of the whole call with all attempts: its deadline.
        case total
    }
}
#endif
