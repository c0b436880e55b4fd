import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON

/// Asks the users server through the filters of a document: see docs/filters-guide.md.
///
///     swift run --package-path Examples/users-client users-client [URL [STACK [CALLS]]]
///
/// Calls five times, a second apart. The document is read again before each call, and what was edited is taken up while the
/// program runs. Exits with 0 if the last call was answered, with 69 if it failed.
@main
enum UsersClient {
    static func main() async throws {
        var arguments = ["http://127.0.0.1:8081/users/ada", "Examples/users-client/stack.json", "5"]
        for (index, text) in CommandLine.arguments.dropFirst().prefix(3).enumerated() { arguments[index] = text }
        guard let url = URL(string: arguments[0]) else { fail(64, "\(arguments[0]) is no URL") }
        guard let calls = Int(arguments[2]), calls > 0 else { fail(64, "\(arguments[2]) is no number of calls") }
        let file = arguments[1]

        let stack = make(from: file)
        for finding in stack.document.lint() { print("\(file):\(finding)") }
        let node = stack.andThen(StatusFilter()).andThen(HTTPTransport())

        for number in 1...calls {
            if number > 1 { try await Task.sleep(for: .seconds(1)) }
            do {
                let change = try stack.replace(parsing: String(contentsOfFile: file, encoding: .utf8))
                if !(change.reset + change.added + change.dropped).isEmpty { print(change) }
            } catch { print("\(file): \(error)\nthe old one goes on") }
            let call = await node.explain(TransportRequest(.get, url))
            print(call.trail)
            switch call.result {
            case .success(let response): print(String(decoding: response.body.bytes ?? [], as: UTF8.self))
            case .failure(let error):
                print("failed: \(error)")
                if number == calls { exit(69) }
            }
        }
    }

    private static func make(from file: String) -> StackFilter<TransportRequest, TransportResponse> {
        let bindings = StackBindings<TransportRequest, TransportResponse>(
            isIdempotent: { [.get, .head, .put, .delete].contains($0.method) }
        )
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { fail(64, "\(file) cannot be read") }
        do {
            return try StackFilter(parsing: text, bindings: bindings)
        } catch {
            fail(65, error.diagnostics(file: file))
        }
    }

    /// Says what is wrong, and ends the program.
    private static func fail(_ code: Int32, _ text: String) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(code)
    }
}
