import ArgumentParser
import Foundation
import SluiceHub

/// Who may reach a hub, and what it may reach.
struct SafetyArguments: ParsableArguments {
    @Option(
        help: """
            What every request has to bear. Others on this machine see what stands on a command line (ps): the \
            environment's SLUICE_TOKEN is taken where this is not given.
            """
    )
    var token: String?

    @Option(
        name: .customLong("name"),
        help: "A name by which the hub may be called, such as hub.example.com; repeatable."
    )
    var names: [String] = []

    @Option(
        name: .customLong("allow"),
        help: """
            What streams may reach over HTTP: example.com, example.com:8443, 192.0.2.1 or 10.0.0.0/8; repeatable. Names \
            lead to public addresses only, unless those are listed too.
            """
    )
    var allowed: [String] = []

    @Option(help: "The folder whose files streams may read; none where it is not given.")
    var lines: String?

    @Flag(help: "A proxy stands in front that sets X-Forwarded-For and X-Forwarded-Proto.")
    var proxy = false

    /// The token that was given, be it here or in the environment.
    var givenToken: String? {
        token ?? ProcessInfo.processInfo.environment["SLUICE_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func validate() throws {
        if let token = givenToken {
            // What a header field can carry as it is.
            guard !token.isEmpty, token.utf8.allSatisfy({ (33...126).contains($0) }), token.utf8.count <= 4096 else {
                throw ValidationError(
                    "a token has visible ASCII characters only, and no space: openssl rand -hex 32 makes one"
                )
            }
        }
        for host in allowed {
            do { _ = try AllowedHost(host) } catch { throw ValidationError("--allow: \(error)") }
        }
        if let lines {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: lines, isDirectory: &isFolder), isFolder.boolValue else {
                throw ValidationError("--lines takes a folder: '\(lines)' is none")
            }
        }
        for name in names where name.isEmpty || !name.utf8.allSatisfy(Self.isOfName) {
            throw ValidationError("--name takes the name of a host, without a port: '\(name)' is none")
        }
    }

    /// Writes what was given into settings.
    func apply(to settings: inout HubSettings) throws {
        settings.token = givenToken
        settings.names = names
        settings.trustsProxy = proxy
        settings.allowedHosts = try allowed.map { try AllowedHost($0) }
        settings.linesFolder = lines
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
