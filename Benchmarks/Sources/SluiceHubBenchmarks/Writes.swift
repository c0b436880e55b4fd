import Foundation
import SluiceClient

/// Writes to a hub: the processor time of a PUT of a running stream of 1, 20, and 200 operators, with one follower, and the
/// time from a PUT to the changed output of the follower.
enum Writes {
    /// The aims of the processor time by the number of operators, and of the time to the output, in milliseconds.
    static let aims = (processor: [1: 0.4, 20: 1.2, 200: 5.0], output: 10.0)

    /// A stream of operators whose first one adds a number.
    private static func text(_ number: Int, operators count: Int = 20) -> String {
        let operators =
            [#"{"map": {"expression": "\#(number)"}}"#]
            + (1..<count).map {
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
        var last = count
        var used: [Int: Double] = [:]
        for operators in [1, 20, 200] {
            func put() throws {
                last += 1
                let document = text(last, operators: operators)
                try control.write("PUT", "/streams/edited", document, ["If-Match": "\"\(last)\""])
            }
            // The first changes the number of operators, and is not counted.
            try put()
            let (start, beginning) = (hub.processorTime, ContinuousClock.now)
            let puts = operators == 200 ? 2 * count : 10 * count
            for _ in 0..<puts { try put() }
            let rest = idle * ((ContinuousClock.now - beginning) / .seconds(1))
            used[operators] = (hub.processorTime - start - rest) / Double(puts) * 1000
        }
        let half = median(times)
        print("\n" + columns("writes", "reached", "aim"))
        for (operators, aim) in aims.processor.sorted(by: { $0.key < $1.key }) {
            let each = used[operators] ?? .nan
            let name = "\(operators) operator\(operators == 1 ? "" : "s")"
            print(columns("ms for a PUT, \(operators)", String(format: "%.2f", each), "\(aim)"))
            bounds.note("hub/writes/processor time of a PUT, \(name)", ratio: aim / each)
        }
        print(columns("to the output, ms", String(format: "%.1f", half), "\(Int(aims.output))"))
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
