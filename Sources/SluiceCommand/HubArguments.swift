#if Command
import ArgumentParser
import Foundation
import HTTPTypes
import SluiceClient
import SluiceHTTP
import SluiceJSON

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
        _ = try Self.url(hub)
        if token?.isEmpty == true { throw ValidationError("--token is empty: give the hub's token") }
    }

    /// Returns a client of the hub.
    ///
    /// - Parameter author: the author of writes, for the history.
    func client(author: String? = nil) throws -> HubClient {
        try Self.client(of: hub, token: token, author: author)
    }

    /// Returns a client of the hub with an address. Without a token it is the one in the environment.
    static func client(of hub: String, token: String? = nil, author: String? = nil) throws -> HubClient {
        let given = ProcessInfo.processInfo.environment["SLUICE_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        return HubClient(try url(hub), token: token ?? given, author: author)
    }

    private static func url(_ hub: String) throws -> URL {
        guard let url = URL(string: hub), url.host?.isEmpty == false,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { throw ValidationError("'\(hub)' is not a URL: it must begin with http:// or https://") }
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
        for line in error.dependentErrors.prefix(20) { message += "\n  \(line)" }
        if error.response?.status.code == 401 { message += "\n  hint: --token, or SLUICE_TOKEN in the environment" }
        self.init(code: code, message: message)
    }
}

extension HTTPError {
    /// The errors of the streams that an edit would break, as the hub lists them in its refusal.
    fileprivate var dependentErrors: [String] {
        struct Refusal: Decodable { let dependents: [HubClient.StackPlan.Dependent] }
        guard let bytes = response?.body.bytes, let refusal = try? SluiceJSONDecoder().decode(Refusal.self, from: bytes)
        else { return [] }
        return refusal.dependents.flatMap { dependent in
            dependent.errors.map { "\(dependent.name ?? dependent.id): \($0)" }
        }
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
