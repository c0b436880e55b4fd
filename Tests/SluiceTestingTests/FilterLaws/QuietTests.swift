import Testing

@testable import SluiceTesting

struct QuietTests {
    private let start = ContinuousClock.now

    /// Returns the milliseconds after which it is quiet, with turns at these intervals.
    private func milliseconds(_ quiet: inout Quiet, from first: Int = 0, intervals: (Int) -> Int) -> Int {
        var (now, turn) = (first, 0)
        repeat {
            now += intervals(turn)
            turn += 1
        } while !quiet.isReached(at: start + .milliseconds(now))
        return now - first
    }

    @Test func takesManyTurnsAndSomeTime() {
        var slow = Quiet(at: start)
        #expect(milliseconds(&slow) { _ in 1 } == 100)
        var fast = Quiet(at: start)
        #expect(milliseconds(&fast) { $0 % 100 == 99 ? 1 : 0 } == 20)
    }

    /// This task lost its processor for 50 ms, so others may have, too.
    @Test func growsWithTheLoad() {
        var quiet = Quiet(at: start)
        #expect(milliseconds(&quiet) { $0 == 10 ? 50 : 1 } == 400)
        quiet.restart(at: start + .milliseconds(400))
        #expect(milliseconds(&quiet, from: 400) { _ in 1 } == 200)
    }
}
