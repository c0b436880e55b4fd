import SluiceTestSupport
import Testing

@testable import SluiceRuns

@Suite struct WorkAssignmentTests {
    private func assignment(
        _ workers: Int,
        _ units: [String],
        without missing: Int? = nil,
        refusals: [String: Set<String>] = [:]
    ) -> [String: String] {
        let names = (0..<workers).filter { $0 != missing }.map { "worker-\($0)" }
        var holders: [String: String] = [:]
        for name in names {
            for unit in WorkAssignment.units(of: name, among: names.shuffled(), units.shuffled(), refusals: refusals) {
                #expect(holders.updateValue(name, forKey: unit) == nil, "\(unit) has two workers")
            }
        }
        return holders
    }

    @Test(arguments: [(1, 1), (1, 16), (2, 1), (3, 16), (4, 16), (7, 100), (16, 3), (50, 1_000)])
    func eachUnitHasOneWorkerAndAllHaveTheSame(_ workers: Int, _ units: Int) {
        let names = (0..<units).map { "orders 1 \($0)" }
        let holders = assignment(workers, names)
        #expect(Set(holders.keys) == Set(names))
        let counts = Dictionary(grouping: holders.values) { $0 }.values.map(\.count)
        #expect((counts.max() ?? 0) <= (units + workers - 1) / workers)
        if units >= workers { #expect(counts.count == workers && (counts.min() ?? 0) >= units / workers) }
    }

    @Test func fewUnitsMoveWhenAWorkerComesOrGoes() {
        let units = (0..<160).map { "orders 1 \($0)" }
        let (eight, seven) = (assignment(8, units), assignment(8, units, without: 3))
        let moved = units.filter { eight[$0] != seven[$0] }.count
        // 20 have lost their worker; the others make room for no more than as many again.
        #expect(moved >= 20 && moved <= 60, "\(moved) of 160 have moved")
    }

    /// A unit that some workers can't open goes to one of the others, whatever these have.
    @Test(arguments: 0..<40) func aUnitGoesToNoWorkerThatRefusesIt(_ seed: Int) {
        var random = Seeded(seed: UInt64(seed))
        let workers = Int.random(in: 1...6, using: &random)
        let units = (0..<Int.random(in: 1...40, using: &random)).map { "orders 1 \($0)" }
        var refusals: [String: Set<String>] = [:]
        for unit in units {
            let refusing = (0..<workers).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.map {
                "worker-\($0)"
            }
            if !refusing.isEmpty { refusals[unit] = Set(refusing) }
        }
        let holders = assignment(workers, units, refusals: refusals)
        #expect(Set(holders.keys) == Set(units))
        for (unit, holder) in holders where refusals[unit]?.count ?? 0 < workers {
            #expect(!(refusals[unit]?.contains(holder) ?? false), "\(holder) has \(unit)")
        }
    }

    @Test func aWorkerThatRefusesEverythingHasNothing() {
        let units = (0..<16).map { "orders 1 \($0)" }
        let refusals = Dictionary(uniqueKeysWithValues: units.map { ($0, Set(["worker-1"])) })
        let counts = Dictionary(grouping: assignment(3, units, refusals: refusals).values) { $0 }.mapValues(\.count)
        #expect(counts == ["worker-0": 8, "worker-2": 8])
    }

    @Test func whoIsNoWorkerHasNothing() {
        #expect(WorkAssignment.units(of: "x", among: ["a"], ["1"]).isEmpty)
        #expect(WorkAssignment.units(of: "x", among: [], ["1"]).isEmpty)
        #expect(WorkAssignment.units(of: "a", among: ["a"], [String]()).isEmpty)
    }
}
