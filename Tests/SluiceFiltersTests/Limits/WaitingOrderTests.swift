import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

/// Tests of the order in which waiting calls begin, and of calls that are refused since they would come too late.
@Suite struct WaitingOrderTests {
    /// A limit of one call, over time in milliseconds.
    private final class Line {
        private var state: ConcurrencyState<String>
        private var pass = ConcurrencyPass()

        init(_ order: WaitingOrder, queue: Int = 100) {
            state = ConcurrencyState(1, queue: queue, order: order)
        }

        enum Entry: Equatable {
            case runs, waits, refused, late
            case evicts(String)
        }

        @discardableResult
        func enter(_ name: String, priority: Int = 0, deadline: Int64? = nil, at time: Int64) -> Entry {
            let latest = deadline.map { $0 * 1_000_000 } ?? .max
            switch state.enter(name, priority: priority, deadline: latest, now: { time * 1_000_000 }) {
            case .run(let pass):
                self.pass = pass
                return .runs
            case .wait(_, let evicted): return evicted.map { .evicts($0) } ?? .waits
            case .refused: return .refused
            case .late: return .late
            }
        }

        /// Ends the call that runs, and returns the one that begins.
        func next(at time: Int64) -> String? {
            state.leave(pass, .well, now: { time * 1_000_000 })
            var begun: (String, ConcurrencyPass)?
            state.start(
                now: { time * 1_000_000 },
                { name, pass in
                    begun = (name, pass)
                    return true
                }
            )
            if let begun { pass = begun.1 }
            return begun?.0
        }
    }

    /// CoDel's condition: the newest call begins only when calls have waited without a break for the given time.
    @Test func newestFirstOnlyInOverload() {
        let line = Line(.newestFirst(whenBusyFor: .milliseconds(100)))
        #expect(line.enter("a", at: 1) == .runs)
        for (name, time) in [("b", 10), ("c", 20), ("d", 30)] as [(String, Int64)] {
            #expect(line.enter(name, at: time) == .waits)
        }
        #expect(line.next(at: 109) == "b")
        #expect(line.next(at: 110) == "d")
        line.enter("e", at: 111)
        #expect(line.next(at: 112) == "e")
        #expect(line.next(at: 113) == "c")
        // The line was empty for a moment, which begins the time again.
        line.enter("f", at: 120)
        line.enter("g", at: 121)
        #expect(line.next(at: 219) == "f")
        line.enter("h", at: 219)
        #expect(line.next(at: 220) == "h")
        #expect(line.next(at: 221) == "g")
        #expect(line.next(at: 222) == nil)
    }

    @Test func oldestFirstAlways() {
        let line = Line(.oldestFirst)
        for name in ["a", "b", "c", "d"] { line.enter(name, at: 1) }
        #expect([line.next(at: 500), line.next(at: 900), line.next(at: 901)] == ["b", "c", "d"])
    }

    /// In overload, the oldest of the least important calls makes room; before, and without the order, a new call is refused.
    @Test func aFullLine() {
        let line = Line(.newestFirst(), queue: 2)
        for name in ["a", "b", "c"] { line.enter(name, at: 1) }
        #expect(line.enter("d", at: 100) == .refused)
        #expect(line.enter("e", at: 101) == .evicts("b"))
        #expect(line.enter("important", priority: 1, at: 102) == .evicts("c"))
        #expect(line.next(at: 103) == "important")
        #expect(line.next(at: 104) == "e")
        let fair = Line(.oldestFirst, queue: 2)
        for name in ["a", "b", "c"] { fair.enter(name, at: 1) }
        #expect(fair.enter("d", at: 500) == .refused)
    }

    /// A call that could not end before its deadline is refused when it comes; the estimate counts the calls ahead of it.
    @Test(arguments: [WaitingOrder.oldestFirst, .newestFirst(whenBusyFor: .seconds(3600))])
    func lateCallsAreRefusedAtOnce(_ order: WaitingOrder) {
        let line = Line(order)
        for number in 0..<20 { line.enter("\(number)", at: 1) }
        // Without measurements, no call is late.
        #expect(line.enter("early", deadline: 2, at: 1) == .waits)
        // Calls take 100 ms each.
        for round in 1...10 { #expect(line.next(at: Int64(100 * round)) == "\(round)") }
        // Ten calls are ahead, which take a second, and the call itself takes another tenth.
        #expect(line.enter("late", deadline: 1000 + 1100, at: 1000) == .late)
        #expect(line.enter("in time", deadline: 1000 + 1400, at: 1000) == .waits)
        #expect(line.enter("first", priority: 1, deadline: 1000 + 300, at: 1000) == .waits)
    }
}
