import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP

/// Bodies of 1 KB to 100 MB: the time for a byte and the memory at most, collected and streamed.
enum Growth {
    static func run(port: Int, _ folder: String) async throws {
        var times = GrowthPlot(
            file: "bodies",
            title: "Bodies of responses: time",
            sizes: "bytes",
            costs: "ns for a byte of the body"
        )
        var memory = GrowthPlot(
            file: "bodies-memory",
            title: "Bodies of responses: memory",
            sizes: "bytes",
            costs: "MB at most, beyond what the process had"
        )
        for (name, body) in [("streamed", HTTPTransport.BodyMode.streamed), ("collected", .whole(upTo: 200 << 20))] {
            var (time, space) = (GrowthPlot.Curve(name: name), GrowthPlot.Curve(name: name))
            let transport = HTTPTransport(body: body)
            for size in [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] {
                guard let url = URL(string: "http://127.0.0.1:\(port)/bytes/\(size)") else { continue }
                let request = TransportRequest(.get, url)
                _ = try await read(request, transport)
                let rounds = max(3, min(1000, 10_000_000 / size))
                let before = Memory.reset()
                let begun = processorTime
                for _ in 0..<rounds {
                    guard try await read(request, transport) == size else { throw Short() }
                }
                time.points.append((Double(size), (processorTime - begun) / Double(rounds * size)))
                space.points.append((Double(size), max(0.01, (Memory.peak - before) / 1e6)))
            }
            times.curves.append(time)
            memory.curves.append(space)
        }
        try times.write(to: folder)
        try memory.write(to: folder)
    }

    struct Short: Error {}

    private static func read(_ request: TransportRequest, _ transport: HTTPTransport) async throws -> Int {
        var count = 0
        for try await chunk in try await transport.process(request).body { count += chunk.count }
        return count
    }
}

/// The resident memory of this process, in bytes.
enum Memory {
    /// The most since the last reset.
    static var peak: Double { size("VmHWM:") }

    /// glibc's function that gives freed memory back; its header is in no module.
    private static let trim: (@convention(c) (Int) -> Int32)? = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }

    /// Resets the peak; returns the current size.
    static func reset() -> Double {
        _ = trim?(0)
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return size("VmRSS:")
    }

    private static func size(_ name: String) -> Double {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return (line.flatMap { Double($0.filter(\.isNumber)) } ?? .nan) * 1024
    }
}
