#if HTTP
public import Foundation
import HTTPTypes
import Sluice

/// The cookies of a user (RFC 6265bis).
///
/// ```swift
/// let jar = CookieJar()
/// let node = RedirectFilter().andThen(CookieFilter(jar)).andThen(HTTPTransport())
/// ```
///
/// A jar respects domains, paths, Secure, SameSite, and the prefixes `__Secure-` and `__Host-`. It keeps at most 50
/// cookies per domain and 3,000 in total, and evicts the least recently used ones first. Nothing is written to disk.
///
/// Without a list of public suffixes, a server may set a cookie for a domain such as `co.uk`: provide one if you call
/// servers that you don't trust.
public final class CookieJar: Sendable {
    private struct Key: Hashable {
        let name: String
        let isHostOnly: Bool
        let path: String
    }
    private struct Kept {
        var cookie: Cookie
        /// The position in the order in which cookies were first set.
        let creation: Int
        var lastUse: Int
    }
    private struct State {
        /// The cookies of each domain.
        var domains: [String: [Key: Kept]] = [:]
        var count = 0
        var counter = 0

        mutating func update(_ domain: String, _ key: Key, to kept: Kept?) {
            let old = domains[domain]?[key]
            domains[domain, default: [:]][key] = kept
            if domains[domain]?.isEmpty == true { domains[domain] = nil }
            count += (kept == nil ? 0 : 1) - (old == nil ? 0 : 1)
        }

        mutating func next() -> Int {
            counter += 1
            return counter
        }
    }
    private static let mostOfDomain = 50
    private static let most = 3000

    private let suffixes: PublicSuffixList
    private let clock: WallClock
    private let state = Locked(State())

    /// Makes an empty jar.
    ///
    /// - Parameters:
    ///   - suffixes: the domains for which no server may set cookies.
    ///   - clock: the clock by which cookies expire.
    public init(publicSuffixes suffixes: PublicSuffixList = .empty, clock: WallClock = .system) {
        self.suffixes = suffixes
        self.clock = clock
    }

    /// The cookies that have not expired, in the order in which they were set.
    public var cookies: [Cookie] {
        let now = clock.time
        return state.withLock { state in
            state.domains.values.flatMap(\.values).filter { $0.cookie.expires.map { $0 > now } ?? true }
                .sorted { $0.creation < $1.creation }.map(\.cookie)
        }
    }

    /// Removes all cookies.
    public func removeAll() { state.withLock { $0 = State(counter: $0.counter) } }

    /// Stores a cookie as if the server at an address had set it.
    ///
    /// - Parameters:
    ///   - field: the text of a `Set-Cookie` field.
    ///   - url: The address.
    /// - Returns: whether the cookie was accepted; an expired one removes its predecessor.
    @discardableResult
    public func set(_ field: String, from url: URL) -> Bool {
        let now = clock.time
        guard let cookie = Cookie(field, from: url, suffixes: suffixes, now: now) else { return false }
        let isHTTPS = url.scheme?.lowercased() == "https"
        let key = Key(name: cookie.name, isHostOnly: cookie.isHostOnly, path: cookie.path)
        return state.withLock { state in
            // An insecure connection, which anyone can write to, must not overwrite a secure cookie (5.7, step 16).
            if !isHTTPS, Self.isProtected(cookie, in: state) { return false }
            let time = state.next()
            let creation = state.domains[cookie.domain]?[key]?.creation ?? time
            let isAlive = cookie.expires.map { $0 > now } ?? true
            let kept = isAlive ? Kept(cookie: cookie, creation: creation, lastUse: time) : nil
            state.update(cookie.domain, key, to: kept)
            Self.evict(&state, now: now, domain: cookie.domain)
            return true
        }
    }

    /// Returns the value of the `Cookie` field for a request; `nil` if no cookie applies.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - first: the address of the call's first request, whose site determines what SameSite allows.
    public func header(for request: TransportRequest, first: URL? = nil) -> String? {
        guard let host = Cookie.host(of: request.url) else { return nil }
        let (path, now) = (Cookie.path(of: request.url), clock.time)
        let isHTTPS = request.url.scheme?.lowercased() == "https"
        let isSameSite = first.map { site(of: $0) == site(of: request.url) } ?? true
        let isSafe = [.get, .head, .options, .trace].contains(request.method)
        let pairs = state.withLock { state -> [String] in
            var found: [Kept] = []
            let time = state.next()
            for domain in Self.parents(of: host) {
                for (key, kept) in state.domains[domain] ?? [:] {
                    guard kept.cookie.expires.map({ $0 > now }) ?? true,
                        kept.cookie.goes(to: host, path: path, isHTTPS: isHTTPS),
                        kept.cookie.sameSite == .none || isSameSite || (kept.cookie.sameSite == .lax && isSafe)
                    else { continue }
                    found.append(kept)
                    state.domains[domain]?[key]?.lastUse = time
                }
            }
            // Longer paths first, then the older cookies.
            return found.sorted {
                ($1.cookie.path.utf8.count, $0.creation) < ($0.cookie.path.utf8.count, $1.creation)
            }.map(\.cookie.pair)
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    /// Returns the scheme and the registrable domain; without a list of public suffixes, the whole host.
    private func site(of url: URL) -> [String] {
        let host = Cookie.host(of: url) ?? ""
        // An IP address is a site of its own.
        let isName = !suffixes.isEmpty && !Cookie.isAddress(host)
        let domain = isName ? suffixes.registrableDomain(of: host) ?? host : host
        return [url.scheme?.lowercased() ?? "", domain]
    }

    /// Returns a host and its parent domains.
    private static func parents(of host: String) -> [String] {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    private static func isProtected(_ cookie: Cookie, in state: State) -> Bool {
        let related = state.domains.filter { domain, _ in
            Cookie.matches(domain, domain: cookie.domain) || Cookie.matches(cookie.domain, domain: domain)
        }
        return related.values.contains { kept in
            kept.values.contains {
                $0.cookie.isSecure && $0.cookie.name == cookie.name && Cookie.matches(path: cookie.path, $0.cookie.path)
            }
        }
    }

    /// Removes excess cookies: first the expired ones, then the least recently used ones.
    private static func evict(_ state: inout State, now: Double, domain: String) {
        func isLess(_ one: Kept, _ other: Kept) -> Bool {
            let (a, b) = ((one.cookie.expires ?? .infinity) > now, (other.cookie.expires ?? .infinity) > now)
            return a == b ? one.lastUse < other.lastUse : !a
        }
        while let kept = state.domains[domain], kept.count > mostOfDomain,
            let oldest = kept.min(by: { isLess($0.value, $1.value) })
        {
            state.update(domain, oldest.key, to: nil)
        }
        while state.count > most {
            let oldest = state.domains.compactMap { domain, kept in
                kept.min { isLess($0.value, $1.value) }.map { (domain, $0.key, $0.value) }
            }.min { isLess($0.2, $1.2) }
            guard let oldest else { return }
            state.update(oldest.0, oldest.1, to: nil)
        }
    }
}
#endif
