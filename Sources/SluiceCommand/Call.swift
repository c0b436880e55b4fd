#if Command
import ArgumentParser
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTesting

/// `sluice call`
struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send one request through a chain and print the answer's body.",
        discussion: "The answer has to be JSON (an empty one is fine) unless --raw is given."
    )

    @Argument(help: "The method, such as GET.")
    var method: String

    @Argument(help: "The address, from http:// or https:// on.")
    var url: String

    @Option(help: "A header field, as 'Name: value'; may be given again.")
    var header: [String] = []

    @Option(help: "The body of the request.")
    var data: String?

    @Option(help: "The number of retries if there is no answer or the server fails.")
    var retry = 0

    @Option(help: "How many seconds a try may take.")
    var timeout: Double?

    @Flag(help: "Answer from the cache where HTTP allows it, and keep what may be kept.")
    var cache = false

    @Option(help: "Record the exchange into this file, or play it from there if it is there.", completion: .file())
    var cassette: String?

    @Flag(help: "Print the order of the stages to standard error, and what each of them did, when and why.")
    var explain = false

    @Flag(help: "Print the body whatever it is.")
    var raw = false

    @Flag(name: .shortAndLong, help: "Tell on standard error what happens.")
    var verbose = false

    func validate() throws {
        if HTTPRequest.Method(method.uppercased()) == nil { throw ValidationError("'\(method)' is no method") }
        if address == nil { throw ValidationError("'\(url)' is not a URL: it must begin with http:// or https://") }
        for header in header where field(header) == nil {
            throw ValidationError("'\(header)' is not a header field: write 'Name: value'")
        }
        if !(0...1000).contains(retry) { throw ValidationError("--retry takes a number from 0 to 1000") }
        if let timeout, !(timeout > 0 && timeout <= 1e6) {
            throw ValidationError("--timeout takes seconds above 0, up to 1000000")
        }
    }

    func run() async throws {
        var context = CallContext.current
        if verbose { context.log = LogHook { Output.error("\($0.level): \($0.message)") } }
        try await exiting {
            let chain = try chain()
            try await withCallContext(context) {
                do { try await print(answer(of: chain)) } catch let error as HTTPError {
                    throw failure(error)
                } catch let error
                    as CassetteError
                { throw Failure(code: .unavailable, message: "\(cassette ?? ""): error: \(error)") }
            }
        }
    }

    /// The chain that the arguments ask for.
    private func chain() throws -> RequestChain<Void, TransportResponse> {
        guard let address, let method = HTTPRequest.Method(method.uppercased()) else { throw ExitCode.usage }
        var fields = HTTPFields(header.compactMap(field))
        if fields[.accept] == nil && !raw { fields[.accept] = "application/json" }
        if data != nil && fields[.contentType] == nil { fields[.contentType] = "application/json" }

        var builder = URLChainBuilder<URL>().route(method, address).set(headers: fields)
        if retry > 0 {
            let filter = RetryFilter.http(maxAttempts: retry + 1)
            builder = builder.set(.retry, filter)
        }
        if let timeout { builder = builder.timeout(perAttempt: .seconds(timeout)) }
        if cache { builder = builder.set(.cache, CacheFilter(try HTTPCache(directory: Self.cacheFolder))) }
        if let cassette {
            do { builder = try builder.wrap(.transport, in: try Cassette(cassette), named: "cassette") } catch {
                throw Failure(code: .badData, message: "\(cassette): error: \(error)")
            }
        }
        let body = data.map { RequestBody.bytes(Array($0.utf8)) }
        return builder.build("call", write: { _, request in request.body = body }, read: { $0 })
    }

    /// The folder that keeps cached answers between commands.
    private static var cacheFolder: String { UserFolder.caches.path + "/sluice/http" }

    private func answer(of chain: RequestChain<Void, TransportResponse>) async throws -> [UInt8] {
        let response: TransportResponse
        if explain {
            let call = await chain.explain(())
            Output.error(chain.picture)
            Output.error("\(call.trail)")
            response = try call.value
        } else {
            response = try await chain.process()
        }
        let body = response.body.bytes ?? []
        if !raw && !body.isEmpty {
            do { _ = try JSONDocument(parsing: body) } catch {
                let hint = response.bodyHint.map { "; \($0)" } ?? ""
                throw HTTPError(.badBody, "the body is not JSON: \(error)\(hint)", request: request, response: response)
            }
        }
        return body
    }

    private func print(_ body: [UInt8]) throws {
        try Output.bytes(Data(body))
        if !raw, let last = body.last, last != UInt8(ascii: "\n") { try Output.line("") }
    }

    /// The request as the arguments say it, for errors that know none.
    private var request: TransportRequest? {
        address.flatMap { address in HTTPRequest.Method(method.uppercased()).map { TransportRequest($0, address) } }
    }

    private func failure(_ error: HTTPError) -> Failure {
        let code: ExitCode =
            switch error.code {
            case .badRequest: .usage
            case .badBody, .bodyTooLarge: .badData
            case .badStatus: error.response?.status.kind == .clientError ? .no : .unavailable
            default: .unavailable
            }
        var message = "\((error.request ?? request)?.summary ?? ""): error: \(error.message)"
        if let detail = error.problem?.detail { message += ": \(detail)" }
        if error.code == .badBody { message += "\n  hint: --raw prints it as it is" }
        return Failure(code: code, message: message)
    }

    private var address: URL? {
        guard let address = URL(string: url), let host = address.host, !host.isEmpty,
            ["http", "https"].contains(address.scheme?.lowercased())
        else { return nil }
        return address
    }

    private func field(_ text: String) -> HTTPField? {
        guard let colon = text.firstIndex(of: ":"), let name = HTTPField.Name(String(text[..<colon])) else {
            return nil
        }
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        guard HTTPField.isValidValue(value) else { return nil }
        return HTTPField(name: name, value: value)
    }
}
#endif
