import ArgumentParser
import Foundation
import HTTPTypes
import SluiceClient
import SluiceHTTP

/// Which hub a command speaks to.
struct HubArguments: ParsableArguments {
    @Argument(help: "The hub's address, such as http://127.0.0.1:8080.")
    var hub: String

    @Option(
        help: """
            What the hub asks for. Others on this machine see what stands on a command line: the environment's \
            SLUICE_TOKEN is taken where this is not given.
            """
    )
    var token: String?

    func validate() throws {
        if url == nil { throw ValidationError("'\(hub)' is no address: it begins with http:// or https://") }
        if token?.isEmpty == true { throw ValidationError("--token takes what the hub was started with") }
    }

    /// What speaks to it.
    ///
    /// - Parameter author: who writes, for the history.
    func client(author: String? = nil) throws -> HubClient {
        guard let url else { throw ExitCode.usage }
        let given = ProcessInfo.processInfo.environment["SLUICE_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        return HubClient(url, token: token ?? given, author: author)
    }

    private var url: URL? {
        guard let url = URL(string: hub), url.host?.isEmpty == false,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { return nil }
        return url
    }
}

extension Failure {
    /// What a hub said, or why it said nothing.
    init(_ error: HTTPError) {
        let code: ExitCode =
            switch error.code {
            case .badRequest: .usage
            case .badBody, .bodyTooLarge: .badData
            case .badStatus: error.response?.status.kind == .clientError ? .no : .unavailable
            default: .unavailable
            }
        var message = "\(error.summary): error: \(error.message)"
        if let detail = error.problem?.detail { message += ": \(detail)" }
        if error.response?.status.code == 401 { message += "\n  hint: --token, or SLUICE_TOKEN in the environment" }
        self.init(code: code, message: message)
    }
}

/// Does something for each of several things; what fails is told, and keeps nothing from the others.
///
/// - Throws: the code of the first failure; what is no failure of one thing alone.
nonisolated(nonsending) func forEach<Item>(
    of items: [Item],
    _ body: nonisolated(nonsending) (Item) async throws -> Void
) async throws {
    var first: ExitCode?
    for item in items {
        do { try await body(item) } catch let failure as Failure {
            let code = failure.report()
            first = first ?? code
            if code == .unavailable { break }  // the hub is gone for the others too
        }
    }
    if let first { throw first }
}
