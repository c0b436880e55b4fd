public import SluiceFilters

/// Why a cassette does not answer.
///
/// ```
/// POST http://example.com/users is not on the cassette users.json
/// nearest is exchange 2 of 3, POST http://example.com/users:
///   body: {"name":"Ada"}, recorded: {"name":"Bob"}
/// ```
///
/// To try again is of no use, and a `RetryFilter` does not.
public struct CassetteError: ClassifiedError, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of error; later versions may add some.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case notRecorded, alreadyPlayed, outOfOrder, badFile }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// No request on the cassette is the same.
        public static let notRecorded = Code(.notRecorded)
        /// The request is on the cassette, and was asked for more often than it was recorded.
        public static let alreadyPlayed = Code(.alreadyPlayed)
        /// In strict order another request would be next.
        public static let outOfOrder = Code(.outOfOrder)
        /// The file is not there, cannot be read or written, or is no cassette.
        public static let badFile = Code(.badFile)

        /// The name of the constant.
        public var description: String { kind.rawValue }
    }

    /// What went wrong, for code that must tell cases apart.
    public let code: Code
    /// What went wrong, for people.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// `SluiceFilters.ResponseClass.failure`.
    public var responseClass: ResponseClass { .failure }
}
