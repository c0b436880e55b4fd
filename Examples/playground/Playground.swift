import Dispatch
import Foundation
import Hummingbird
import Logging
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON

/// The requests of a request chain library, one by one, against a server that runs beside them. Change them and run
/// again:
///
///     swift run --package-path Examples/playground
@main
enum Playground {
    static func main() async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "playground")
        logger.logLevel = .critical
        let application = Application(
            router: Server.router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask {
                for await port in ports {
                    try await Route.$base.withValue(URL(string: "http://127.0.0.1:\(port)")) { try await requests() }
                    return
                }
            }
            try await group.next()
            // The server ends with the process. One that is canceled while a connection comes in stops the process with an
            // error (Hummingbird 2.28), and the pool of the client may open one more than it needs.
            exit(EXIT_SUCCESS)
        }
    }

    static func requests() async throws {
        let builder = URLChainBuilder<Route>().timeout(.seconds(10))

        show("a model there and back, over the server's own")
        let create: RequestChain<User, User> = builder.route(.post, .users).build()
        print("  \(create)\n  \(try await create.process(User(name: "Ada", age: 36)))")

        show("a list, with a query")
        let list: RequestChain<Void, [User]> = builder.route(.get, .users).set(query: ["name": "C++ & more"]).build()
        print("  \(try await list.process().map(\.name))")

        show("a form in the body")
        let form: RequestChain<UserEntry, Data> = builder.route(.post, .users).encode(as: .formURL).loadData()
        let text = try await form.process(UserEntry(id: "1", full_name: "Ada Lovelace", age: 36))
        print("  \(String(decoding: text, as: UTF8.self))")

        show("a form with a file")
        let upload: RequestChain<MultipartModel<UserEntry>, JSON> = builder.route(.post, .photos).build()
        let photo = MultipartFile.bytes([0xFF, 0xD8, 0xFF], filename: "ada.jpg")
        let entry = UserEntry(full_name: "Ada", age: 36)
        let answer = try await upload.process(MultipartModel(entry, files: ["photo": photo]))
        print(
            "  \(answer["type"]?.string ?? ""), \((answer["bytes"]?.int ?? 0) > 300 ? "all parts" : "parts are missing")"
        )

        show("an error says where, what and why")
        let nobody: RequestChain<Void, User> = builder.route(.get, .user("nobody")).build()
        do { _ = try await nobody.process() } catch let error as SluiceHTTP.HTTPError {
            print("  \(error.code), \(error.response?.status.code ?? 0): \(error.problem?.detail ?? "")")
        }
        let wrong: RequestChain<Void, [Int]> = builder.route(.get, .users).build()
        do { _ = try await wrong.process() } catch let error as SluiceHTTP.HTTPError { print("  \(error.message)") }

        show("further tries, where the server is too busy")
        let patient: RequestChain<Void, String> = builder.route(.get, .flaky).set(.retry, RetryFilter.http()).build()
        print("  \(try await patient.process())")

        show("the head first, then line by line")
        let ticks: RequestChain<Void, TransportResponse> = builder.route(.get, .ticks).loadStream()
        for try await tick in try await ticks.process().body.jsonLines(JSON.self) { print("  \(tick)") }

        show("with callbacks, in parallel")
        let ada: RequestChain<Void, User> = builder.route(.get, .user("ada")).set(callbackQueue: .global()).build()
        let both: Observer<(User, [User])> = ada.start().combine(list.start())
        let (user, users) = try await both.value
        print("  \(user.name) and \(users.count) more")
    }

    static func show(_ title: String) { print("— \(title)") }
}
