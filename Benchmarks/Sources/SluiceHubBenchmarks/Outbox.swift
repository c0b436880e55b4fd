import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// Deliveries: the outputs of a stream, posted by its sink, beside a bare loop of the same HTTP client with the same bodies and
/// as many requests in flight. The receiver is a process of its own, and the same for both.
enum Outbox {
    /// The number of requests in flight.
    static let concurrency = 16
    /// The share of the bare loop's throughput that issue 17 asks for.
    static let aim = 0.5

    static func measure(_ folder: URL, rounds: Int, count: Int, _ bounds: BoundCheck) async throws {
        let receiver = try ServerProcess.bare(folder, "few")
        defer { receiver.stop() }
        var report = Report()
        for round in 0..<rounds {
            let bare = try await post(count, to: receiver.port)
            let hub = try await deliver(count, to: receiver.port, folder, round)
            report.add("outputs a second", hub: Double(count) / hub, bare: Double(count) / bare)
        }
        report.show("\(count) outputs, \(concurrency) in flight")
        bounds.note("hub/outbox/outputs", ratio: report.ratio("outputs a second") / aim)
    }

    /// The number of the next request, which tasks take.
    private final class Next: Sendable {
        private let number = Atomic(0)

        func take() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }
    }

    private static func address(_ port: Int) -> String { "http://127.0.0.1:\(port)/sink" }

    /// Returns the seconds in which a bare client posts the numbers.
    private static func post(_ count: Int, to port: Int) async throws -> Double {
        let next = Next()
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = concurrency
        let client = HTTPClient(configuration: configuration)
        defer { Task { try await client.shutdown() } }
        return try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<concurrency {
                    group.addTask {
                        while true {
                            let number = next.take()
                            if number >= count { return }
                            var request = HTTPClientRequest(url: address(port))
                            request.method = .POST
                            request.headers.add(name: "Content-Type", value: "application/json")
                            request.body = .bytes(ByteBuffer(string: "\(number)"))
                            let response = try await client.execute(request, deadline: .distantFuture)
                            guard response.status == .ok else { throw Connection.Broken() }
                            for try await _ in response.body {}
                        }
                    }
                }
                try await group.waitForAll()
            }
        } / .seconds(1)
    }

    /// Returns the seconds in which a hub delivers the numbers, from the start of the stream that gives them.
    private static func deliver(_ count: Int, to port: Int, _ folder: URL, _ round: Int) async throws -> Double {
        let hub = try ServerProcess.hub(folder, "outbox-\(round)")
        defer { hub.stop() }
        let control = try Connection(port: hub.port)
        let text = #"""
            {"id": "out", "source": {"range": {"count": \#(count)}},
             "sinks": [{"id": "s", "post": {"url": "\#(address(port))", "concurrency": \#(concurrency), "key": "x"}}]}
            """#
        try control.write("PUT", "/streams/out", text, ["If-None-Match": "*"])
        let begun = ContinuousClock.now
        try control.post("/streams/out/start")
        while true {
            let body = String(decoding: try control.get("/streams/out/sinks").body, as: UTF8.self)
            if let match = body.firstMatch(of: /"delivered": ?([0-9]+)/), Int(match.1) ?? 0 >= count { break }
            guard !body.contains("blocked") else { throw Connection.Refused(answer: body) }
            try await Task.sleep(for: .milliseconds(5))
        }
        return (ContinuousClock.now - begun) / .seconds(1)
    }
}
