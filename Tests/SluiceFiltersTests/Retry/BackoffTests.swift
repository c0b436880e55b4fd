import SluiceFilters
import Testing

@Suite struct BackoffTests {
    static let greatest = RandomSource { .max }
    static let least = RandomSource { 0 }
    static let middle = RandomSource { 1 << 63 }

    private func milliseconds(_ backoff: Backoff, _ random: RandomSource = Self.greatest, count: Int = 6) -> [Double] {
        var previous: Duration?
        return (1...count).map { attempt in
            let delay = backoff.delay(after: attempt, previous: previous, random: random)
            previous = delay
            return delay / .milliseconds(1)
        }
    }

    @Test func constant() {
        #expect(milliseconds(.constant(.milliseconds(20))) == [20, 20, 20, 20, 20, 20])
        #expect(milliseconds(.none) == [0, 0, 0, 0, 0, 0])
    }

    @Test func linear() {
        let backoff = Backoff.linear(from: .milliseconds(10), by: .milliseconds(15), to: .milliseconds(60))
        #expect(milliseconds(backoff) == [10, 25, 40, 55, 60, 60])
    }

    @Test func exponential() {
        let backoff = Backoff.exponential(from: .milliseconds(10), to: .milliseconds(100), jitter: .none)
        #expect(milliseconds(backoff) == [10, 20, 40, 80, 100, 100])
        let slow = Backoff.exponential(from: .milliseconds(8), by: 1.5, to: .seconds(1), jitter: .none)
        #expect(milliseconds(slow) == [8, 12, 18, 27, 40.5, 60.75])
    }

    @Test func jitterIsOfTheWholeOrOfAHalf() {
        let full = Backoff.exponential(from: .milliseconds(10), to: .milliseconds(100), jitter: .full)
        #expect(milliseconds(full) == [10, 20, 40, 80, 100, 100])
        #expect(milliseconds(full, Self.middle) == [5, 10, 20, 40, 50, 50])
        #expect(milliseconds(full, Self.least) == [0, 0, 0, 0, 0, 0])
        let equal = Backoff.exponential(from: .milliseconds(10), to: .milliseconds(100), jitter: .equal)
        #expect(milliseconds(equal) == [10, 20, 40, 80, 100, 100])
        #expect(milliseconds(equal, Self.middle) == [7.5, 15, 30, 60, 75, 75])
        #expect(milliseconds(equal, Self.least) == [5, 10, 20, 40, 50, 50])
        #expect(milliseconds(.constant(.milliseconds(30), jitter: .equal), Self.least, count: 2) == [15, 15])
    }

    /// From the start to three times the last wait: at most 10, 3·10, 3·30 …
    @Test func decorrelated() {
        let backoff = Backoff.decorrelated(from: .milliseconds(10), to: .milliseconds(200))
        #expect(milliseconds(backoff) == [30, 90, 200, 200, 200, 200])
        #expect(milliseconds(backoff, Self.middle) == [20, 35, 57.5, 91.25, 105, 105])
        #expect(milliseconds(backoff, Self.least) == [10, 10, 10, 10, 10, 10])
    }

    @Test(
        arguments: Backoff.Jitter.allCases.dropFirst().map {
            Backoff.exponential(from: .milliseconds(1), to: .seconds(1), jitter: $0)
        } + [.decorrelated(from: .milliseconds(1), to: .seconds(1))]
    )
    func staysJitteredAtTheCap(_ backoff: Backoff) {
        let random = RandomSource(seed: 9)
        var previous: Duration? = .seconds(1)
        let delays = (0..<1000).map { index in
            let delay = backoff.delay(after: 1000 + index, previous: previous, random: random)
            previous = delay
            return delay
        }
        #expect(Set(delays).count > 990)
        #expect(delays.allSatisfy { $0 <= .seconds(1) })
        #expect(delays.contains { $0 > .milliseconds(900) })
    }

    @Test func nonsenseIsBounded() {
        let odd: [Backoff] = [
            .constant(.seconds(-5)), .linear(from: .seconds(1), by: .seconds(-9), to: .seconds(2)),
            .exponential(from: .seconds(1), by: .nan, to: .seconds(4)),
            .exponential(from: .seconds(1), by: .infinity, to: .seconds(4)),
            .exponential(from: .seconds(9), by: -3, to: .seconds(4)),
            .exponential(from: .seconds(1), to: .seconds(Int64.max)),
            .decorrelated(from: .seconds(3), to: .seconds(Int64.max)), .decorrelated(from: .seconds(3), to: .zero),
        ]
        for backoff in odd {
            for attempt in [Int.min, 0, 1, 2, 100, 1_000_000] {
                #expect(backoff.delay(after: attempt, previous: .seconds(Int64.max), random: Self.greatest) >= .zero)
            }
        }
    }
}
