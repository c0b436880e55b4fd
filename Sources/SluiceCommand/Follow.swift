#if Command
import ArgumentParser
import Foundation
import SluiceClient
import SluiceConnect
import SluiceHTTP
import SluiceStore
import SluiceStreams

/// `sluice follow`
struct Follow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the streams of a group of a hub, and apply edits while they run.",
        discussion: """
            Prints the lines of run with "stream", "revision", "run", and "sequence" added, and one for each revision that is \
            applied: {"stream": "ID", "revision": 5, "taken": "edited", "plan": […]}. The streams keep running while the hub \
            can't be reached, and resume after this process was ended or killed. They read what --allow and --files name. \
            Interrupt it (Ctrl-C) to leave the group.
            """
    )

    @OptionGroup var hub: HubArguments

    @Option(help: "The group; all has every stream.")
    var group = "all"

    @Option(help: "The name of this member in the hub; by default the name of the machine.")
    var name: String?

    @Option(
        help: """
            The SQLite file with the identity of this member, its streams, and their runs; by default one for each hub, \
            group, and --name.
            """,
        completion: .file()
    )
    var store: String?

    @Option(help: "Stop after this many values.")
    var take: Int?

    @Option(help: "How many times in a row a stream that has failed is restarted.")
    var restarts = 5

    @OptionGroup var limits: LimitArguments

    @OptionGroup var connect: ConnectArguments

    func validate() throws {
        if let take, take < 0 { throw ValidationError("--take takes a number from 0") }
        if restarts < 0 { throw ValidationError("--restarts takes a number from 0") }
        if store?.isEmpty == true { throw ValidationError("--store takes the path of a file") }
        if group.isEmpty { throw ValidationError("--group takes the name of a group") }
    }

    func run() async throws {
        try await exiting {
            if take == 0 { return }
            var settings = GroupFollower<ContinuousClock>.Settings()
            settings.name = name ?? Self.machineName
            settings.restart = .onFailure(from: .seconds(1), to: .seconds(60), maxRestarts: restarts)
            limits.apply(to: &settings)
            settings.host = try connect.settings.host()
            let path = store ?? FollowerStore.path(hub: hub.hub, group: group, name: name)
            settings.store = try FollowerStore.open(path)
            let follower = GroupFollower(try hub.client(), group: group, settings: settings, clock: .continuous)
            let left = take
            let work = Task { try await Self.follow(follower, taking: left, hub: hub.hub) }
            let interrupt = Interrupt { work.cancel() }
            defer { interrupt.end() }
            do { try await work.value } catch let error as HTTPError { throw Failure(error) } catch is CancellationError
            {
                throw ExitCode.interrupted
            } catch let error as GroupFollowerError {
                throw Failure(code: .usage, message: "\(path): error: \(error)")
            } catch let error as StoreError {
                throw Failure(code: .unavailable, message: "\(path): error: \(error.reason)")
            } catch let error as ServerSentEventError {
                throw Failure(code: .badData, message: "\(hub.hub): error: \(error)")
            }
        }
    }

    /// Prints the notices until enough values were printed.
    private static func follow(
        _ follower: GroupFollower<ContinuousClock>,
        taking count: Int?,
        hub: String
    ) async throws {
        var left = count
        do {
            try await follower.run { notice in
                if let line = notice.line { try Output.line(line) }
                switch notice {
                case .event(_, _, let event):
                    if event.value != nil { left = left.map { $0 - 1 } }
                    // Not by an error: the value was printed, and is not to come again.
                    if left == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                case .hubIsAway(let reason): Output.error("\(hub): note: cannot be reached: \(reason)")
                case .hubIsBack: Output.error("\(hub): note: can be reached again")
                case .restored(let count): Output.error("\(hub): note: resumed from the store with \(count) documents")
                case .problem(let text): Output.error("\(hub): note: \(text)")
                default: break
                }
            }
        } catch is CancellationError where left == 0 {}
    }

    /// The name of the machine.
    static var machineName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "follower" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
