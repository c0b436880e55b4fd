#if NATS
/// The way to a NATS server: its address, and what the server asks for.
///
/// The address may name several servers of one cluster, separated by commas, and a user with a password or a token, as in
/// `nats://ada:s3cret@127.0.0.1:4222`. The scheme `tls` encrypts the connection.
public struct NATSSettings: Sendable, Hashable {
    /// The address, such as `nats://127.0.0.1:4222`, or several, separated by commas.
    public var address: String
    /// The name of this client in the reports of the server.
    public var name = "sluice"
    /// The path of a file with the certificates of the authorities to trust, in PEM; `nil` for those of the system.
    public var authorities: String?
    /// The paths of the files with the certificate of this client and its key, in PEM; `nil` for none.
    public var certificate: Certificate?
    /// The path of a file with the JWT and the seed of a user (`.creds`); `nil` for none.
    public var credentials: String?
    /// The time for a connection, and for the answer to a request.
    public var timeout: Duration = .seconds(5)

    /// The certificate of a client, and its key.
    public struct Certificate: Sendable, Hashable {
        /// The path of the file with the certificate.
        public var path: String
        /// The path of the file with its key.
        public var key: String

        /// Creates a certificate.
        public init(path: String, key: String) { (self.path, self.key) = (path, key) }
    }

    /// Creates settings with an address.
    public init(_ address: String) { self.address = address }

    /// The address for people: without the user, the password, and the token.
    public var shownAddress: String {
        address.split(separator: ",").map { part in
            let pieces = part.split(separator: "@")
            guard pieces.count > 1, let host = pieces.last else { return String(part) }
            let scheme = part.firstRange(of: "://").map { String(part[..<$0.upperBound]) } ?? ""
            return scheme + host
        }.joined(separator: ",")
    }

    /// The servers of the address.
    var servers: [String] {
        address.split(separator: ",").map { part in
            let trimmed = part.drop { $0 == " " }
            return trimmed.contains("://") ? String(trimmed) : "nats://\(trimmed)"
        }
    }

    /// A Boolean value that indicates whether the connection is encrypted.
    var isSecure: Bool { authorities != nil || certificate != nil || servers.contains { $0.hasPrefix("tls://") } }
}
#endif
