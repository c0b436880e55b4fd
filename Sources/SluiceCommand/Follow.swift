import ArgumentParser
import Foundation
import SluiceClient
import SluiceHTTP
import SluiceStreams

/// `sluice follow`
struct Follow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the streams of a group of a hub, and take edits while they run.",
        discussion: """
            Prints the lines of run with "stream" and "revision" added, and one for each revision that is taken up:
            {"stream": "ID", "revision": 5, "taken": "edited", "plan": […]}. What runs runs on while the hub is away. Streams
            read nothing of the outside world. Interrupt it (Ctrl-C) to leave the group.
            """
    )

    @OptionGroup var hub: HubArguments

    @Option(help: "The group; all has every stream.")
    var group = "all"

    @Option(help: "What the hub shows as the name of this member; the machine and the process where it is not given.")
    var name: String?

    @Option(help: "The file that keeps the streams, to begin from while the hub is away.")
    var state: String?

    @Option(help: "Stop after this many values.")
    var take: Int?

    @Option(help: "How often in a row a stream that has failed begins again.")
    var restarts = 5

    func validate() throws {
        if let take, take < 0 { throw ValidationError("--take takes a number from 0") }
        if restarts < 0 { throw ValidationError("--restarts takes a number from 0") }
        if state?.isEmpty == true { throw ValidationError("--state takes the path of a file") }
        if group.isEmpty { throw ValidationError("--group takes the name of a group") }
    }

    func run() async throws {
        try await exiting {
            if take == 0 { return }
            var settings = GroupFollower<ContinuousClock>.Settings()
            settings.name = name ?? Self.processName
            settings.stateFile = state
            settings.restart.attempts = restarts
            let follower = GroupFollower(try hub.client(), group: group, settings: settings, clock: .continuous)
            let left = take
            let work = Task { try await Self.follow(follower, taking: left, hub: hub.hub) }
            let interrupt = Interrupt { work.cancel() }
            defer { interrupt.end() }
            do { try await work.value } catch let error as HTTPError { throw Failure(error) } catch is CancellationError
            {
                throw ExitCode.interrupted
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
        struct Enough: Error {}
        var left = count
        do {
            try await follower.run { notice in
                if let line = notice.line { try Output.line(line) }
                switch notice {
                case .event(_, _, let event):
                    if event.value != nil { left = left.map { $0 - 1 } }
                    if left == 0 { throw Enough() }
                case .hubIsAway(let reason): Output.error("\(hub): note: cannot be reached: \(reason)")
                case .hubIsBack: Output.error("\(hub): note: is there again")
                case .restored(let count): Output.error("\(hub): note: \(count) documents are taken from the file")
                case .problem(let text): Output.error("\(hub): note: \(text)")
                default: break
                }
            }
        } catch is Enough {}
    }

    /// `name-of-the-machine-1234`.
    private static var processName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        let isNamed = gethostname(&bytes, bytes.count - 1) == 0
        let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let machine = isNamed ? String(decoding: name, as: UTF8.self) : "follower"
        return "\(machine)-\(ProcessInfo.processInfo.processIdentifier)"
    }
}
