import Foundation
import Hummingbird
import NIOCore
import Sluice
import SluiceFilters
import SluiceServer

/// A server that says who somebody is, as production would have it: see docs/filters-guide.md.
///
///     swift run --package-path Examples/users-server users-server [PORT [LIMIT [MILLISECONDS]]]
///
/// It answers at most LIMIT requests at the same time (16), each of which takes MILLISECONDS (100), and refuses the rest.
@main
enum UsersServer {
    static func main() async throws {
        var numbers = [8081, 16, 100]
        for (index, text) in CommandLine.arguments.dropFirst().prefix(3).enumerated() {
            guard let number = Int(text), number >= 0 else { return print("\(text) is no number") }
            numbers[index] = number
        }
        let (port, limit, milliseconds) = (numbers[0], numbers[1], numbers[2])

        // What takes its time: a database, say.
        let users = AnyNode<String, String>("users") { name in
            try await Task.sleep(for: .milliseconds(milliseconds))
            return #"{"name":"\#(name)"}"#
        }
        // One that asks for the same as another waits for its answer.
        let node = SingleFlightFilter().andThen(users)

        let router = Router()
        router.add(middleware: DeadlineMiddleware(atMost: .seconds(10)))
        router.add(middleware: FilterMiddleware(ConcurrencyFilter(.fixed(limit))))
        router.get("users/:name", use: node.handler { _, context in try context.parameters.require("name") })

        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                let text = "http://127.0.0.1:\(channel.localAddress?.port ?? port)/users/ada\n"
                FileHandle.standardOutput.write(Data(text.utf8))  // at once, also into a pipe
            }
        )
        try await application.runService()
    }
}
