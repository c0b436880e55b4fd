import ArgumentParser
import Foundation
import SluiceJSON
import SluiceStreams

/// `sluice run`
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a stream document, one JSON object a line.",
        discussion: """
            Prints {"time": 1, "value": 1} for each value, with the seconds since the start, and at the end
            {"time": 4, "completed": true} or {"time": 4, "error": "…"}.
            """
    )

    @Argument(help: "The document; - is standard input.")
    var file: String

    @Flag(help: "Jump from event to event instead of waiting.")
    var virtual = false

    @Option(help: "Stop after this many seconds of the stream's time.")
    var until: Double?

    @Option(help: "Stop after this many values.")
    var take: Int?

    func validate() throws {
        if let until, StreamTime(seconds: until) == nil {
            throw ValidationError("--until takes seconds from 0 to \(Int(StreamTime.maximumSeconds))")
        }
        if let take, take < 0 { throw ValidationError("--take takes a number from 0") }
    }

    func run() async throws {
        try await exiting {
            let document = try DocumentFile(path: file).read()
            let limit = until.flatMap(StreamTime.init(seconds:))
            var left = take
            if left == 0 { return }
            if virtual {
                for event in document.virtualEvents(until: limit) where try print(event, &left) { return }
            } else {
                for try await event in document.events(until: limit) where try print(event, &left) { return }
            }
        }
    }

    /// Prints an event.
    ///
    /// - Returns: whether it was the last one wanted; throws when the stream failed.
    private func print(_ event: StreamEvent<JSON>, _ left: inout Int?) throws -> Bool {
        try Output.line(event.line)
        if case .failed = event.kind { throw ExitCode.no }
        if case .value = event.kind { left = left.map { $0 - 1 } }
        return left == 0
    }
}
