import ArgumentParser
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON

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

    @Option(help: "Up to this many more tries when no answer comes or the server is at fault.")
    var retry = 0

    @Option(help: "How many seconds a try may take.")
    var timeout: Double?

    @Flag(help: "Print the body whatever it is.")
    var raw = false

    @Flag(name: .shortAndLong, help: "Tell on standard error what happens.")
    var verbose = false

    func validate() throws {
        if HTTPRequest.Method(method.uppercased()) == nil { throw ValidationError("'\(method)' is no method") }
        if address == nil { throw ValidationError("'\(url)' is no address: it begins with http:// or https://") }
        for header in header where field(header) == nil {
            throw ValidationError("'\(header)' is no header field: it is 'Name: value'")
        }
        if !(0...1000).contains(retry) { throw ValidationError("--retry takes a number from 0 to 1000") }
        if let timeout, !(timeout > 0 && timeout <= 1e6) {
            throw ValidationError("--timeout takes seconds above 0, up to 1000000")
        }
    }

    func run() async throws {
        guard let address, let method = HTTPRequest.Method(method.uppercased()) else { throw ExitCode.usage }
        var request = TransportRequest(method, address, body: data.map { .bytes(Array($0.utf8)) })
        request.headers = HTTPFields(header.compactMap(field))
        if request.headers[.accept] == nil && !raw { request.headers[.accept] = "application/json" }
        if request.body != nil && request.headers[.contentType] == nil {
            request.headers[.contentType] = "application/json"
        }

        var context = CallContext.current
        if verbose { context.log = LogHook { Output.error("\($0.level): \($0.message)") } }
        try await exiting {
            do {
                try await withCallContext(context) { try await send(request) }
            } catch let error as HTTPError {
                throw failure(error)
            } catch let error as TimeoutError {
                throw Failure(code: .unavailable, message: "\(request.summary): error: \(error)")
            }
        }
    }

    private func send(_ request: TransportRequest) async throws {
        let isSafe = Self.idempotent.contains(request.method)
        let retry = RetryFilter<TransportRequest, TransportResponse>(
            attempt: retry + 1,
            when: { isSafe && ($0 is TimeoutError || ($0 as? HTTPError)?.isPassing == true) },
            pause: { .milliseconds(100 << min($0 - 1, 6)) }
        )
        let chain = StatusFilter().andThen(HTTPTransport())
        let response =
            if let timeout {
                try await retry.andThen(TimeoutFilter(.seconds(timeout))).andThen(chain).process(request)
            } else {
                try await retry.andThen(chain).process(request)
            }
        let body = response.body.bytes ?? []
        if !raw && !body.isEmpty {
            do { _ = try JSONDocument(parsing: body) } catch {
                throw HTTPError(.badBody, "the body is not JSON: \(error)", request: request, response: response)
            }
        }
        try Output.bytes(Data(body))
        if !raw, let last = body.last, last != UInt8(ascii: "\n") { try Output.line("") }
    }

    /// The methods that may be sent twice.
    private static let idempotent: Set<HTTPRequest.Method> = [.get, .head, .put, .delete, .options, .trace]

    private func failure(_ error: HTTPError) -> Failure {
        let code: ExitCode =
            switch error.code {
            case .badRequest: .usage
            case .badBody, .bodyTooLarge: .badData
            case .badStatus: error.response?.status.kind == .clientError ? .no : .unavailable
            default: .unavailable
            }
        var message = "\(error.summary): error: \(error.message)"
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
