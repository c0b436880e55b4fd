import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceRuns

/// The number of threads of a scheduler.
@Suite struct RunCrewTests {
    private let long = RunCrew.patience + 1
    private let threads = (0..<20).map { _ in Thread() }

    /// Returns the results of several calls in a row.
    private func calls(_ count: Int, _ crew: inout RunCrew, _ call: (inout RunCrew) -> Bool) -> [Bool] {
        (0..<count).map { _ in call(&crew) }
    }

    private func id(_ number: Int) -> ObjectIdentifier { ObjectIdentifier(threads[number]) }

    @Test func asManyAsTheLimitWhileNoneIsHeldUp() {
        var crew = RunCrew(limit: 2, spareLimit: 4)
        let hired = calls(2, &crew) { $0.hire(at: 0) }
        #expect(hired == [true, true])
        crew.begin(id(0), at: 0)
        crew.begin(id(1), at: 0)
        let more = calls(1, &crew) { $0.hire(at: 0) }
        #expect(more == [false])
        let later = calls(1, &crew) { $0.hire(at: RunCrew.patience) }
        #expect(later == [false])
        #expect(crew.count == 2 && crew.workingCount == 2)
    }

    /// One more for each that is held up, which ends when the other one goes on.
    @Test func oneMoreForEachThatIsHeldUp() {
        var crew = RunCrew(limit: 2, spareLimit: 4)
        let hired = calls(2, &crew) { $0.hire(at: 0) }
        #expect(hired == [true, true])
        crew.begin(id(0), at: 0)
        crew.begin(id(1), at: long)
        let more = calls(2, &crew) { $0.hire(at: long) }
        #expect(more == [true, false])
        let early = calls(1, &crew) { $0.dismiss(at: long) }
        #expect(early == [false])
        crew.end(id(0))
        let dismissed = calls(2, &crew) { $0.dismiss(at: long) }
        #expect(dismissed == [true, false])
        #expect(crew.count == 2)
    }

    @Test(arguments: [0, 1, 4]) func theirNumberIsBounded(_ spare: Int) {
        var crew = RunCrew(limit: 3, spareLimit: spare)
        for round in 0..<20 where crew.hire(at: Int64(round) * long * 2) {
            crew.begin(id(crew.count), at: Int64(round) * long * 2)
        }
        #expect(crew.count == 3 + spare)
    }

    /// Whatever happens, at most the limit's number works or waits besides those that are held up, and nothing that could
    /// start is left out.
    @Test(arguments: 0..<50) func theBalanceHolds(_ seed: UInt64) {
        var random = Seeded(seed: seed)
        var crew = RunCrew(limit: 2, spareLimit: 3)
        var (now, free, working) = (Int64(0), Set<Int>(), [Int: Int64]())
        var unused = Set(0..<20)
        for _ in 0..<500 {
            now += Int64.random(in: 0..<RunCrew.patience, using: &random)
            let heldUp = working.values.count { now - $0 > RunCrew.patience }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let isHired = crew.hire(at: now)
                let count = free.count + working.count
                #expect(isHired == (count < 5 && (count < 2 || count - heldUp < 2)))
                if isHired, let thread = unused.popFirst() { free.insert(thread) }
            case 1:
                guard let thread = free.popFirst() else { continue }
                working[thread] = now
                crew.begin(id(thread), at: now)
            case 2:
                guard let thread = working.keys.min() else { continue }
                working[thread] = nil
                free.insert(thread)
                crew.end(id(thread))
            default:
                guard let thread = free.min() else { continue }
                let isDismissed = crew.dismiss(at: now)
                #expect(isDismissed == (free.count + working.count - heldUp > 2))
                if isDismissed {
                    free.remove(thread)
                    unused.insert(thread)
                }
            }
            #expect(crew.count == free.count + working.count && crew.count <= 5)
            #expect(crew.workingCount == working.count)
        }
    }
}
