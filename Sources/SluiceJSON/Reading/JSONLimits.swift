/// How much a text may hold before the reader refuses it, so that hostile input costs bounded time and memory.
///
/// ```swift
/// try JSONDocument(parsing: "[[[1]]]", limits: .init(maximumDepth: 2))
/// // throws: 1:3: more than 2 levels of nesting
/// ```
///
/// The tape takes at most eight times the text's bytes, beside a copy of the text.
public struct JSONLimits: Sendable, Hashable {
    /// Bytes of one text; 64 MiB by default, at most 1 GiB minus 1 byte whatever is set.
    public var maximumByteCount: Int
    /// Levels of arrays and objects; 512 by default.
    ///
    /// A ``JSONDocument`` may be as deep as this says. A ``JSON`` value and Codable types are never deeper than
    /// ``deepestValue``, since the language destroys and compares values recursively.
    public var maximumDepth: Int
    /// Bytes of one string or key between its quotes; no limit of its own by default.
    public var maximumStringLength: Int
    /// Bytes of one number; 10,000 by default.
    public var maximumNumberLength: Int
    /// Members of one object or elements of one array; 16,777,216 by default.
    public var maximumMemberCount: Int

    /// Limits of your own; what you leave out stays at its default.
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

    /// The defaults.
    public static let `default` = JSONLimits()

    /// The deepest ``JSON`` value and the deepest decoding of a Codable type: 512 levels, which a thread with a
    /// stack of 512 KB survives.
    public static let deepestValue = 512
}

/// What the reader does with an object in which a key occurs more than once.
public enum JSONDuplicateKeys: Sendable, Hashable {
    /// The text is refused at the second key. Documents do this.
    case refused
    /// The first member with a key is the one that is found, as in Foundation on Linux. Codable does this.
    case firstWins
    /// The last member with a key is the one that is found, as in JavaScript.
    case lastWins
}
