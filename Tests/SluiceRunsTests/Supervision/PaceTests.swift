import SluiceStreams
import Testing

@testable import SluiceRuns

@Suite struct PaceTests {
    private let second: Int64 = 1_000_000_000

    @Test func timeGoesAtItsSpeed() throws {
        var pace = Pace(at: 10 * second)
        #expect(pace.time(at: 10 * second) == .zero)
        #expect(pace.time(at: 12 * second).seconds == 2)
        pace.change(speed: 2, at: 12 * second)
        #expect(pace.time(at: 12 * second).seconds == 2)
        #expect(pace.time(at: 13 * second).seconds == 4)
        #expect(pace.instant(of: try #require(StreamTime(seconds: 6))) == 14 * second)
        pace.change(speed: 0.5, at: 14 * second)
        #expect(pace.instant(of: try #require(StreamTime(seconds: 7))) == 16 * second)
    }

    @Test func pausedItStandsStill() throws {
        var pace = Pace(at: 0)
        pace.pause(at: 3 * second)
        #expect(pace.time(at: 100 * second).seconds == 3)
        #expect(pace.instant(of: try #require(StreamTime(seconds: 4))) == nil)
        pace.move(to: try #require(StreamTime(seconds: 5)), at: 100 * second)
        pace.resume(at: 200 * second)
        #expect(pace.time(at: 201 * second).seconds == 6)
    }

    @Test func whatIsOverdueIsNow() {
        let pace = Pace(at: 5 * second)
        #expect(pace.instant(of: .zero) == 5 * second)
        #expect(pace.time(at: 0) == .zero)
    }

    @Test(arguments: [0.01, 0.3, 1, 3, 7.7, 100])
    func theInstantOfATimeIsNotBeforeIt(_ speed: Double) throws {
        let pace = Pace(at: 123_456_789, speed: speed)
        for nanoseconds in [1.0, 2, 3, 999, 1e9, 1e15, 1e16] {
            let time = try #require(StreamTime(seconds: nanoseconds / 1e9))
            let instant = try #require(pace.instant(of: time))
            #expect(pace.time(at: instant) >= time)
        }
    }

    @Test func endlessTimeIsNoTrap() throws {
        let pace = Pace(at: 0, speed: 0.01)
        #expect(pace.instant(of: try #require(StreamTime(seconds: 1e9))) != nil)
        #expect(Pace(at: 0, speed: 100).time(at: .max) > .zero)
    }
}
