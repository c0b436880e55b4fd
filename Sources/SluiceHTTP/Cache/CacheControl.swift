#if HTTP
import HTTPTypes

/// The directives of `Cache-Control` (RFC 9111, 5.2; RFC 5861; RFC 8246), of a request or an answer.
///
/// An invalid number of seconds counts as 0, since an answer with invalid freshness information is stale (RFC 9111,
/// 4.2.1). If a directive is repeated, the first one counts. `s-maxage`, `proxy-revalidate`, and `private` are for
/// shared caches, and are ignored here.
struct CacheControl: Equatable {
    var maxAge: Int?
    var minFresh: Int?
    /// The accepted staleness in seconds; `.max` if any staleness is accepted.
    var maxStale: Int?
    var staleWhileRevalidate: Int?
    var staleIfError: Int?
    var noCache = false
    var noStore = false
    var onlyIfCached = false
    var mustRevalidate = false
    var mustUnderstand = false
    var isPublic = false
    var isPrivate = false
    var isImmutable = false

    init(_ headers: HTTPFields) {
        guard let value = headers[.cacheControl] else {
            // RFC 9111, 5.4, defines this for requests without Cache-Control; answers are treated the same way.
            noCache = headers[values: .pragma].contains {
                FieldList.elements($0).contains { $0.lowercased() == "no-cache" }
            }
            return
        }
        for element in FieldList.elements(value) { read(element) }
    }

    private mutating func read(_ element: Substring) {
        let equals = element.firstIndex(of: "=")
        let name = element[..<(equals ?? element.endIndex)].trimmed.lowercased()
        let argument = equals.map { FieldList.unquoted(element[element.index(after: $0)...].trimmed) }
        let seconds = argument.map { DeltaSeconds.parse($0) ?? 0 } ?? 0
        switch name {
        case "max-age": maxAge = maxAge ?? seconds
        case "min-fresh": minFresh = minFresh ?? seconds
        case "max-stale": maxStale = maxStale ?? (argument == nil ? .max : seconds)
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? seconds
        case "stale-if-error": staleIfError = staleIfError ?? seconds
        // With field names, the directive applies to those fields only; a cache may apply it to the whole answer
        // (5.2.2.4).
        case "no-cache": noCache = true
        case "no-store": noStore = true
        case "only-if-cached": onlyIfCached = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "immutable": isImmutable = true
        default: break
        }
    }
}

extension HTTPField.Name {
    /// The field `Pragma` of HTTP/1.0.
    // swift-format-ignore: NeverForceUnwrap
    static let pragma = HTTPField.Name("Pragma")!
    /// The field `Cache-Status` (RFC 9211).
    // swift-format-ignore: NeverForceUnwrap
    static let cacheStatus = HTTPField.Name("Cache-Status")!
}
#endif
