import Foundation
import SluiceClient

/// Writes to a hub: the processor time of a PUT of a running stream of 20 operators, with one follower, and the time from a
/// PUT to the changed output of the follower.
enum Writes {
    /// The aims that issue 14 gives, in milliseconds.
    static let aims = (processor: 2.0, output: 10.0)

    /// A stream of 20 operators whose first one adds a number.
    private static func text(_ number: Int) -> String {
        let operators =
            [#"{"map": {"expression": "\#(number)"}}"#]
            + (1..<20).map {
                $0.isMultiple(of: 2) ? #"{"map": {"expression": "x"}}"# : #"{"filter": {"expression": "x >= 0"}}"#
            }
        return #"{"id": "edited", "name": "Edited", "source": {"interval": {"seconds": 0.001}}, "operators": ["#
            + operators.joined(separator: ", ") + "]}"
    }

    static func measure(_ folder: URL, count: Int, _ bounds: BoundCheck) async throws {
        let hub = try ServerProcess.hub(folder, "few")
        defer { hub.stop() }
        let control = try Connection(port: hub.port)
        try control.write("PUT", "/streams/edited", text(0), ["If-None-Match": "*"])
        let heard = Heard()
        let port = hub.port
        let following = Task {
            guard let url = URL(string: "http://127.0.0.1:\(port)/") else { return }
            let follower = GroupFollower(HubClient(url), group: "all", clock: .continuous)
            try await follower.run { notice in if let line = notice.line { heard.take(line) } }
        }
        defer { following.cancel() }
        // From a PUT to the follower's output.
        await heard.wait(for: 0)
        var times: [Double] = []
        for number in 1...count {
            let begun = ContinuousClock.now
            try control.write("PUT", "/streams/edited", text(number), ["If-Match": "\"\(number)\""])
            await heard.wait(for: number)
            times.append((ContinuousClock.now - begun) / .milliseconds(1))
        }
        // The processor time of the hub, in which the stream runs at a slower pace: its own work is not counted.
        try control.post("/streams/edited/start")
        try control.write("POST", "/streams/edited/speed", #"{"speed": 0.01}"#, [:])
        let before = hub.processorTime
        let begun = ContinuousClock.now
        try await Task.sleep(for: .seconds(2))
        let idle = (hub.processorTime - before) / ((ContinuousClock.now - begun) / .seconds(1))
        let (start, beginning) = (hub.processorTime, ContinuousClock.now)
        for number in count + 1...count + 10 * count {
            try control.write("PUT", "/streams/edited", text(number), ["If-Match": "\"\(number)\""])
        }
        let rest = idle * ((ContinuousClock.now - beginning) / .seconds(1))
        let each = (hub.processorTime - start - rest) / Double(10 * count) * 1000
        let half = median(times)
        print("\n" + columns("writes", "reached", "aim"))
        print(columns("ms used for a PUT", String(format: "%.2f", each), "\(Int(aims.processor))"))
        print(columns("to the output, ms", String(format: "%.1f", half), "\(Int(aims.output))"))
        bounds.note("hub/writes/processor time of a PUT", ratio: aims.processor / each)
        bounds.note("hub/writes/from a PUT to the output of a follower", ratio: aims.output / half)
    }

    /// The last value of the follower.
    private actor Heard {
        private var last = -1
        private var waiter: (number: Int, continuation: CheckedContinuation<Void, Never>)?

        nonisolated func take(_ line: String) {
            guard line.contains(#""stream": "edited""#), let match = line.firstMatch(of: /"value": ([0-9]+)/),
                let number = Int(match.1)
            else { return }
            Task { await note(number) }
        }

        private func note(_ number: Int) {
            last = number
            guard let waiter, waiter.number == number else { return }
            self.waiter = nil
            waiter.continuation.resume()
        }

        func wait(for number: Int) async {
            if last == number { return }
            await withCheckedContinuation { waiter = (number, $0) }
        }
    }
}
