import Testing

@testable import SluiceRuns

@Suite struct WorkAssignmentTests {
    private func assignment(_ workers: Int, _ units: [String], without missing: Int? = nil) -> [String: String] {
        let names = (0..<workers).filter { $0 != missing }.map { "worker-\($0)" }
        var holders: [String: String] = [:]
        for name in names {
            for unit in WorkAssignment.units(of: name, among: names.shuffled(), units.shuffled()) {
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

    @Test func whoIsNoWorkerHasNothing() {
        #expect(WorkAssignment.units(of: "x", among: ["a"], ["1"]).isEmpty)
        #expect(WorkAssignment.units(of: "x", among: [], ["1"]).isEmpty)
        #expect(WorkAssignment.units(of: "a", among: ["a"], [String]()).isEmpty)
    }
}
