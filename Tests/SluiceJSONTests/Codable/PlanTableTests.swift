import Testing

@testable import SluiceJSON

/// Tests that each type has its plan made once, however many types meet.
@Suite struct PlanTableTests {
    @Test func eachOfAThousandTypesKeepsItsPlan() {
        let table = PlanTable()
        let types = Self.types
        #expect(Set(types.map(ObjectIdentifier.init)).count == 1023)
        let plans = types.map { type in
            #expect(table.find(ObjectIdentifier(type)) == nil)
            return table.make(type)
        }
        for (type, plan) in zip(types, plans) {
            #expect(plan.type == ObjectIdentifier(type))
            #expect(table.find(plan.type) === plan)
            #expect(table.make(type) === plan)
        }
    }

    @Test func threadsThatMakePlansTogetherGetTheSame() async {
        final class Shared: Sendable { let table = PlanTable() }
        let shared = Shared()
        await withTaskGroup(of: [ObjectIdentifier].self) { group in
            for offset in 0..<4 {
                group.addTask {
                    // Each begins elsewhere, so that one makes a table larger while others search it.
                    let types = Self.types
                    let order = types.indices.map { ($0 + offset * types.count / 4) % types.count }
                    let plans = order.map { place in
                        let type = types[place]
                        return (place, shared.table.find(ObjectIdentifier(type)) ?? shared.table.make(type))
                    }
                    return plans.sorted { $0.0 < $1.0 }.map { ObjectIdentifier($0.1) }
                }
            }
            var results: Set<[ObjectIdentifier]> = []
            for await result in group { results.insert(result) }
            #expect(results.count == 1)
        }
    }

    /// Types that are arrays and optionals of one another.
    private static var types: [Any.Type] {
        var types: [Any.Type] = []
        func add<T>(_ type: T.Type, _ depth: Int) {
            types.append(type)
            guard depth > 0 else { return }
            add([T].self, depth - 1)
            add(T?.self, depth - 1)
        }
        add(Int.self, 9)
        return types
    }
}
