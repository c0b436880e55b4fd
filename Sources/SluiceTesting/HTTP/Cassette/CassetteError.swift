#if HTTP
public import SluiceFilters

/// The error of a cassette that can't answer.
///
/// ```
/// POST http://example.com/users is not on the cassette users.json
/// nearest is exchange 2 of 3, POST http://example.com/users:
///   body: {"name":"Ada"}, recorded: {"name":"Bob"}
/// ```
///
/// Another attempt can't succeed, and a `RetryFilter` makes none.
public struct CassetteError: ClassifiedError, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of error; later versions may add some.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case notRecorded, alreadyPlayed, outOfOrder, badFile }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// No request on the cassette matches.
        public static let notRecorded = Code(.notRecorded)
        /// The request is on the cassette, but was made more often than it was recorded.
        public static let alreadyPlayed = Code(.alreadyPlayed)
        /// The request is out of order: another one comes next in strict order.
        public static let outOfOrder = Code(.outOfOrder)
        /// The file is missing, can't be read or written, or is not a cassette.
        public static let badFile = Code(.badFile)

        /// The name of the constant.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure, for code that distinguishes cases.
    public let code: Code
    /// A description of the failure for people.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The class `SluiceFilters.ResponseClass.failure`.
    public var responseClass: ResponseClass { .failure }
}
#endif
