#if HTTP
public import HTTPTypes
public import SluiceFilters

/// A filter that declares how it works, so that a chain can determine its position.
///
/// ```swift
/// struct Nonce: SimpleFilter<TransportRequest, TransportResponse>, ChainStage {
///     var declaration: StageDeclaration { StageDeclaration(.attempt, adds: .named([HTTPField.Name("X-Nonce")!])) }
///     var stackRole: StackRole { .attemptFields }
///     func process(
///         _ request: TransportRequest, next: some Node<TransportRequest, TransportResponse>
///     ) async throws -> TransportResponse {
///         var request = request
///         request.headers[HTTPField.Name("X-Nonce")!] = UUID().uuidString
///         return try await next.process(request)
///     }
/// }
/// ```
///
/// A filter that declares nothing takes the position of its stage's name.
public protocol ChainStage: StackStage {
    /// The scope of the stage and the fields that it adds and needs.
    var declaration: StageDeclaration { get }
}

/// The part of a call that a stage works on.
public enum StageScope: Int, Sendable, Comparable, CaseIterable, CustomStringConvertible {
    /// The whole call, outside the redirects.
    case call
    /// One hop, from one redirect to the next: inside the redirects and outside the retry.
    case hop
    /// One attempt of a hop, inside the retry.
    case attempt

    /// Orders the scopes from the outside in.
    public static func < (one: StageScope, other: StageScope) -> Bool { one.rawValue < other.rawValue }

    /// `call`, `hop`, or `attempt`.
    public var description: String {
        switch self {
        case .call: "call"
        case .hop: "hop"
        case .attempt: "attempt"
        }
    }
}

/// A set of header fields, as far as they are known when a chain is built.
public enum StageFields: Sendable, Hashable {
    /// No fields.
    case none
    /// Fields whose names are known.
    case named(Set<HTTPField.Name>)
    /// Fields whose names are known only when a request is sent.
    case unknown
    /// Every field that the stages outside add.
    case all

    /// Returns whether a stage that adds these fields must be outside a stage that needs `needed`.
    func isNeeded(by needed: StageFields) -> Bool {
        switch (self, needed) {
        case (.none, _), (_, .none), (.all, _): false
        case (_, .all), (.unknown, _), (_, .unknown): true
        case (.named(let added), .named(let needed)): !added.isDisjoint(with: needed)
        }
    }
}

/// The scope of a stage, and the fields that it adds and needs: see ``ChainStage``.
public struct StageDeclaration: Sendable {
    /// The part of a call that the stage works on; `nil` for a stage that works on any part.
    public var scope: StageScope?
    /// The fields that the stage adds to requests.
    public var adds: StageFields
    /// The fields that the stage reads: stages of its scope that add them are outside it.
    public var needs: StageFields
    /// A closure that returns the identity of a call's user, for a stage that identifies the user per attempt; an outer
    /// cache and single flight separate users by it.
    public var identity: (@Sendable (TransportRequest) -> String?)?
    /// The name whose position the stage takes under a custom name; by default the one of its role.
    public var position: StageName?

    /// Makes a declaration.
    public init(
        _ scope: StageScope? = nil,
        adds: StageFields = .none,
        needs: StageFields = .none,
        identity: (@Sendable (TransportRequest) -> String?)? = nil,
        position: StageName? = nil
    ) {
        self.scope = scope
        self.adds = adds
        self.needs = needs
        self.identity = identity
        self.position = position
    }

    /// Creates the declaration of a filter: its own, or the one that follows from its role in a stack.
    init(of filter: some Any) {
        if let stage = filter as? any ChainStage {
            self = stage.declaration
            return
        }
        switch (filter as? any StackStage)?.stackRole {
        case .fallback?, .redirects?: self.init(.call)
        case .retry?, .refresh?, .credentials?, .answerFields?: self.init(.hop)
        case .cache?, .singleFlight?: self.init(.hop, needs: .all)
        case .hedge?, .breaker?, .concurrency?, .rate?, .shedding?: self.init(.attempt)
        case .attemptFields?, .signature?, .wireStats?: self.init(.attempt)
        default: self.init()
        }
    }
}
#endif
