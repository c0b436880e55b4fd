#if Hub
import HTTPTypes
import Hummingbird
import Sluice
import SluiceConnect

/// The names by which a hub may be called. A page elsewhere can make a browser send requests here, also under a name that
/// it has bound to this address (DNS rebinding): what comes by another name is refused.
struct HostNames: Sendable {
    private let names: Set<String>
    /// A Boolean value that indicates whether any IP address is accepted. That is safe: DNS rebinding needs a name.
    private let takesAddresses: Bool

    /// The host that was accepted last: most requests name the same one.
    private let last = LastHost()

    private final class LastHost: Sendable {
        private let host = Locked<String?>(nil)
        var value: String? { host.withLock { $0 } }
        func set(_ value: String) { host.withLock { $0 = value } }
    }

    /// - Parameters:
    ///   - host: the address that the hub is bound to.
    ///   - names: further names.
    init(host: String = "127.0.0.1", names: [String] = []) {
        let own = host.contains(":") ? "[\(host)]" : host
        self.names = Set((["127.0.0.1", "localhost", "[::1]", own] + names).map { $0.lowercased() })
        takesAddresses = !HubServer.loopback.contains(host)
    }

    /// Refuses a request by another name than the hub's, or from another site's page.
    ///
    /// - Throws: ``Problem``: 421 or 403, and 400 for a second `Host` field, of which a proxy in front may have read the other
    ///   one.
    func check(_ request: Request, ignoringOrigin: Bool = false) throws(Problem) {
        // The first field is the authority; a second one is left among the fields.
        if let name = HTTPField.Name.host, request.headers.contains(name) {
            throw Problem(.badRequest, "a request has one Host field")
        }
        let problem = refusal(host: request.head.authority, origin: ignoringOrigin ? nil : request.headers[.origin])
        if let problem { throw problem }
    }

    /// Returns the reason to refuse a request with these two fields; `nil` to accept it.
    func refusal(host: String?, origin: String?) -> Problem? {
        guard let host, includes(host) else {
            let name = Problem.shown(host ?? "")
            return Problem(.misdirectedRequest, "this hub does not answer to the name '\(name)': --name adds names")
        }
        if let origin = origin?.lowercased(), origin != "http://" + host.lowercased(),
            origin != "https://" + host.lowercased()
        {
            return Problem(.forbidden, "requests from pages of '\(Problem.shown(origin))' are refused")
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether `host`, with or without a port, is one of the names.
    private func includes(_ host: String) -> Bool {
        if last.value == host { return true }
        guard matches(host) else { return false }
        last.set(host)
        return true
    }

    private func matches(_ host: String) -> Bool {
        let host = host.lowercased()
        var name = host[...]
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), host.utf8.last != UInt8(ascii: "]") {
            let port = host[host.utf8.index(after: colon)...]
            guard !port.isEmpty, port.utf8.allSatisfy({ (48...57).contains($0) }), UInt16(port) != nil else {
                return false
            }
            name = host[..<colon]
        }
        if names.contains(String(name)) { return true }
        guard takesAddresses else { return false }
        if name.hasPrefix("["), name.hasSuffix("]") { return IPAddress(name.dropFirst().dropLast())?.bytes.count == 16 }
        return IPAddress(name)?.bytes.count == 4
    }
}
#endif
