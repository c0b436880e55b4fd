#if HTTP
import HTTPTypes

/// The part of a cache that one request may see: the entries of its user, and the shared ones if sharing is on.
struct CachePartition: Sendable, Equatable {
    /// The name of the part for shared public answers, which no hash can equal.
    static let shared = "public"

    /// The name of the user's part: a keyed hash, or the empty string for anonymous requests.
    let own: String
    /// A Boolean value that indicates whether public answers are shared by all users.
    let sharesPublic: Bool
    /// The hash by which credentials are compared; `nil` if the request has none.
    let hash: KeyedHash?

    /// The names of the parts in which an answer may be found.
    var names: Set<String> { sharesPublic ? [own, Self.shared] : [own] }

    /// Returns the part that an answer with these directives belongs to.
    func place(of directives: CacheControl) -> String {
        sharesPublic && directives.isPublic && !directives.isPrivate ? Self.shared : own
    }
}

extension HTTPCache {
    /// Returns the part for the user of a request.
    func partition(
        of request: TransportRequest,
        by custom: (@Sendable (TransportRequest) -> String?)?,
        sharesPublic: Bool
    ) async -> CachePartition {
        let identity = request.identity
        let user = custom.map { $0(request).map { ["partition", $0] } ?? [] } ?? identity
        guard !user.isEmpty || !identity.isEmpty else {
            return CachePartition(own: "", sharesPublic: sharesPublic, hash: nil)
        }
        let hash = await keyedHash
        return CachePartition(own: user.isEmpty ? "" : hash.text(of: user), sharesPublic: sharesPublic, hash: hash)
    }
}
#endif
