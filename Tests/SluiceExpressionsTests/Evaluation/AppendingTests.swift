import Testing

@testable import SluiceExpressions

/// Expressions that append to the list of a variable in place.
struct AppendingTests {
    /// The elements of a list, and the address of its storage.
    private func storage(_ value: CELValue) -> (count: Int, address: UnsafeRawPointer?) {
        guard case .list(let list) = value else { return (0, nil) }
        return list.withUnsafeBytes { (list.count, $0.baseAddress) }
    }

    private func reserved() -> CELValue {
        var list: [CELValue] = [1, 2]
        list.reserveCapacity(64)
        return .list(list)
    }

    @Test(arguments: [CELType.dyn, .list(.int), .list(.dyn)]) func aListOfOneHolderKeepsItsStorage(_ type: CELType)
        throws
    {
        let program = try CELExpression("acc + [x, size(acc)]", variables: ["acc": type, "x": .int])
        var slots = program.slots()
        let (acc, x) = (try slots.index(of: "acc"), try slots.index(of: "x"))
        var value = reserved()
        let before = storage(value).address
        for number in 0..<10 as Range<Int64> {
            slots.setInt(number, at: x)
            let count = Int64(storage(value).count)
            #expect(try program.append(to: &value, at: acc, &slots) == [.int(number), .int(count)])
        }
        #expect(storage(value) == (22, before))
    }

    /// Another holder of the list has the old one afterwards.
    @Test func aListOfTwoHoldersIsCopied() throws {
        let program = try CELExpression("acc + acc", variables: ["acc": .dyn])
        var slots = program.slots()
        var value = reserved()
        let other = value
        #expect(try program.append(to: &value, at: 0, &slots) == [1, 2])
        #expect(value == [1, 2, 1, 2])
        #expect(other == [1, 2])
    }

    /// The results, the costs, and the errors are those of an evaluation that copies.
    @Test(arguments: [
        "acc + [x]", "acc + []", "acc + acc", "acc + [acc]", "acc + [1 / x]", "acc + x", "acc + [x] + [2]", "[0] + acc",
        "acc + ([x] + acc)", "acc + acc.map(y, y + x)", "acc", "acc + (x > 2 ? [x] : acc)", "size(acc) + x",
    ]) func isAnEvaluation(_ text: String) throws {
        for maximum in [8, 12, 20, 60, 1_000_000] {
            var limits = CELLimits()
            limits.maximumCost = maximum
            let program = try CELExpression(text, variables: ["acc": .dyn, "x": .dyn], limits: limits)
            for acc in [[], [1, 2], [[1], "a"], "text", 5, .null] as [CELValue] {
                for x in [0, 3, [7], "z"] as [CELValue] {
                    var slots = program.slots()
                    let (first, second) = (try slots.index(of: "acc"), try? slots.index(of: "x"))
                    if let second { try slots.set(x, at: second) }
                    try slots.set(acc, at: first)
                    let expected = Result { try program.evaluate(&slots) }
                    let cost = slots.cost
                    var (value, other) = (acc, program.slots())
                    if let second { try other.set(x, at: second) }
                    do {
                        guard try program.append(to: &value, at: first, &other) != nil else {
                            #expect(value == acc)
                            continue
                        }
                        #expect(try expected.get() == value)
                    } catch {
                        let wanted = #expect(throws: CELError.self) { try expected.get() }
                        #expect("\(error)" == "\(try #require(wanted))")
                        #expect(value == acc)
                    }
                    #expect(other.cost == cost, "\(text), \(acc), \(x)")
                }
            }
        }
    }

    /// A function of the host may have any meaning.
    @Test func otherExpressionsAreNotAppends() throws {
        for text in ["[x] + acc", "acc + [x] + [x]", "acc - 1", "acc"] {
            let program = try CELExpression(text, variables: ["acc": .dyn, "x": .dyn])
            var (slots, value) = (program.slots(), [1] as CELValue)
            #expect(try program.append(to: &value, at: 0, &slots) == nil)
            #expect(value == [1])
        }
    }
}
