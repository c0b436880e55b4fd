import Foundation
import SluiceRuns
import SluiceStore

/// The growth of a hub: 1 to 100,000 stored streams, and 1 to 10,000 subscribers of one of them.
enum Growth {
    /// - Parameter name: The only picture, for a profiler; `nil` for both.
    static func run(_ folder: URL, to pictures: String, isQuick: Bool, only name: String?) async throws {
        let streams = isQuick ? [1, 10, 100, 1000] : [1, 10, 100, 1000, 10_000, 100_000]
        let subscribers = isQuick ? [1, 10, 100, 1000] : [1, 10, 100, 1000, 10_000]
        if name ?? "streams" == "streams" { try await measureStreams(folder, streams).write(to: pictures) }
        if name ?? "subscribers" == "subscribers" {
            try await measureSubscribers(folder, subscribers).write(to: pictures)
        }
    }

    /// The time of one read, of one write, and of a start, and the memory, with so many stored streams.
    private static func measureStreams(_ folder: URL, _ counts: [Int]) async throws -> GrowthPlot {
        var plot = GrowthPlot(
            file: "streams",
            title: "Stored streams of a hub",
            sizes: "streams",
            costs: "ms for a request or a start; MB of memory"
        )
        var start = GrowthPlot.Curve(name: "start, ms")
        var reading = GrowthPlot.Curve(name: "GET of one, ms")
        var writing = GrowthPlot.Curve(name: "PUT of one, ms")
        var memory = GrowthPlot.Curve(name: "memory, MB")
        for count in counts {
            let name = "growth-\(count)"
            var drafts = [StreamDraft(id: Sample.id, name: "Ticks", text: Sample.text)]
            for number in 1..<max(count, 1) {
                let (id, name) = ("stream-\(number)", "Stream \(number)")
                let text = #"{"id": "\#(id)", "name": "\#(name)", "source": {"interval": {"seconds": 1}}}"#
                drafts.append(StreamDraft(id: id, name: name, text: text))
            }
            do {
                let store = try SQLiteStreamStore(path: folder.appendingPathComponent("\(name).sqlite").path)
                try await store.create(drafts, by: "bench")
            }
            let hub = try ServerProcess.hub(folder, name)
            defer { hub.stop() }
            let control = try Connection(port: hub.port)
            let size = Double(count)
            start.points.append((size, hub.start))
            reading.points.append((size, try time(50) { _ in try control.get("/streams/\(Sample.id)") }))
            let puts = try time(50) { number in
                let text =
                    #"{"id": "\#(Sample.id)", "name": "Ticks", "source": {"interval": {"seconds": \#(number + 2)}}}"#
                try control.write("PUT", "/streams/\(Sample.id)", text, ["If-Match": "\"\(number + 1)\""])
            }
            writing.points.append((size, puts))
            memory.points.append((size, hub.memory / 1024))
        }
        plot.curves = [start, reading, writing, memory]
        return plot
    }

    private static func time(_ count: Int, _ body: (Int) throws -> Void) throws -> Double {
        median(try (0..<count).map { number in try ContinuousClock().measure { try body(number) } / .milliseconds(1) })
    }

    /// The processor time of the hub for a value to one subscriber, and the memory of one.
    private static func measureSubscribers(_ folder: URL, _ counts: [Int]) async throws -> GrowthPlot {
        var plot = GrowthPlot(
            file: "subscribers",
            title: "Subscribers of a stream",
            sizes: "subscribers",
            costs: "µs for an event to one; KB for one"
        )
        var time = GrowthPlot.Curve(name: "processor time, µs")
        var memory = GrowthPlot.Curve(name: "memory, KB")
        for count in counts {
            let hub = try ServerProcess.hub(folder, "few")
            defer { hub.stop() }
            let audience = try await Audience(hub, size: count)
            // The clock of the processor time ticks 100 times a second.
            for _ in 0..<max(5, min(2000, 100_000 / count)) { try await audience.hear() }
            let figures = Dictionary(uniqueKeysWithValues: audience.figures.map { ($0.name, $0.value) })
            print("\(count) subscribers are measured")
            time.points.append((Double(count), max(0.01, figures["µs used for one to one"] ?? .nan)))
            if count >= 100 { memory.points.append((Double(count), max(0.01, figures["memory each, KB"] ?? .nan))) }
            try await audience.leave()
        }
        plot.curves = [time, memory]
        return plot
    }
}
