import Testing

@testable import SluiceExpressions

/// The check of expressions whose variables have shapes.
struct ShapeCheckerTests {
    /// An order with a price, an optional note, and lines.
    private static let order: CELType = {
        let line = CELShape(.map, fields: .init(named: ["price": CELShape([.int, .double])], rest: nil))
        let named: [String: CELShape] = [
            "name": CELShape(.string), "price": CELShape([.int, .double]), "count": CELShape(.int),
            "note": CELShape([.string, .null]), "isPaid": CELShape(.bool),
            "lines": CELShape(.list, element: line), "owner": CELShape([.map, .null], fields: line.fields),
            "tags": CELShape(.map, fields: .init(named: [:], rest: CELShape(.string))),
        ]
        return .shape(CELShape(.map, fields: .init(named: named, rest: nil)))
    }()

    private func errors(_ text: String) -> [String] {
        do {
            _ = try CELExpression(text, variables: ["x": Self.order, "i": .int], promotesInts: true)
            return []
        } catch {
            return error.issues.map { "\($0.column): \($0.message)" + ($0.hint.map { " (\($0))" } ?? "") }
        }
    }

    private func type(_ text: String) throws -> CELType {
        try CELExpression(text, variables: ["x": Self.order, "i": .int], promotesInts: true).shapedType
    }

