#if Command
import ArgumentParser
import Foundation
import SluiceConnect
import SluiceHub

/// The arguments that decide which requests a hub answers, and what its streams may reach.
struct SafetyArguments: ParsableArguments {
    @Option(
        help: """
            The token that every request must carry. auto creates one and prints the link to log in with. Others on this \
            machine can read a command line (ps): without this option, SLUICE_TOKEN of the environment is used. On an \
            address that others reach it has at least 16 characters.
            """
    )
    var token: String?

    @Option(
        name: .customLong("name"),
        help: "A name by which the hub may be called, such as hub.example.com; repeatable."
    )
    var names: [String] = []

    @OptionGroup var connect: ConnectArguments

    @Option(
        name: .customLong("proxy"),
        help: """
            The address, or range of addresses, of a proxy in front of the hub: only in requests from there are \
            X-Forwarded-For and X-Forwarded-Proto read; repeatable.
            """
    )
    var proxies: [String] = []

    @Option(
        name: .customLong("tls-certificate"),
        help: "The file with the certificate (PEM) for https, followed by those that lead from it to a root.",
        completion: .file()
    )
    var certificate: String?

    @Option(
        name: .customLong("tls-key"),
        help: "The file with the certificate's key (PEM). SIGHUP reads both files again.",
        completion: .file()
    )
    var key: String?

    /// The token of the command line or of the environment, as it was given.
    var givenToken: String? {
        token ?? ProcessInfo.processInfo.environment["SLUICE_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A Boolean value that indicates whether the hub makes its token.
    var makesToken: Bool { givenToken == "auto" }

    func validate() throws {
        if let token = givenToken {
            // A header field carries these characters as they are.
            guard !token.isEmpty, token.utf8.allSatisfy({ (33...126).contains($0) }), token.utf8.count <= 4096 else {
                throw ValidationError(
                    "a token has visible ASCII characters only, and no space: openssl rand -hex 32 makes one"
                )
            }
        }
        for proxy in proxies {
            do { _ = try ProxyAddress(proxy) } catch { throw ValidationError("--proxy: \(error)") }
        }
        if (certificate == nil) != (key == nil) {
            throw ValidationError("--tls-certificate and --tls-key go together: give both")
        }
        for name in names where name.isEmpty || !name.utf8.allSatisfy(Self.isOfName) {
            throw ValidationError("--name: '\(name)' is not a host name without a port")
        }
    }

    /// Writes these arguments into settings; a token that the hub makes is a new one each time.
    func apply(to settings: inout HubSettings) throws {
        settings.token = makesToken ? HubSettings.makeToken() : givenToken
        settings.names = names
        settings.proxies = try proxies.map { try ProxyAddress($0) }
        if let certificate, let key { settings.tls = TLSFiles(certificate: certificate, key: key) }
        let connect = try connect.settings
        settings.allowedHosts = connect.allowedHosts
        settings.filesFolder = connect.filesFolder
        settings.secrets = connect.secrets
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
#endif
