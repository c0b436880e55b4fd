import SluiceExpressions
import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// The check of expressions against schemas is sound: a part that it reports fails on every item that meets the schema, and
/// a result has the type that the check infers.
struct SchemaSoundnessTests {
    /// An expression with its parts, and the lists over which its free names go.
    private struct Sample {
        var text: String
        var parts: [Sample] = []
        /// The ranges of the macros around it, by the names that they bind, the outermost first.
        var ranges: [(name: String, range: String)] = []
    }

    private struct Generator {
        var random: Seeded

        mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

        mutating func name() -> String { pick(RandomItems.names + ["prise", "extra", "a"]) }

        mutating func sample(_ depth: Int, _ ranges: [(name: String, range: String)] = []) -> Sample {
            func made(_ text: String, _ parts: [Sample]) -> Sample { Sample(text: text, parts: parts, ranges: ranges) }
            guard depth > 0 else {
                if let bound = ranges.last, Bool.random(using: &random) { return made(bound.name, []) }
                return made(pick(["x", "x", "x", "1", "2.5", "'a'", "true", "null", "[1]", "{'price': 1}"]), [])
            }
            let first = sample(depth - 1, ranges)
            switch Int.random(in: 0..<20, using: &random) {
            case 0...6: return made("(\(first.text)).\(name())", [first])
            case 7: return made("(\(first.text))['\(name())']", [first])
            case 8: return made("(\(first.text))[\(pick(["0", "1", "'a'"]))]", [first])
            case 9: return made("has((\(first.text)).\(name()))", [first])
            case 10:
                let form = pick([
                    "size(E)", "E.size()", "E.startsWith('a')", "string(E)", "-E", "!E", "int(E)", "type(E)",
                ])
                return made(form.replacing("E", with: "(\(first.text))"), [first])
            case 11...14:
                let second = sample(depth - 1, ranges)
                let symbol = pick(["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "in", "&&", "||"])
                return made("(\(first.text)) \(symbol) (\(second.text))", [first, second])
            case 15:
                let (second, third) = (sample(depth - 1, ranges), sample(depth - 1, ranges))
                return made("(\(first.text)) ? dyn(\(second.text)) : dyn(\(third.text))", [first, second, third])
            case 16:
                let second = sample(depth - 1, ranges)
                return made("[\(first.text), \(second.text)]", [first, second])
            case 17:
                let second = sample(depth - 1, ranges)
                return made("{'price': \(first.text), 'b': \(second.text)}", [first, second])
            case 18: return made("(\(first.text)).?\(name())", [first])
            default:
                let bound = "e\(ranges.count)"
                let macro = pick(["map", "filter", "exists", "all", "sortBy"])
                var body = sample(depth - 1, ranges + [(bound, first.text)])
                if macro == "filter" || macro == "exists" || macro == "all" {
                    body = Sample(text: "(\(body.text)) == 1", parts: [body], ranges: body.ranges)
                }
                return made("(\(first.text)).\(macro)(\(bound), \(body.text))", [first, body])
            }
        }
    }

    private func value(_ text: String, _ bindings: [String: CELValue]) -> CELValue? {
        let variables = bindings.mapValues { _ in CELType.dyn }
        guard
            let program = try? CELExpression(
                text,
                variables: variables,
                promotesInts: true,
                joinsNull: true,
                budget: nil
            )
        else { return nil }
        return try? program.evaluate(bindings)
    }

    /// Returns a Boolean value that indicates whether a part fails for all items, and for all elements of the macros around it.
    private func fails(_ part: Sample, _ items: [CELValue]) -> Bool {
        var all: [[String: CELValue]] = items.map { ["x": $0] }
        for (name, range) in part.ranges {
            all = all.flatMap { bindings -> [[String: CELValue]] in
                let elements: [CELValue] =
                    switch value(range, bindings) {
                    case .list(let list): list
                    case .map(let map): map.map(\.key)
                    default: []
                    }
                return elements.map { bindings.merging([name: $0]) { $1 } }
            }
        }
        return all.allSatisfy { value(part.text, $0) == nil }
    }

    private func somePartFails(_ sample: Sample, _ items: [CELValue]) -> Bool {
        fails(sample, items) || sample.parts.contains { somePartFails($0, items) }
    }

    @Test(arguments: 0..<4) func whatIsReportedFails(_ seed: Int) throws {
        var generator = Generator(random: Seeded(seed: UInt64(seed) + 100))
        var (reported, passed, known) = (0, 0, 0)
        for _ in 0..<40 {
            let json = RandomItems.schema(3, &generator.random, isObject: true)
            let schema = try ItemSchema(parsing: json.text())
            var items: [CELValue] = []
            for _ in 0..<12 {
                let item = RandomItems.item(json, &generator.random)
                try #require(schema.problem(with: item) == nil, "\(item) \(json)")
                items.append(try CELValue(item))
            }
            let type = ItemType.schema(schema).expressionType
            for _ in 0..<50 {
                let sample = generator.sample(Int.random(in: 1...4, using: &generator.random))
                let text = sample.text
                guard
                    (try? CELExpression(
                        text,
                        variables: ["x": .dyn],
                        promotesInts: true,
                        joinsNull: true,
                        budget: nil
                    )) != nil
                else { continue }
                let program: CELExpression
                do {
                    program = try CELExpression(
                        text,
                        variables: ["x": type],
                        promotesInts: true,
                        joinsNull: true,
                        budget: nil
                    )
                } catch {
                    reported += 1
                    #expect(somePartFails(sample, items), "\(text)\n\(json)\n\(error)")
                    continue
                }
                for item in items {
                    guard let result = try? program.evaluate(["x": item]) else { continue }
                    passed += 1
                    if !program.shapedType.shape.isAny { known += 1 }
                    #expect(holds(result, program.shapedType.shape), "\(text)\n\(json)\n\(item) \(result)")
                }
            }
        }
        #expect(reported > 100 && passed > 1000 && known > 500, "\(reported) \(passed) \(known)")
    }

    private func holds(_ value: CELValue, _ shape: CELShape) -> Bool {
        guard shape.kinds.contains(CELType(of: value).shape.kinds) else { return false }
        switch value {
        case .list(let list): return list.allSatisfy { holds($0, shape.element) }
        case .map(let map):
            guard let fields = shape.fields else { return true }
            return map.allSatisfy { entry in
                guard case .string(let name) = entry.key, let field = fields[name] else { return false }
                return holds(entry.value, field)
            }
        default: return true
        }
    }
}
