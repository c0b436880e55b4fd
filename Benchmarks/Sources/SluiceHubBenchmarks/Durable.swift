import Foundation
import SluiceRuns
import SluiceStore

/// The cost of durability: 1,000 streams that tick once a second, and one that ticks 1,000 times a second, all durable.
///
/// The processor time and the bytes are those of the hub's process, whatever it does. The bytes are those that it has given
/// to the system's calls for writing: what it appends to the log of SQLite, and what goes from there to the file.
enum Durable {
    /// The streams that tick once a second.
    static let slow = 1000
    /// The aims that issue 14 gives: microseconds and bytes for a value, and milliseconds of lateness.
    static let aims = (processor: 60.0, bytes: 500.0, jitter: 3.0)

    static func prepare(_ folder: URL) async throws {
        let text = #""operators": [{"scan": {"initialValue": 0, "expression": "acc + x"}}]}"#
        var drafts = [
            StreamDraft(
                id: "fast",
                name: "Fast",
                text: #"{"id": "fast", "name": "Fast", "source": {"interval": {"seconds": 0.001}}, "# + text
            )
        ]
        for number in 0..<slow {
            let head = #"{"id": "slow-\#(number)", "name": "Slow \#(number)", "source": {"interval": {"seconds": 1}}, "#
            drafts.append(StreamDraft(id: "slow-\(number)", name: "Slow \(number)", text: head + text))
        }
        let store = try SQLiteStreamStore(path: path(folder))
        try await store.create(drafts, by: "bench")
    }

    private static func path(_ folder: URL) -> String { folder.appendingPathComponent("durable.sqlite").path }

    /// The values that are stored.
    private static func count(_ store: SQLiteStreamStore) async throws -> Int {
        try await store.runs().reduce(0) { $0 + $1.outputs }
    }

    static func measure(_ folder: URL, seconds: Int, _ bounds: BoundCheck) async throws {
        try await prepare(folder)
        let hub = try ServerProcess.hub(folder, "durable")
        defer { hub.stop() }
        let control = try Connection(port: hub.port)
        try control.post("/streams/fast/start")
        for number in 0..<slow { try control.post("/streams/slow-\(number)/start") }
        let store = try SQLiteStreamStore(path: path(folder))
        // What beginning costs is not counted.
        try await Task.sleep(for: .seconds(5))
        let values = try await count(store)
        let (processor, bytes, begun) = (hub.processorTime, hub.bytesWritten, ContinuousClock.now)
        try await Task.sleep(for: .seconds(seconds))
        let (used, written, time) = (
            hub.processorTime - processor, hub.bytesWritten - bytes, (ContinuousClock.now - begun) / .seconds(1)
        )
        let new = Double(try await count(store) - values)
        let lateness = try await jitter(hub.port)
        let (each, size) = (used / new * 1e6, written / new)
        print("\n" + columns("durable values", "reached", "aim"))
        print(columns("values a second", String(format: "%.0f", new / time), "\(slow + 1000)"))
        print(columns("µs used for one", String(format: "%.1f", each), "\(Int(aims.processor))"))
        print(columns("bytes for one", String(format: "%.0f", size), "\(Int(aims.bytes))"))
        print(columns("late by, 99 %, ms", String(format: "%.2f", lateness), "\(Int(aims.jitter))"))
        bounds.note("hub/durable/processor time of a value", ratio: aims.processor / each)
        bounds.note("hub/durable/bytes of a value", ratio: aims.bytes / size)
        bounds.note("hub/durable/jitter", ratio: aims.jitter / lateness)
    }

    /// The time in milliseconds by which 99 of 100 values of a fast stream are late at most, as a subscriber sees them.
    private static func jitter(_ port: Int) async throws -> Double {
        let subscriber = try Connection(port: port)
        try subscriber.ask("GET /streams/slow-7/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        var late: [Double] = []
        let subscribed = ContinuousClock.now
        // What is kept of the run comes first, all at once.
        while late.count < 20 {
            let text = String(decoding: try subscriber.piece(), as: UTF8.self)
            let now = ContinuousClock.now
            if now - subscribed < .milliseconds(500) { continue }
            for match in text.matches(of: /"stage": 1, "time": ([0-9.]+)/) {
                guard let time = Double(match.1) else { continue }
                late.append((now - subscribed) / .milliseconds(1) - time * 1000)
            }
        }
        let fast = try Connection(port: port)
        try fast.ask("GET /streams/fast/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        var fastLate: [Double] = []
        let begun = ContinuousClock.now
        while fastLate.count < 5000 {
            let text = String(decoding: try fast.piece(), as: UTF8.self)
            let now = ContinuousClock.now
            if now - begun < .milliseconds(500) { continue }
            for match in text.matches(of: /"stage": 1, "time": ([0-9.]+)/) {
                guard let time = Double(match.1) else { continue }
                fastLate.append((now - begun) / .milliseconds(1) - time * 1000)
            }
        }
        return max(spread(late), spread(fastLate))
    }

    private static func spread(_ late: [Double]) -> Double {
        let sorted = late.sorted()
        return sorted[sorted.count * 99 / 100] - sorted[sorted.count / 20]
    }
}
