#if HTTP
public import Foundation

/// The origins (scheme, host, and port) that the fields of a stage are for.
///
/// ```swift
/// let key = HeaderFilter([.authorization: "Bearer x"], origins: .only(URL(string: "https://api.example.com")!))
/// ```
///
/// A stage adds nothing to a request to another origin, so that a redirect takes no credentials along.
public struct FieldOrigins: Sendable {
    private enum Kind: Sendable {
        case first
        case any
        case only(Set<[String]>)
    }
    private let kind: Kind

    /// The origin of the call's first request, regardless of redirects.
    public static let first = FieldOrigins(kind: .first)
    /// Every origin.
    public static let any = FieldOrigins(kind: .any)

    /// Returns the origins of some addresses, whose paths don't matter. An address that is not http or https adds no
    /// origin.
    public static func only(_ addresses: URL...) -> FieldOrigins {
        FieldOrigins(kind: .only(Set(addresses.compactMap(Address.origin))))
    }

    /// Returns whether the fields may be added to a request.
    public func includes(_ request: TransportRequest) -> Bool {
        switch kind {
        case .any: true
        case .only(let origins): Address.origin(request.url).map(origins.contains) ?? false
        case .first:
            if let first = request.box?.notes.firstURL, first != request.url {
                Address.origin(first) == Address.origin(request.url)
            } else {
                true
            }
        }
    }
}
#endif
