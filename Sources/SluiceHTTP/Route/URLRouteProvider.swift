public import Foundation

/// Where a request goes.
///
/// ```swift
/// enum UserRoute: URLRouteProvider {
///     case users
///     case user(String)
///
///     func url() throws -> URL {
///         let base = URL(string: "http://example.com")
///         switch self {
///         case .users: return try base + "/users"
///         case .user(let id): return try base + "/user/\(id)"
///         }
///     }
/// }
/// let url = try UserRoute.user("ada").url()  // http://example.com/user/ada
/// ```
public protocol URLRouteProvider: Sendable {
    /// The address; throws what keeps it from being one.
    func url() throws -> URL
}

extension URL: URLRouteProvider {
    /// The address itself.
    public func url() throws -> URL { self }
}

extension URL? {
    /// The address with a path behind it; what a path may not hold is percent-encoded, `?` too.
    ///
    /// - Throws: ``RouteError/noURL`` when there is nothing on the left.
    public static func + (base: URL?, path: String) throws -> URL {
        guard let base else { throw RouteError.noURL }
        return base.appendingPathComponent(path)
    }
}

/// Why a route leads nowhere.
public enum RouteError: Error, Sendable, Equatable {
    /// There is no address to begin with.
    case noURL
}
