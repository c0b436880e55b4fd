import Testing

@testable import SluiceTesting

struct WaitTests {
    private let start = ContinuousClock.now

    /// Returns the number of turns after which a wait ends, with a turn at each interval.
    private func turns(_ patience: Duration, each interval: Duration) -> Int {
        var wait = Wait(patience, at: start)
        var (now, turns) = (start, 0)
        repeat {
            now += interval
            turns += 1
        } while !wait.isOver(at: now)
        return turns
    }

    @Test func takesItsTimeOnAQuietMachine() {
        #expect(turns(.seconds(1), each: .microseconds(10)) == 100_000)
        #expect(turns(.seconds(20), each: .milliseconds(1)) == 20_000)
    }

    @Test func takesAsManyTurnsOnALoadedMachine() {
        #expect(turns(.seconds(20), each: .seconds(1)) == 20_000)
        #expect(turns(.milliseconds(50), each: .seconds(1)) == 10_001)
    }
}
