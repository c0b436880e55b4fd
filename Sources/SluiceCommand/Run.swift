#if Command
import ArgumentParser
import Foundation
import SluiceClient
import SluiceConnect
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// `sluice run`
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a stream document: one JSON object a line, a marble diagram, or a tunnel.",
        discussion: """
            Prints {"time": 1, "value": 1} for each value, with the seconds since the start, and at the end
            {"time": 4, "completed": true} or {"time": 4, "error": "…"}. References lead to the documents in the same
            folder. The sinks of the document deliver each value, and the command ends when they have all; with --virtual, and
            under --no-sinks, they deliver nothing.
            """
    )

    /// The format of the output.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case json, marbles, tunnel
    }

    @Argument(help: "The document; - is standard input.", completion: .file())
    var file: String

    @Flag(help: "Jump from event to event instead of waiting.")
    var virtual = false

    @Option(help: "Stop after this many seconds of the stream's time.")
    var until: Double?

    @Option(help: "Stop after this many values.")
    var take: Int?

    @Option(help: "json: an object a line; marbles: one diagram at the end; tunnel: a live picture in the terminal.")
    var format = Format.json

    @Option(help: "How many seconds a character of the diagram lasts.")
    var frame = 1.0

    @Flag(help: "Deliver nothing to the sinks of the document.")
    var noSinks = false

    @Option(
        help: """
            The hub whose streams the source subscribe reads, such as http://127.0.0.1:8080. Its token is SLUICE_TOKEN in \
            the environment.
            """
    )
    var hub: String?

    @OptionGroup var connect: ConnectArguments

    func validate() throws {
        if let hub { _ = try HubArguments.client(of: hub) }
        if let until, StreamTime(seconds: until) == nil {
            throw ValidationError("--until takes seconds from 0 to \(Int(StreamTime.maximumSeconds))")
        }
        if let take, take < 0 { throw ValidationError("--take takes a number from 0") }
        guard let time = StreamTime(seconds: frame), time > .zero else {
            throw ValidationError("--frame takes seconds above 0 and to \(Int(StreamTime.maximumSeconds))")
        }
    }

    func run() async throws {
        try await exiting {
            let source = DocumentFile(path: file)
            let document = try source.read()
            let flow: Flow<JSON>
            let library = DocumentLibrary([(source, document)]).library(for: document, in: source)
            do throws(JSONErrors) {
                flow = try document.flow(in: library)
            } catch {
                throw source.failure(error)
            }
            if take == 0 { return }
            let host = try host(stacks: library)
            let missing = virtual ? [] : document.missingSources(in: host)
            guard missing.isEmpty else { throw source.failure(JSONErrors(missing)) }
            var printer: any EventPrinter =
                switch format {
                case .json: LinePrinter()
                case .marbles: MarblePrinter(frame: StreamTime(seconds: frame) ?? .zero)
                case .tunnel: TunnelPrinter(title: document.name ?? source.name)
                }
            var deliveries: LocalDeliveries?
            if !virtual, !noSinks, !document.sinks.isEmpty {
                let note: @Sendable (String) -> Void = { Output.error("\(source.name): note: \($0)") }
                deliveries = try LocalDeliveries(of: document, in: library, host: host, log: note)
            }
            do { try await print(flow, with: &printer, host: host, deliveries) } catch let error
                as LocalDeliveries.BlockedError
            {
                throw Failure(code: .unavailable, message: "\(source.name): error: \(error)")
            } catch let error as StreamError {
                throw Failure(code: .no, message: "\(source.name): error: \(error)")
            }
        }
    }

    /// Returns what the document may read.
    private func host(stacks library: StreamLibrary) throws -> StreamHost {
        // Whoever runs the command may read these files, and their own standard input.
        var host = StreamHost()
        if connect.files == nil { host.registerLines() }
        host = try connect.settings.host(adding: host)
        if let hub { host.registerSubscriptions(of: try HubArguments.client(of: hub)) }
        host.stacks = NamedStacks(of: host.stacks, orElse: library)
        return host
    }

    private func print(
        _ flow: Flow<JSON>,
        with printer: inout any EventPrinter,
        host: StreamHost,
        _ deliveries: LocalDeliveries?
    )
        async throws
    {
        let limit = until.flatMap(StreamTime.init(seconds:))
        var left = take
        var failure: StreamEvent<JSON>?
        func isLast(_ event: StreamEvent<JSON>) -> Bool {
            if case .failed = event.kind { failure = event }
            if case .value = event.kind { left = left.map { $0 - 1 } }
            return event.isLast || left == 0
        }
        if virtual {
            for event in flow.virtualEvents(until: limit) {
                try printer.print(event, isFollowed: true)
                if isLast(event) { break }
            }
        } else {
            var events = flow.events(until: limit, host: host).makeAsyncIterator()
            while let event = try await events.next() {
                // A delivery may wait.
                try printer.print(event, isFollowed: events.hasEvent && deliveries == nil)
                try await deliveries?.publish(event)
                if isLast(event) { break }
            }
        }
        try printer.finish(until: limit)
        for sink in try await deliveries?.finish() ?? [] where sink.failed > 0 {
            Output.error("\(sink.sink): error: \(sink.failed) of its outputs were given up")
            throw ExitCode.no
        }
        if failure != nil { throw ExitCode.no }
    }
}
#endif
