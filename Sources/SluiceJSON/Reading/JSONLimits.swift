/// The limits of a text, beyond which the reader rejects it, so that hostile input costs bounded time and memory.
///
/// ```swift
/// try JSONDocument(parsing: "[[[1]]]", limits: .init(maximumDepth: 2))
/// // throws: 1:3: more than 2 levels of nesting
/// ```
///
/// The tape takes at most eight times the text's bytes, in addition to a copy of the text.
public struct JSONLimits: Sendable, Hashable {
    /// The number of bytes of one text; 64 MiB by default, and never more than 1 GiB minus 1 byte.
    public var maximumByteCount: Int
    /// The number of levels of arrays and objects; 512 by default.
    ///
    /// A ``JSONDocument`` may be as deep as this limit. ``JSON`` values and Codable types are never deeper than
    /// ``deepestValue``, since the language destroys and compares values recursively.
    public var maximumDepth: Int
    /// The number of bytes of one string or key between its quotes; unlimited by default.
    public var maximumStringLength: Int
    /// The number of bytes of one number; 10,000 by default.
    public var maximumNumberLength: Int
    /// The number of members of one object or elements of one array; 16,777,216 by default.
    public var maximumMemberCount: Int

    /// Creates limits; those that you omit have their defaults.
    public init(
        maximumByteCount: Int = 64 << 20,
        maximumDepth: Int = 512,
        maximumStringLength: Int = .max,
        maximumNumberLength: Int = 10_000,
        maximumMemberCount: Int = 1 << 24
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumDepth = maximumDepth
        self.maximumStringLength = maximumStringLength
        self.maximumNumberLength = maximumNumberLength
        self.maximumMemberCount = maximumMemberCount
    }

    /// The default limits.
    public static let `default` = JSONLimits()

    /// The depth of the deepest ``JSON`` value and of the deepest decoding of a Codable type: 512 levels, which fit
    /// into a stack of 512 KB.
    public static let deepestValue = 512
}

/// The treatment of an object in which a key occurs more than once.
public enum JSONDuplicateKeys: Sendable, Hashable {
    /// The text is rejected at the second key. This is the default of documents.
    case refused
    /// The first member with a key is found, as in Foundation on Linux. This is the default of Codable.
    case firstWins
    /// The last member with a key is found, as in JavaScript.
    case lastWins
}
