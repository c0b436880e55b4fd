import HTTPTypes

/// Why a request has no answer that can be used, with what was known when it failed.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error; later versions may add some.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case badRequest, unreachable, timedOut, bodyTooLarge, badStatus, badBody }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The request cannot be sent: its address is none.
        public static let badRequest = Code(.badRequest)
        /// No connection, or one that broke.
        public static let unreachable = Code(.unreachable)
        /// No answer in time.
        public static let timedOut = Code(.timedOut)
        /// The answer's body is longer than allowed.
        public static let bodyTooLarge = Code(.bodyTooLarge)
        /// The answer's status is from 400 to 599, or unknown.
        public static let badStatus = Code(.badStatus)
        /// The answer's body is not what was asked for.
        public static let badBody = Code(.badBody)

        /// The name of the constant.
        public var description: String { kind.rawValue }
    }

    /// What went wrong, for code that must tell cases apart.
    public let code: Code
    /// What went wrong, for people.
    public let message: String
    /// The method and the address, without query.
    public let request: String
    /// The answer; `nil` when none came.
    public let response: TransportResponse?

    /// Makes an error.
    public init(_ code: Code, _ message: String, request: TransportRequest, response: TransportResponse? = nil) {
        self.code = code
        self.message = message
        self.request = request.summary
        self.response = response
    }

    /// `GET http://example.com/: the connection was refused`.
    public var description: String { "\(request): \(message)" }

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
