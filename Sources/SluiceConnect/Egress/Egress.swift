#if HTTP
import Foundation
import HTTPTypes
import Sluice
package import SluiceHTTP

/// The transport over which streams reach other hosts. It sends a request only where the list of allowed hosts permits it.
///
/// The name is resolved once for each request, each of its addresses is checked, and the connection goes to one of them, so
/// that a name server that changes its answer a moment later has no effect. Behind a redirect filter, each hop is checked.
package final class Egress: Transport {
    package typealias Input = TransportRequest
    package typealias Output = TransportResponse

    private struct Destination: Hashable {
        let host: String
        let address: IPAddress
    }

    /// The destination of a URL that is on the list.
    private struct Checked {
        let host: String
        let port: Int
        /// The host's name, as it is resolved.
        let name: String
        /// The address, if the host is one.
        let address: IPAddress?
    }

    private let allowed: [AllowedHost]
    private let resolver: Resolver
    private let body: HTTPTransport.BodyMode
    private let decompression: HTTPTransport.Decompression
    /// The transports by name and address, in the order of their last use.
    private let transports = Locked<[(destination: Destination, transport: HTTPTransport)]>([])

    /// The destinations of the URLs that were checked last: to read a URL takes longer than to look it up.
    private let checked = Locked<[String: Checked]>([:])

    /// The number of URLs whose destinations are kept, and the longest of them, in bytes.
    private static let (mostChecked, longestChecked) = (64, 1024)
    /// The number of transports that are kept.
    private static let limit = 32
    /// The number of addresses of a name that are tried.
    private static let maxAttempts = 4

    package init(
        _ allowed: [AllowedHost],
        resolver: Resolver = .system,
        body: HTTPTransport.BodyMode,
        decompression: HTTPTransport.Decompression = HTTPTransport.Settings().decompression
    ) {
        self.allowed = allowed
        self.resolver = resolver
        self.body = body
        self.decompression = decompression
    }

    package nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        let target = try check(request)
        if let address = target.address {
            return try await transport(Destination(host: target.host, address: address)).process(request)
        }
        let addresses = try await resolver.addresses(target.name)
        for address in addresses where !isReachable(address, target.port) {
            let text = "leads to \(address), which is not public: --allow \(address) allows it"
            throw refusal(text, request)
        }
        var last: any Error = HTTPError(.unreachable, "the name '\(target.name)' has no address", request: request)
        for address in addresses.prefix(Self.maxAttempts) {
            do {
                return try await transport(Destination(host: target.host, address: address)).process(request)
            } catch let error as HTTPError where error.code == .unreachable {
                last = error
            }
        }
        throw last
    }

    /// Returns the destination of a request.
    ///
    /// - Throws: `HTTPError` if it is invalid, or is not on the list.
    private func check(_ request: TransportRequest) throws -> Checked {
        // As the client below reads it.
        let text = request.url.absoluteString
        if let known = checked.withLock({ $0[text] }) { return known }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = url.host.map(Self.unbracketed), !host.isEmpty
        else { throw refusal("is not a URL: it must begin with http:// or https://", request) }
        guard url.user == nil, url.password == nil, !Self.authority(url.absoluteString).contains("@") else {
            throw refusal("contains a user name or a password: use a header field", request)
        }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        let address = IPAddress(host)
        guard let name = address == nil ? Self.name(host) : host.lowercased() else {
            throw refusal("has an invalid host name", request)
        }
        let isListed = allowed.contains { allowed in
            address.map { allowed.includes($0, port: port) } ?? allowed.includes(name, port: port)
        }
        guard isListed else {
            let host = name.contains(":") ? "[\(name)]" : name
            throw refusal("is not on the list of what streams may reach: --allow \(host):\(port) allows it", request)
        }
        let found = Checked(host: host, port: port, name: name, address: address)
        if text.utf8.count <= Self.longestChecked {
            checked.withLock {
                if $0.count >= Self.mostChecked { $0 = [:] }
                $0[text] = found
            }
        }
        return found
    }

    /// Returns a Boolean value that indicates whether a name may resolve to an address.
    private func isReachable(_ address: IPAddress, _ port: Int) -> Bool {
        address.isPublic || allowed.contains { $0.includes(address, port: port) }
    }

    private func transport(_ destination: Destination) -> HTTPTransport {
        transports.withLock { transports in
            if let index = transports.firstIndex(where: { $0.destination == destination }) {
                let found = transports.remove(at: index)
                transports.append(found)
                return found.transport
            }
            var settings = HTTPTransport.Settings()
            settings.body = body
            settings.decompression = decompression
            settings.connectionsPerHost = 64
            settings.addresses = [destination.host: destination.address.description]
            // A proxy would resolve the name again, to an address that was not checked.
            settings.proxies = .none
            let transport = HTTPTransport(settings)
            // A transport that is released closes its connections when the last response over them has ended.
            if transports.count >= Self.limit { transports.removeFirst() }
            transports.append((destination, transport))
            return transport
        }
    }

    private func refusal(_ reason: String, _ request: TransportRequest) -> HTTPError {
        HTTPError(.badRequest, "the address \(reason)", request: request)
    }

    /// Returns a host's name in the form in which names are compared; `nil` if the text is not a name.
    static func name(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isName && (1...253).contains(text.utf8.count) ? text.lowercased() : nil
    }

    /// Returns the part between `://` and the path.
    private static func authority(_ text: String) -> Substring {
        guard let start = text.range(of: "://")?.upperBound else { return "" }
        return text[start...].prefix { !"/?#".contains($0) }
    }

    private static func unbracketed(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
#endif
