#if HTTP
public import Foundation

/// A route of requests: a provider of addresses.
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
    /// Returns the address; throws an error if there is no valid one.
    func url() throws -> URL
}

extension URL: URLRouteProvider {
    /// Returns the address itself.
    public func url() throws -> URL { self }
}

extension String: URLRouteProvider {
    /// Returns the address that the text is.
    ///
    /// - Throws: ``RouteError/invalid(_:)`` when it is not one.
    public func url() throws -> URL {
        guard let url = URL(string: self), url.scheme != nil else { throw RouteError.invalid(self) }
        return url
    }
}

extension URL? {
    /// Returns the address with a path appended; characters that are invalid in a path, and `?`, are percent-encoded.
    ///
    /// - Throws: ``RouteError/noURL`` when the base is `nil`.
    public static func + (base: URL?, path: String) throws -> URL {
        guard let base else { throw RouteError.noURL }
        return base.appending(plain: path) ?? base.appendingPathComponent(path)
    }
}

extension URL {
    /// Returns the address with a path appended as text, in a third of the time; `nil` if Foundation's result could
    /// differ, for anything that it would encode, resolve, or join differently.
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

    /// Returns whether a path consists only of letters, digits, single slashes, `-`, `_`, and `~`.
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

/// The error of a route without an address.
public enum RouteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The base address is missing.
    case noURL
    /// The text is not an address.
    case invalid(String)

    /// A description of the error.
    public var description: String {
        switch self {
        case .noURL: "the base address is missing"
        case .invalid(let text): "\"\(text)\" is not an address: it must begin with https:// or http://"
        }
    }
}
#endif
