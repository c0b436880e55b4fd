#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceConnect
import SluiceJSON
import Testing

@testable import SluiceHub

/// A promise of `docs/hub-safety.md` for everything that leaves a hub, and everything that enters it.
enum SafetyPromise: String, CaseIterable {
    /// Only allowed hosts are reached.
    case egress
    /// A redirect leads to allowed hosts only.
    case redirects
    /// A secret reaches its origins only.
    case secrets
    /// Files stay in the folder.
    case files
}

/// Two servers, of which a hub may reach the first, a folder for its files, and a folder outside of it.
struct HostileWorld: Sendable {
    /// A request that has reached one of the servers.
    struct Reached: CustomStringConvertible {
        let port: Int
        let head: HTTPRequest
        let body: String

        var path: String { head.path ?? "" }
        var description: String { "\(path) \(head.headerFields.map(\.value)) \(body)" }
    }

    /// The value of the secret `key`, whose origin is the first server.
    static let secret = "v4lue-of-a-secret"

    let port: Int
    let other: Int
    let folder: URL
    let outside: URL
    /// The settings of a hub that allows the first server, and both where a secret could leave for the other one.
    let settings: HubSettings

    /// Addresses that the hub does not allow, in all spellings.
    var refused: [String] {
        [
            "http://localhost:\(other)/taken", "http://[::1]:\(other)/taken", "http://0.0.0.0:\(other)/taken",
            "http://[::ffff:127.0.0.1]:\(other)/taken", "http://2130706433:\(other)/taken",
            "http://127.1:\(other)/taken", "http://0x7f000001:\(other)/taken", "http://127.0.0.2:\(other)/taken",
            "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/", "http://192.168.0.1/",
            "http://[fe80::1]/",
            "http://user:word@127.0.0.1:\(port)/taken", "https://127.0.0.1@localhost:\(other)/taken",
            "ftp://127.0.0.1:\(port)/taken", "file:///etc/passwd", "gopher://127.0.0.1:\(other)/",
            "//localhost:\(other)/taken",
        ]
    }

    /// Makes a world while `test` runs, which also gets a function that returns the requests so far.
    static func with(
        _ promise: SafetyPromise,
        _ test: @Sendable (_ world: HostileWorld, _ reached: @Sendable () -> [Reached]) async throws -> Void
    ) async throws {
        let requests = Requests()
        let ports = Ports()
        let temporary = FileManager.default.temporaryDirectory
        let folder = temporary.appendingPathComponent(UUID().uuidString)
        let outside = temporary.appendingPathComponent(UUID().uuidString)
        for place in [
            folder, outside, folder.appendingPathComponent("folder"), folder.appendingPathComponent("inside"),
        ] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        defer { for place in [folder, outside] { try? FileManager.default.removeItem(at: place) } }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: outside.path)
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        try await Application(router: requests.router { ports.both.withLock { $0.own } }).test(.live) { own in
            try await Application(router: requests.router { ports.both.withLock { $0.other } }).test(.live) { other in
                let (port, second) = (own.port ?? 0, other.port ?? 0)
                ports.both.withLock { $0 = (port, second) }
                var settings = HubSettings()
                settings.allowedHosts = try [port, second].prefix(promise == .secrets ? 2 : 1)
                    .map { try AllowedHost("127.0.0.1:\($0)") }
                settings.filesFolder = folder.path
                settings.secrets = try Secrets(
                    parsing: #"{"key": {"value": "\#(secret)", "origins": ["http://127.0.0.1:\#(port)"]}}"#
                )
                let world = HostileWorld(
                    port: port,
                    other: second,
                    folder: folder,
                    outside: outside,
                    settings: settings
                )
                try await test(world) { requests.all.withLock { $0 } }
            }
        }
    }

    private final class Ports: Sendable {
        let both = Locked((own: 0, other: 0))
    }

    /// The requests that have reached a server. A path `/to` or `/see` is redirected to the address in its query.
    private final class Requests: Sendable {
        let all = Locked<[Reached]>([])

        func router(_ port: @escaping @Sendable () -> Int) -> Router<BasicRequestContext> {
            let router = Router()
            for method in [HTTPRequest.Method.get, .post] {
                router.on("**", method: method) { [self] request, _ in
                    let body = String(buffer: try await request.body.collect(upTo: 1 << 20))
                    all.withLock { $0.append(Reached(port: port(), head: request.head, body: body)) }
                    let target = request.uri.query?.removingPercentEncoding ?? ""
                    return switch request.uri.path {
                    case "/to": Response(status: .temporaryRedirect, headers: [.location: target])
                    case "/see": Response(status: .seeOther, headers: [.location: target])
                    default: Response(status: .noContent)
                    }
                }
            }
            return router
        }
    }
}
#endif
