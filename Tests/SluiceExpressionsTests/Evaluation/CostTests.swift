import SluiceExpressions
import Testing

struct CostTests {
    @Test func boundsAreKnownBeforeRunning() throws {
        let variables: [String: CELType] = ["l": .list(.int), "s": .string, "i": .int]
        let program = try CELExpression("l.all(v, v > 0) && s.size() < 10", variables: variables)
        let cost = program.estimatedCost(sizes: ["l": 100, "s": 1000])
        #expect(cost.lowerBound == program.minimumCost)
        #expect(cost.upperBound < 5000)
        #expect(program.estimatedCost(sizes: ["l": 100]).upperBound == .max)
        #expect(try CELExpression("i * 2 + 1 > 7", variables: variables).estimatedCost() == 7...7)
        let product = try CELExpression("l.all(a, l.all(b, l.all(c, a + b > c)))", variables: variables)
        #expect(product.estimatedCost(sizes: ["l": 1000]).upperBound > product.limits.maximumCost)
        #expect(product.estimatedCost(sizes: ["l": 20]).upperBound < product.limits.maximumCost)
    }

    @Test func aFunctionOfTheHostCostsWhatItDeclares() throws {
        let dear = CELFunction("dear", [.int], .int, cost: 500) { $0[0] }
        let program = try CELExpression("dear(1) + dear(2)", functions: [dear])
        #expect(program.estimatedCost().upperBound >= 1000)
        #expect(program.estimatedCost().upperBound < 1100)
        var slots = program.slots()
        #expect(slots.cost == 0)
        #expect(try program.evaluateInt(&slots) == 3)
        #expect(program.estimatedCost().contains(slots.cost))
        let text = CELFunction("text", [], .string) { _ in .string(String(repeating: "x", count: 1000)) }
        #expect(try CELExpression("size(text())", functions: [text]).estimatedCost().upperBound == .max)
    }

    /// The cost of random expressions is within the estimated bounds.
    @Test(arguments: [11, 12] as [UInt64])
    func whatIsUsedIsWithinTheBounds(_ seed: UInt64) throws {
        var generator = ExpressionGenerator(state: seed)
        let bindings = RandomExpressionTests.bindings
        let sizes = bindings.mapValues(\.totalSize)
        var tight = 0
        for _ in 0..<400 * scale {
            let text = generator.expression(generator.pick([CELType.int, .string, .bool, .list(.int)]), 4)
            for variables in [RandomExpressionTests.variables, RandomExpressionTests.variables.mapValues { _ in .dyn }]
            {
                let program = try CELExpression(text, variables: variables)
                var slots = program.slots()
                for (name, value) in bindings { try slots.set(value, at: try slots.index(of: name)) }
                _ = try? program.evaluate(&slots)
                let estimate = program.estimatedCost(sizes: sizes)
                #expect(estimate.contains(slots.cost), "\(text)")
                if estimate.upperBound < 10_000 { tight += 1 }
            }
        }
        #expect(tight > 200)
    }

    /// The corpus calls every function that there is.
    @Test func everyFunctionIsWithinTheBounds() throws {
        let sizes = RandomExpressionTests.bindings.mapValues(\.totalSize)
        for bytes in try CorpusTests.corpus() {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let program = try? CELExpression(text, variables: RandomExpressionTests.variables) else { continue }
            var slots = program.slots()
            for (name, value) in RandomExpressionTests.bindings { try slots.set(value, at: try slots.index(of: name)) }
            _ = try? program.evaluate(&slots)
            #expect(program.estimatedCost(sizes: sizes).contains(slots.cost), "\(text)")
        }
    }
}
