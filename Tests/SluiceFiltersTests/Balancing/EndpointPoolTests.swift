import Testing

@testable import SluiceFilters

@Suite struct EndpointPoolTests {
    final class Member: Sendable {}

    private let a = Member()
    private let b = Member()
    private let c = Member()

    private func candidates(_ pool: EndpointPool<Member>) -> [Member] {
        (0..<pool.candidateCount).map { pool.candidate($0) }
    }

    private func isSame(_ members: [Member], _ others: [Member]) -> Bool {
        members.map(ObjectIdentifier.init) == others.map(ObjectIdentifier.init)
    }

    @Test func theLivingOrAll() {
        var pool = EndpointPool([a, b])
        #expect(!pool.hasDead)
        pool.setDead(a, until: 10)
        #expect(isSame(candidates(pool), [b]))
        pool.setDead(b, until: 5)
        #expect(isSame(candidates(pool), [a, b]))
        pool.setAlive(a)
        pool.setAlive(a)
        #expect(isSame(candidates(pool), [a]))
    }

    @Test func probesComeDueInOrder() {
        var pool = EndpointPool([a, b, c])
        pool.setDead(a, until: 10)
        pool.setDead(b, until: 5)
        pool.setDead(c, until: 10)
        let early = pool.popDue(at: 4)
        #expect(early == nil)
        let due = [pool.popDue(at: 10), pool.popDue(at: 10), pool.popDue(at: 10), pool.popDue(at: 10)]
        #expect(isSame(due.compactMap { $0 }, [b, a, c]))
        pool.setDead(b, until: 20)
        pool.setDead(b, until: 30)
        let later = [pool.popDue(at: 29), pool.popDue(at: 30), pool.popDue(at: 30)]
        #expect(isSame(later.compactMap { $0 }, [b]))
    }

    @Test func whoStaysKeepsItsState() {
        var pool = EndpointPool([a, b])
        pool.setDead(a, until: 10)
        pool.replace([a, c])
        #expect(isSame(candidates(pool), [c]))
        #expect(isSame(pool.all, [a, c]))
        // An endpoint that was removed has no further effect.
        pool.setDead(b, until: 1)
        pool.setAlive(b)
        let due = [pool.popDue(at: 10), pool.popDue(at: 10)]
        #expect(isSame(due.compactMap { $0 }, [a]))
        #expect(isSame(pool.alive, [c]))
    }

    @Test func twoOfManyAreDifferentAndAllAlike() {
        let random = RandomSource(seed: 1)
        var counts: [[Int]: Int] = [:]
        for _ in 0..<60_000 {
            let (i, j) = random.pair(below: 4)
            #expect(i != j)
            counts[[i, j], default: 0] += 1
        }
        #expect(counts.count == 12)
        #expect(counts.values.allSatisfy { abs($0 - 5000) < 300 })
        let (i, j) = random.pair(below: 2)
        #expect(Set([i, j]) == [0, 1])
    }

    /// Of four endpoints at most two are out; the third stays, and is looked at again.
    @Test func maximumShare() {
        let d = Member()
        var pool = EndpointPool([a, b, c, d], limits: EjectionLimits(maximumShare: 0.5))
        pool.setDead(a, until: 10)
        pool.setDead(b, until: 20)
        pool.setDead(c, until: 30)
        #expect(isSame(candidates(pool), [c, d]))
        pool.setAlive(a)
        #expect(isSame(candidates(pool), [c, d, a]))
        #expect(pool.popDue(at: 20) === b)
        pool.setDead(b, until: 50)
        #expect(isSame(candidates(pool), [c, d, a]))
        // Now there is room for it.
        #expect(pool.popDue(at: 30) === c)
        pool.setDead(c, until: 60)
        #expect(isSame(candidates(pool), [d, a]))
        // One may always be out.
        var pair = EndpointPool([a, b], limits: EjectionLimits(maximumShare: 0.1))
        pair.setDead(a, until: 10)
        pair.setDead(b, until: 10)
        #expect(isSame(candidates(pair), [b]))
        pair.replace([a, b, c])
        #expect(isSame(candidates(pair), [b, c]))
    }

    /// With fewer than half alive, all are called.
    @Test func panicThreshold() {
        var pool = EndpointPool([a, b, c], limits: EjectionLimits(panicThreshold: 0.5))
        pool.setDead(a, until: 10)
        #expect(isSame(candidates(pool), [b, c]))
        pool.setDead(b, until: 10)
        #expect(isSame(candidates(pool), [a, b, c]))
        pool.setAlive(b)
        #expect(isSame(candidates(pool), [c, b]))
    }

    @Test func limitsThatMakeNoSense() {
        #expect(EjectionLimits(maximumShare: 7, panicThreshold: -1) == EjectionLimits())
    }
}
