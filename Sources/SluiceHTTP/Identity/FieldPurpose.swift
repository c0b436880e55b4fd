/// The purpose of the fields that a stage adds; it decides where the stage stands in a chain.
///
/// ```swift
/// struct Language: HeaderProvider {
///     var purpose: FieldPurpose { .answer }
///     func headers(for request: TransportRequest) async throws -> HTTPFields { [.acceptLanguage: "en"] }
/// }
/// ```
public enum FieldPurpose: Sendable, Hashable, CaseIterable {
    /// The fields may identify the user: a token, a session, a tenant. They are asked for once per hop, outside of the
    /// cache and the single flight, which keep users apart by them. The default, since it is the safe choice.
    case user
    /// The answer may depend on the fields, but they don't identify the user: a language. They are asked for once per
    /// hop, outside of the cache and the single flight; `Vary` says whether the answer depends on them.
    case answer
    /// The fields differ for each attempt and don't identify the user: a nonce, a date. They are asked for once per
    /// attempt, inside of the retry.
    case attempt
}
