#if HTTP
/// The purpose of the fields that a stage adds; it decides the position of the stage in a chain.
///
/// ```swift
/// struct Language: HeaderProvider {
///     var purpose: FieldPurpose { .answer }
///     func headers(for request: TransportRequest) async throws -> HTTPFields { [.acceptLanguage: "en"] }
/// }
/// ```
public enum FieldPurpose: Sendable, Hashable, CaseIterable {
    /// The fields may identify the user: a token, a session, or a tenant. They are requested once per hop, outside the
    /// cache and the single flight, which separate users by them. The default, since it is the safe choice.
    case user
    /// The answer may depend on the fields, but they don't identify the user: a language. They are requested once per
    /// hop, outside the cache and the single flight; `Vary` says whether the answer depends on them.
    case answer
    /// The fields differ for each attempt and don't identify the user: a nonce or a date. They are requested once per
    /// attempt, inside the retry.
    case attempt
}
#endif
