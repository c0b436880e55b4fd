public import Sluice
public import SluiceJSON

/// The parts of a stack that a document leaves to the program: closures, and filters that it refers to by name.
///
/// ```swift
/// let bindings = StackBindings<String, Person>(
///     keys: ["name": { name in name }],                      // {"singleFlight": {"by": "name"}}
///     filters: ["log in": AuthFilter(refresh: { try await session.logIn() })]  // {"use": {"name": "log in"}}
/// )
/// ```
public struct StackBindings<Request: Sendable, Response: Sendable>: Sendable {
    /// A closure that returns the class of a result, for retry, hedging, breakers, and limits; `nil` is
    /// ``ResponseClass/of(_:)-(Result<Response,Error>)``.
    public var classify: Classifier<Request, Response>?
    /// A closure that returns whether a request may be sent twice; with `nil` all may.
    public var isIdempotent: (@Sendable (Request) -> Bool)?
    /// A closure that returns the priority of a call: a full queue serves calls with a higher number first.
    public var priority: (@Sendable (Request) -> Int)?
    /// The keys that `by` of a rate or a single flight may name.
    public var keys: [String: @Sendable (Request) -> String]
    /// A closure that creates the responses of `fallback` and `chaos` from the document's value. It is called when a
    /// document is applied.
    public var answer: (@Sendable (JSON) throws -> Response)?
    /// The filters that `use` may name. They keep their state through every edit.
    public var filters: [String: any SimpleFilter<Request, Response>]
    /// The clock that measures all times.
    public var clock: any Clock<Duration>
    /// The random source for jitter and chance.
    public var random: RandomSource

    /// Creates bindings; all parts have defaults.
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

/// The error of a call that a `chaos` filter of a stack document made fail.
public struct InjectedError: Error, Equatable, CustomStringConvertible {
    /// The message in the document.
    public let message: String

    /// Creates the error.
    public init(message: String) { self.message = message }

    /// The message of the error.
    public var description: String { message }
}
