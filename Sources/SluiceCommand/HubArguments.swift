#if Command
import ArgumentParser
import Foundation
import HTTPTypes
import SluiceClient
import SluiceHTTP

/// The address and token of the hub that a command uses.
struct HubArguments: ParsableArguments {
    @Argument(help: "The hub's address, such as http://127.0.0.1:8080.")
    var hub: String

    @Option(
        help: """
            The hub's token. Other users of this machine can read the command line: prefer SLUICE_TOKEN in the \
            environment, which is used without this option.
            """
    )
    var token: String?

    func validate() throws {
        if url == nil { throw ValidationError("'\(hub)' is not a URL: it must begin with http:// or https://") }
        if token?.isEmpty == true { throw ValidationError("--token is empty: give the hub's token") }
    }

    /// Returns a client of the hub.
    ///
    /// - Parameter author: the author of writes, for the history.
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
    /// Makes a failure from an error response, or from the reason that the hub can't be reached.
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

/// Runs a closure for each item. A failure is reported and does not stop the others.
///
/// - Throws: the code of the first failure; errors that concern more than one item.
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
#endif
