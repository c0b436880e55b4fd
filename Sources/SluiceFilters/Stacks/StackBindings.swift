public import Sluice
public import SluiceJSON

/// What a stack document leaves to the program: closures, and filters that it refers to by name.
///
/// ```swift
/// let bindings = StackBindings<String, Person>(
///     keys: ["name": { name in name }],                      // {"singleFlight": {"by": "name"}}
///     filters: ["log in": AuthFilter(refresh: { try await session.logIn() })]  // {"use": {"name": "log in"}}
/// )
/// ```
public struct StackBindings<Request: Sendable, Response: Sendable>: Sendable {
    /// Says what a result means, for retry, hedging, breakers and limits; `nil` is ``ResponseClass/of(_:)-(Result<Response,Error>)``.
    public var classify: Classifier<Request, Response>?
    /// Whether a request may be sent twice; `nil` is always.
    public var isIdempotent: (@Sendable (Request) -> Bool)?
    /// Which calls a full queue serves first: those with the higher number.
    public var priority: (@Sendable (Request) -> Int)?
    /// The keys that `by` of a rate or a single flight may name.
    public var keys: [String: @Sendable (Request) -> String]
    /// Makes the answers of `fallback` and `chaos` out of what stands in the document. Called when a document is taken up.
    public var answer: (@Sendable (JSON) throws -> Response)?
    /// The filters that `use` may name. They keep their state through every edit.
    public var filters: [String: any SimpleFilter<Request, Response>]
    /// Measures all times.
    public var clock: any Clock<Duration>
    /// Where jitter and chance come from.
    public var random: RandomSource

    /// Makes bindings; all parts have defaults.
    public init(
        classify: Classifier<Request, Response>? = nil,
        isIdempotent: (@Sendable (Request) -> Bool)? = nil,
        priority: (@Sendable (Request) -> Int)? = nil,
        keys: [String: @Sendable (Request) -> String] = [:],
        answer: (@Sendable (JSON) throws -> Response)? = nil,
        filters: [String: any SimpleFilter<Request, Response>] = [:],
        clock: any Clock<Duration> = .continuous,
        random: RandomSource = .system
    ) {
        self.classify = classify
        self.isIdempotent = isIdempotent
        self.priority = priority
        self.keys = keys
        self.answer = answer
        self.filters = filters
        self.clock = clock
        self.random = random
    }
}

/// The error of a call that a `chaos` of a stack document made fail.
public struct InjectedFault: Error, Equatable, CustomStringConvertible {
    /// What the document says.
    public let message: String

    /// Makes the error.
    public init(message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
