#if Command
import ArgumentParser
import Foundation
import SluiceClient
import SluiceHTTP
import SluiceRuns
import SluiceStreams

#if NATS
import SluiceNATS
#endif

/// `sluice status`
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the streams of a hub do, or the documents that hubs share.",
        discussion: """
            For a hub: a line for each stream that has run or can't, with its state, the items that came and went since \
            the hub was started, the time by which it is behind, and the outputs that its sinks have still to deliver. \
            With --nats: the documents and groups of the bucket, and the workers with their partitions. The exit code is 1 if something needs attention: a \
            stream that has failed or can't run, a sink that is blocked, or shared documents that are away.
            """
    )

    @Argument(help: "The hub's address, such as http://127.0.0.1:8080.")
    var hub: String?

    @Option(help: "The hub's token; without this option, SLUICE_TOKEN of the environment.")
    var token: String?

    @Flag(help: "Show every stream, also those that are idle.")
    var all = false

    @OptionGroup(title: "NATS")
    var nats: NATSArguments

    func validate() throws {
        guard (hub == nil) != (nats.address == nil) else {
            throw ValidationError("status takes the address of a hub, or --nats")
        }
        if let hub { _ = try HubArguments.client(of: hub, token: token) }
    }

    func run() async throws {
        try await exiting {
            guard let hub else { return try await showShared() }
            do { try await show(HubArguments.client(of: hub, token: token), at: hub) } catch let error as HTTPError {
                throw Failure(error)
            }
        }
    }

    private func show(_ client: HubClient, at address: String) async throws {
        let (health, overview) = (try await client.health(), try await client.overview())
        let heads = Dictionary(try await client.heads().map { ($0.id, $0) }) { $1 }
        var states: [HubClient.State: Int] = [:]
        for stream in overview.streams { states[stream.state, default: 0] += 1 }
        let known: [HubClient.State] = [.running, .paused, .restarting, .failed, .blocked, .completed, .idle]
        let counts = known.compactMap { state in states[state].map { "\($0) \(state)" } }
        let count = overview.streams.count + overview.others
        var line = "\(address): \(count) \(count == 1 ? "stream" : "streams")"
        if !counts.isEmpty { line += " (\(counts.joined(separator: ", ")))" }
        if let shared = health.shared { line += ", shared documents: \(shared)" }
        try Output.line(line)

        let shown = overview.streams.filter { all || $0.state != .idle || ($0.waiting ?? 0) > 0 }
        if !shown.isEmpty {
            var table = [["STREAM", "STATE", "IN", "OUT", "BEHIND", "TO DELIVER"]]
            for stream in shown {
                let lag = stream.lag.map { "\(($0 * 10).rounded() / 10) s" } ?? ""
                let waiting = stream.waiting.map { "\($0)" + (stream.isBlocked == true ? " (blocked)" : "") } ?? ""
                let figures = [stream.in, stream.out].map { $0.map { "\($0)" } ?? "" }
                table.append([stream.id, stream.state.rawValue] + figures + [lag, waiting])
            }
            for row in Self.aligned(table) { try Output.line(row) }
        }
        var needsAttention = health.shared == "away"
        for stream in overview.streams {
            let isFailed = stream.state == .failed || stream.state == .blocked
            needsAttention = needsAttention || isFailed || stream.isBlocked == true
            guard isFailed, let head = heads[stream.id] else { continue }
            let reason = head.error ?? head.errors?.first.map { "\($0)" } ?? stream.state.rawValue
            try Output.line("\(stream.id): \(reason)")
        }
        if needsAttention { throw ExitCode.no }
    }

    private func showShared() async throws {
        var host = StreamHost()
        let definitions = try await nats.definitions(&host)
        let place = nats.place ?? "NATS"
        do {
            let (documents, groups) = (try await definitions.list(), try await definitions.groups())
            let count = "\(documents.count) \(documents.count == 1 ? "document" : "documents")"
            try Output.line("\(place): \(count), \(groups.count) \(groups.count == 1 ? "group" : "groups")")
            if all {
                var table = [["STREAM", "REVISION", "NAME"]]
                table += documents.map { [$0.id, "\($0.revision)", $0.name ?? ""] }
                for row in Self.aligned(table) { try Output.line(row) }
            }
            #if NATS
            if let bucket = definitions as? NATSDefinitionStore { try await show(workersOf: bucket) }
            #endif
        } catch let error as StoreError {
            throw Failure(code: .unavailable, message: "\(place): error: \(error.reason)")
        }
    }

    #if NATS
    private func show(workersOf bucket: NATSDefinitionStore) async throws {
        let workers = try await NATSWorkerDirectory(bucket.connection).workers()
        if workers.isEmpty { return }
        var table = [["WORKER", "GROUP", "PARTITIONS", "NOT RUNNING", "MESSAGES BEHIND"]]
        var problems: [String] = []
        for worker in workers {
            let idle = worker.units.filter { $0.state != "running" && $0.state != "completed" }
            // Partitions that share a reader wait for the same messages.
            let behind = worker.units.compactMap(\.behind).max().map { "\($0)" } ?? ""
            let figures = ["\(worker.units.count)", idle.isEmpty ? "" : "\(idle.count)", behind]
            table.append([worker.name + (worker.isDraining ? " (draining)" : ""), worker.group] + figures)
            for unit in worker.units where all || unit.reason != nil {
                let lag = unit.behind.map { ", \($0) behind" } ?? ""
                let reason = unit.reason.map { ": \($0)" } ?? ""
                problems.append("\(unit.unit) on \(worker.name): \(unit.state)\(lag)\(reason)")
            }
        }
        for row in Self.aligned(table) { try Output.line(row) }
        for line in problems { try Output.line(line) }
        if workers.contains(where: { $0.units.contains { $0.state == "failed" } }) { throw ExitCode.no }
    }
    #endif

    /// Returns the rows of a table with their columns below each other. Control characters are left out.
    static func aligned(_ table: [[String]]) -> [String] {
        let cells = table.map {
            $0.map { cell in cell.filter { !($0.unicodeScalars.first?.properties.isControl ?? false) } }
        }
        let columns = cells.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return cells.map { row in
            let padded = row.enumerated().map { $1 + String(repeating: " ", count: widths[$0] - $1.count) }
            let line = padded.joined(separator: "  ")
            return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
        }
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control }
}
#endif
