import SluiceFilters
import Testing

@Suite struct RandomSourceTests {
    /// The first numbers of SplitMix64 from its authors' program, for the seed 1234567.
    @Test func isSplitMix64() {
        let random = RandomSource(seed: 1_234_567)
        let numbers = (0..<5).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }

    @Test func copiesShareTheSequence() {
        let (one, other) = (RandomSource(seed: 7), RandomSource(seed: 7))
        let copy = one
        let numbers = [one.next(), copy.next(), one.next()]
        #expect(numbers == [other.next(), other.next(), other.next()])
    }

    @Test func partsOfOneAndOfABound() {
        let greatest = RandomSource { .max }
        #expect(greatest.double() == 1 - 0x1p-53)
        #expect(greatest.below(10) == 9)
        #expect(greatest.below(0) == 0)
        let least = RandomSource { 0 }
        #expect(least.double() == 0)
        #expect(least.below(10) == 0)
        #expect(RandomSource { 1 << 63 }.below(10) == 5)
    }

    @Test func isEvenlySpread() {
        let random = RandomSource(seed: 1)
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<100_000 { counts[Int(random.below(10))] += 1 }
        #expect(counts.allSatisfy { abs($0 - 10_000) < 400 })
    }

    @Test func servesTheStandardLibrary() {
        var (one, other) = (RandomSource(seed: 3), RandomSource(seed: 3))
        #expect((1...9).shuffled(using: &one) == (1...9).shuffled(using: &other))
    }

    @Test func theSystemsIsNotKnown() {
        #expect(RandomSource.system.next() != RandomSource.system.next())
    }
}
