import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON

/// Asks the users server through the filters of a document: see docs/filters-guide.md.
///
///     swift run users-client [URL [STACK]]
///
/// The document is read again before each call, and what was edited is taken up while the program runs.
@main
enum UsersClient {
    static func main() async throws {
        var arguments = ["http://127.0.0.1:8081/users/ada", "Examples/users-client/stack.json"]
        for (index, text) in CommandLine.arguments.dropFirst().prefix(2).enumerated() { arguments[index] = text }
        guard let url = URL(string: arguments[0]) else { return print("\(arguments[0]) is no URL") }
        let file = arguments[1]

        let bindings = StackBindings<TransportRequest, TransportResponse>(
            isIdempotent: { [.get, .head, .put, .delete].contains($0.method) }
        )
        let stack: StackFilter<TransportRequest, TransportResponse>
        do {
            stack = try StackFilter(parsing: String(contentsOfFile: file, encoding: .utf8), bindings: bindings)
        } catch let errors as JSONErrors {
            return print(errors.diagnostics(file: file))
        }
        for finding in stack.document.lint() { print("\(file):\(finding)") }
        let node = stack.andThen(StatusFilter()).andThen(HTTPTransport())

        for _ in 1...5 {
            do {
                let change = try stack.replace(parsing: String(contentsOfFile: file, encoding: .utf8))
                if change.kept.count != stack.document.filters.count + 1 { print(change) }
            } catch { print("\(file): \(error)\nthe old one goes on") }
            let call = await node.explain(TransportRequest(.get, url))
            print(call.trail)
            switch call.result {
            case .success(let response): print(String(decoding: response.body, as: UTF8.self))
            case .failure(let error): print("failed: \(error)")
            }
            try await Task.sleep(for: .seconds(1))
        }
    }
}