    @Test(arguments: [
        ("x.prise > 1.0", ["3: there is no field 'prise' (did you mean price?)"]),
        (
            "x.zzzzz",
            ["3: there is no field 'zzzzz' (the fields are: count, isPaid, lines, name, note, owner, price, tags)"]
        ),
        ("x['prise']", ["3: there is no field 'prise' (did you mean price?)"]),
        ("x.owner.prise", ["9: there is no field 'prise' (did you mean price?)"]),
        ("x.owner.prise.more.again", ["9: there is no field 'prise' (did you mean price?)"]),
        ("x.lines[0].prise", ["12: there is no field 'prise' (did you mean price?)"]),
        ("x.lines.map(l, l.prise)", ["18: there is no field 'prise' (did you mean price?)"]),
        ("x.lines.exists(l, l.prise > 1)", ["21: there is no field 'prise' (did you mean price?)"]),
        ("x.name.first", ["8: string has no field 'first'"]),
        ("x.name + 1", ["8: + does not take (string, int) (a string is joined with a string: use string(…))"]),
        (
            "x.note * 2",
            [
                "8: * does not take (null or string, int) (it takes (int, int) or (double, int))"
            ]
        ),
        (
            "x.name < x.count",
            [
                "8: < does not take (string, int) (it takes (bool, bool) or (string, string) or (bytes, bytes) or (duration, duration) or others)"
            ]
        ),
        ("!x.name", ["1: ! does not take (string) (it takes (bool))"]),
        ("x.count.startsWith('a')", ["9: int has no startsWith(string) (it takes string.startsWith(string))"]),
        ("x.name ? 1 : 2", ["3: the condition before ? is a bool, found string"]),
        ("x.name && x.count", ["3: && takes bool"]),
        ("x.count.map(e, e)", ["3: a macro goes over a list or a map, found int"]),
        ("x.lines['a']", ["8: list has no index of type string"]),
        ("has(x.ownr.price)", ["7: there is no field 'ownr' (did you mean owner?)"]),
        ("cel.bind(o, x.owner, o.prise)", ["24: there is no field 'prise' (did you mean price?)"]),
        ("{'a': x.name}.b", ["15: there is no field 'b' (the fields are: a)"]),
        (
            "x.prise + x.nmae",
            [
                "3: there is no field 'prise' (did you mean price?)",
                "13: there is no field 'nmae' (did you mean name?)",
            ]
        ),
    ])
    func reportsWhatAlwaysFails(_ text: String, _ expected: [String]) { #expect(errors(text) == expected) }

    @Test(arguments: [
        "x.price > 1.0", "x.price + 1", "x.count * 1.5", "has(x.prise)", "x.?prise.orValue(0)", "'prise' in x",
        "x.tags.anything + 'a'", "x.note + 'a'", "x.note == null", "x.name == 5", "x.name || true",
        "x.lines.filter(l, l.price > 1).size()", "dyn(x).prise", "x.lines + [1]", "x[x.name]",
        "x.isPaid ? x.name : x.count", "x.owner == null || x.owner.price > 1", "[x.name, x.count][i]",
        "x.exists(k, k == 'name')", "x.transformList(k, v, v)", "math.greatest(x.price, x.count)",
        "size(x.name) + size(x.lines)", "string(x.price)",
    ])
    func leavesWhatMaySucceed(_ text: String) { #expect(errors(text) == []) }

    @Test func aResultKeepsWhatIsKnown() throws {
        #expect(try type("x.name") == .shape(CELShape(.string)))
        #expect(try type("x.name + 'a'") == .string)
        #expect(try type("x") == Self.order)
        #expect(try type("x.isPaid ? x.name : x.note") == .shape(CELShape([.string, .null])))
        let made = try type("{'a': x.name, 'b': [x.count]}")
        let fields = CELShape.Fields(
            named: ["a": CELShape(.string), "b": CELShape(.list, element: CELShape(.int))],
            rest: nil
        )
        #expect(made == .shape(CELShape(.map, fields: fields)))
        #expect(made.description == "map")
        #expect(try type("[x.name]") == .list(.shape(CELShape(.string))))
        #expect(try type("dyn(x)") == .dyn)
    }

    @Test func anEvaluationIsThatOfADynamicVariable() throws {
        let expression = try CELExpression("x.count + 1", variables: ["x": Self.order])
        #expect(expression.variables["x"] == .dyn)
        #expect(expression.type == .int && expression.shapedType == .int)
        #expect(try expression.evaluate(["x": .map(CELMap([(.string("count"), .int(1))])!)]).isEqual(to: .int(2)))
        // Only a check knows the shape.
        _ = try CELExpression("x.prise", variables: ["x": Self.order], isChecked: false)
    }

    @Test func aLargeShapeIsForgotten() {
        var shape = CELShape(.string)
        for _ in 0..<100 { shape = CELShape(.list, element: shape) }
        #expect(shape.kinds == .list)
        var wide = CELShape(.string)
        for _ in 0..<20 { wide = CELShape(.map, fields: .init(named: ["a": wide, "b": wide], rest: nil)) }
        #expect(wide.kinds == .map)
        var fuel = 10
        var left = CELShape(.int)
        for _ in 0..<30 { left = CELShape(.list, element: left) }
        var right = CELShape(.bool)
        for _ in 0..<30 { right = CELShape(.list, element: right) }
        #expect(left.joined(with: right, &fuel).kinds == .list)
        #expect(fuel < 0)
    }

    /// Returns a shape with fields whose names are alike.
    private func wide(_ count: Int) -> CELShape {
        var named: [String: CELShape] = [:]
        for number in 0..<count { named["field\(number)"] = CELShape(.int) }
        return CELShape(.map, fields: .init(named: named, rest: nil))
    }

    /// Names are compared for the issues that are kept, and each comparison is a step.
    @Test func hintsAreCounted() {
        let shape = wide(1_000)
        var checker = ShapeChecker(plan: Plan(), source: SourceText("x"), variables: [], fuel: 1_000_000)
        for _ in 0..<10_000 {
            let found = checker.select("feld1", of: shape, at: 0)
            #expect(found.isAny)
        }
        #expect(checker.fuel == 1_000_000 - 50 * 1_000)
        #expect(checker.issues.count == 50)
        #expect(checker.issues.allSatisfy { $0.hint == "did you mean field1?" })
        var poor = ShapeChecker(plan: Plan(), source: SourceText("x"), variables: [], fuel: 1_500)
        for _ in 0..<3 { _ = poor.select("feld1", of: shape, at: 0) }
        #expect(poor.issues.map(\.hint) == ["did you mean field1?", nil, nil])
        #expect(poor.issues.allSatisfy { $0.message == "there is no field 'feld1'" })
    }

    /// Joining a shape with fields and one without makes another shape, which takes a step for each field.
    @Test func joiningFieldsIsCounted() {
        let shape = wide(1_000)
        for (left, right) in [(shape, CELShape(.null)), (CELShape(.null), shape)] {
            var fuel = 1_001
            let joined = left.joined(with: right, &fuel)
            #expect(joined == CELShape([.null, .map], fields: shape.fields) && fuel == 0)
            fuel = 1_000
            let unknown = left.joined(with: right, &fuel)
            #expect(unknown.isAny && fuel < 0)
        }
    }

    @Test func hostileJoinsEnd() throws {
        // Each branch joins the shapes of all before it.
        let fields = (0..<100).map { "'f\($0)': x.name" }.joined(separator: ", ")
        let text = Array(repeating: "i > 1 ? {\(fields)} : ", count: 20).joined() + "{'a': x.count}"
        _ = try CELExpression(text, variables: ["x": Self.order, "i": .int], promotesInts: true)
    }
}
