import Testing

@testable import SluiceFilters

@Suite struct RosterTests {
    final class Member: Sendable {}

    private let a = Member()
    private let b = Member()
    private let c = Member()

    private func candidates(_ roster: Roster<Member>) -> [Member] {
        (0..<roster.candidateCount).map { roster.candidate($0) }
    }

    private func isSame(_ members: [Member], _ others: [Member]) -> Bool {
        members.map(ObjectIdentifier.init) == others.map(ObjectIdentifier.init)
    }

    @Test func theLivingOrAll() {
        var roster = Roster([a, b])
        #expect(!roster.hasDead)
        roster.setDead(a, until: 10)
        #expect(isSame(candidates(roster), [b]))
        roster.setDead(b, until: 5)
        #expect(isSame(candidates(roster), [a, b]))
        roster.setAlive(a)
        roster.setAlive(a)
        #expect(isSame(candidates(roster), [a]))
    }

    @Test func probesComeDueInOrder() {
        var roster = Roster([a, b, c])
        roster.setDead(a, until: 10)
        roster.setDead(b, until: 5)
        roster.setDead(c, until: 10)
        let early = roster.popDue(at: 4)
        #expect(early == nil)
        let due = [roster.popDue(at: 10), roster.popDue(at: 10), roster.popDue(at: 10), roster.popDue(at: 10)]
        #expect(isSame(due.compactMap { $0 }, [b, a, c]))
        roster.setDead(b, until: 20)
        roster.setDead(b, until: 30)
        let later = [roster.popDue(at: 29), roster.popDue(at: 30), roster.popDue(at: 30)]
        #expect(isSame(later.compactMap { $0 }, [b]))
    }

    @Test func whoStaysKeepsItsState() {
        var roster = Roster([a, b])
        roster.setDead(a, until: 10)
        roster.replace([a, c])
        #expect(isSame(candidates(roster), [c]))
        #expect(isSame(roster.all, [a, c]))
        // An endpoint that was removed has no further effect.
        roster.setDead(b, until: 1)
        roster.setAlive(b)
        let due = [roster.popDue(at: 10), roster.popDue(at: 10)]
        #expect(isSame(due.compactMap { $0 }, [a]))
        #expect(isSame(roster.alive, [c]))
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
        var roster = Roster([a, b, c, d], limits: EjectionLimits(maximumShare: 0.5))
        roster.setDead(a, until: 10)
        roster.setDead(b, until: 20)
        roster.setDead(c, until: 30)
        #expect(isSame(candidates(roster), [c, d]))
        roster.setAlive(a)
        #expect(isSame(candidates(roster), [c, d, a]))
        #expect(roster.popDue(at: 20) === b)
        roster.setDead(b, until: 50)
        #expect(isSame(candidates(roster), [c, d, a]))
        // Now there is room for it.
        #expect(roster.popDue(at: 30) === c)
        roster.setDead(c, until: 60)
        #expect(isSame(candidates(roster), [d, a]))
        // One may always be out.
        var pair = Roster([a, b], limits: EjectionLimits(maximumShare: 0.1))
        pair.setDead(a, until: 10)
        pair.setDead(b, until: 10)
        #expect(isSame(candidates(pair), [b]))
        pair.replace([a, b, c])
        #expect(isSame(candidates(pair), [b, c]))
    }

    /// With fewer than half alive, all are called.
    @Test func panicThreshold() {
        var roster = Roster([a, b, c], limits: EjectionLimits(panicThreshold: 0.5))
        roster.setDead(a, until: 10)
        #expect(isSame(candidates(roster), [b, c]))
        roster.setDead(b, until: 10)
        #expect(isSame(candidates(roster), [a, b, c]))
        roster.setAlive(b)
        #expect(isSame(candidates(roster), [c, b]))
    }

    @Test func limitsThatMakeNoSense() {
        #expect(EjectionLimits(maximumShare: 7, panicThreshold: -1) == EjectionLimits())
    }
}
