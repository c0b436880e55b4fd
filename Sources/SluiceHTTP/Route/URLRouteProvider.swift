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
        return base.appending(plain: path) ?? base.appendingPathComponent(path)
    }
}

extension URL {
    /// The address with a path behind it, put together as text, in a third of the time; `nil` where that could be another
    /// than Foundation's: anything that would be encoded, resolved or joined in a way of its own.
    fileprivate func appending(plain path: String) -> URL? {
        let text = absoluteString
        guard baseURL == nil, text.hasPrefix("http"), !path.isEmpty, Self.isPlain(path.utf8) else { return nil }
        var slashes = 0
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case UInt8(ascii: "/"): slashes += 1
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
            default: break
            }
            guard slashes == 3 else { continue }
            guard Self.isPlain(text.utf8[index...]), text.utf8.last != UInt8(ascii: "/") else { return nil }
            break
        }
        guard slashes > 1 else { return nil }
        return URL(string: path.utf8.first == UInt8(ascii: "/") ? text + path : text + "/" + path)
    }

    /// Whether a path consists of letters, digits and single slashes, and of `-`, `_` and `~`.
    private static func isPlain(_ path: some Sequence<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in path {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                break
            case UInt8(ascii: "/") where last != byte: break
            default: return false
            }
            last = byte
        }
        return true
    }
}

/// Why a route leads nowhere.
public enum RouteError: Error, Sendable, Equatable {
    /// There is no address to begin with.
    case noURL
}
