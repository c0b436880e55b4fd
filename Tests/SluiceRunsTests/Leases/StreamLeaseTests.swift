import SluiceFilters
import SluiceTesting
import Testing

@testable import SluiceRuns

@Suite struct StreamLeaseTests {
    let clock = TestClock()
    /// One timer: each has an origin of its own.
    let timer: CallTimer
    var now: Int64 { timer.now }

    init() { timer = .of(clock) }

    @Test func oneMemberAtATimeHasIt() {
        var lease = StreamLease()
        #expect(lease.acquire("a", in: "g", at: now) && lease.number == 1)
        #expect(!lease.acquire("b", in: "g", at: now) && !lease.acquire("a", in: "other", at: now))
        clock.advance(by: .nanoseconds(StreamLease.duration - 1))
        #expect(!lease.acquire("b", in: "g", at: now) && lease.isHeld(at: now))
        clock.advance(by: .nanoseconds(1))
        #expect(!lease.isHeld(at: now))
        #expect(lease.acquire("b", in: "g", at: now) && lease.number == 2)
        #expect(!lease.accepts(1, in: "g") && lease.accepts(2, in: "g") && !lease.accepts(2, in: "other"))
    }

    @Test func aRenewalExtendsIt() {
        var lease = StreamLease()
        _ = lease.acquire("a", in: "g", at: now)
        for _ in 0..<10 {
            clock.advance(by: .nanoseconds(StreamLease.duration - 1))
            #expect(lease.renew(1, in: "g", at: now) && !lease.acquire("b", in: "g", at: now))
        }
        #expect(!lease.renew(0, in: "g", at: now) && !lease.renew(2, in: "g", at: now))
    }

    @Test func whatComesLateIsStoredUntilAnotherHasIt() {
        var lease = StreamLease()
        _ = lease.acquire("a", in: "g", at: now)
        clock.advance(by: .nanoseconds(2 * StreamLease.duration))
        #expect(lease.accepts(1, in: "g") && lease.renew(1, in: "g", at: now))
        clock.advance(by: .nanoseconds(2 * StreamLease.duration))
        #expect(lease.acquire("b", in: "g", at: now) == true)
        #expect(!lease.accepts(1, in: "g") && !lease.renew(1, in: "g", at: now) && !lease.release(1, in: "g"))
    }

    @Test func theSameMemberGetsANewNumberAtOnce() {
        var lease = StreamLease()
        _ = lease.acquire("a", in: "g", at: now)
        #expect(lease.acquire("a", in: "g", at: now) && lease.number == 2 && !lease.accepts(1, in: "g"))
    }

    @Test func aReleasedLeaseIsFreeAndTakesNothing() {
        var lease = StreamLease()
        _ = lease.acquire("a", in: "g", at: now)
        #expect(lease.release(1, in: "g") && !lease.accepts(1, in: "g") && !lease.isHeld(at: now))
        #expect(lease.group == "g")
        #expect(lease.acquire("b", in: "g", at: now) && lease.number == 2)
    }

    @Test func afterARestartTheHolderAcquiresItAgainAndOthersWait() {
        var lease = StreamLease(StoredLease(stream: "s", number: 7, group: "g", member: "a"), at: now)
        #expect(!lease.accepts(7, in: "g") && !lease.renew(7, in: "g", at: now))
        #expect(lease.acquire("b", in: "g", at: now) == false)
        #expect(lease.acquire("a", in: "g", at: now) && lease.number == 8)
        lease = StreamLease(StoredLease(stream: "s", number: 7, group: "g", member: "a"), at: now)
        clock.advance(by: .nanoseconds(StreamLease.duration))
        #expect(lease.acquire("b", in: "g", at: now) && lease.number == 8)
        #expect(lease.stored(of: "s") == StoredLease(stream: "s", number: 8, group: "g", member: "b"))
    }

    @Test func theHubTakesItOnlyWhenNoMemberHoldsIt() {
        var lease = StreamLease()
        #expect(lease.claim(at: now) && lease.number == 0 && lease.group == nil)
        #expect(lease.acquire("a", in: "g", at: now) == false)
        clock.advance(by: .nanoseconds(StreamLease.duration))
        #expect(lease.acquire("a", in: "g", at: now) && !lease.claim(at: now))
        clock.advance(by: .nanoseconds(StreamLease.duration))
        #expect(lease.claim(at: now) && lease.number == 2 && lease.group == nil && !lease.accepts(1, in: "g"))
        #expect(lease.stored(of: "s") == StoredLease(stream: "s", number: 2, group: nil, member: nil))
    }
}

@Suite struct HeldLeaseTests {
    let clock = TestClock()
    /// One timer: each has an origin of its own.
    let timer: CallTimer
    var now: Int64 { timer.now }

    init() { timer = .of(clock) }

    @Test func itEndsBeforeTheHubsLease() {
        let asked = now
        clock.advance(by: .seconds(1))
        let lease = HeldLease(1, for: StreamLease.duration, askedAt: asked)
        #expect(lease.end == asked + StreamLease.duration - HeldLease.margin)
        #expect(lease.holds(at: lease.end - 1) && !lease.holds(at: lease.end))
        #expect(lease.nextRenewal < lease.end)
    }

    @Test func aRenewalCountsFromItsRequest() {
        let asked = now
        var lease = HeldLease(1, for: 6_000_000_000, askedAt: asked)
        clock.advance(by: .seconds(2))
        let again = now
        clock.advance(by: .seconds(1))
        lease.renewed(askedAt: again, at: now)
        #expect(lease.end == again + 4_500_000_000)
        lease.renewed(askedAt: asked, at: now)
        #expect(lease.end == again + 4_500_000_000)
    }

    @Test func oneThatHasEndedStaysEnded() {
        var lease = HeldLease(1, for: 6_000_000_000, askedAt: now)
        let asked = now
        clock.advance(by: .seconds(5))
        lease.renewed(askedAt: asked, at: now)
        #expect(!lease.holds(at: now) && !lease.holds(at: asked))
        var lost = HeldLease(2, for: 6_000_000_000, askedAt: now)
        lost.lose()
        #expect(!lost.holds(at: now))
    }

    @Test func aRenewalThatFailedIsRepeatedSoon() {
        var lease = HeldLease(1, for: 6_000_000_000, askedAt: now)
        clock.advance(by: .seconds(2))
        lease.failed(at: now)
        #expect(lease.nextRenewal == now + 300_000_000 && lease.holds(at: now))
    }
}
