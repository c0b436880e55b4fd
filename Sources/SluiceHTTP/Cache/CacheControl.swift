import HTTPTypes

/// The directives of `Cache-Control` (RFC 9111, 5.2; RFC 5861; RFC 8246), of a request or an answer.
///
/// A number of seconds that is none counts as 0: what has invalid freshness information is stale (RFC 9111, 4.2.1). Of
/// a directive that comes twice the first counts. `s-maxage`, `proxy-revalidate` and `private` are for shared caches,
/// which this is not.
struct CacheControl: Equatable {
    var maxAge: Int?
    var minFresh: Int?
    /// `.max` where any staleness is taken.
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
            // RFC 9111, 5.4: of a request without Cache-Control; of an answer it is taken for the same.
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
        // With field names it would hold for these alone; a cache may take it for the whole (5.2.2.4).
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
    /// `Pragma`, of HTTP/1.0.
    // swift-format-ignore: NeverForceUnwrap
    static let pragma = HTTPField.Name("Pragma")!
    /// `Cache-Status` (RFC 9211).
    // swift-format-ignore: NeverForceUnwrap
    static let cacheStatus = HTTPField.Name("Cache-Status")!
}
