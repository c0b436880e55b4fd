import SluiceExpressions
import SluiceJSON

/// A compiled expression of a stream: a factory of closures, of which each subscription makes its own.
struct StreamExpression: Sendable {
    /// The type of its result.
    let type: CELType
    private let program: CELExpression?
    private let path: JSONPath
    /// The names of enclosing streams that it uses, with their distances.
    private let outer: [(name: String, distance: Int)]
    private let usesIndex: Bool
    /// The names of its own stream that it declares, in order; `nil` for those that it does not use.
    private let own: [String?]

    /// A placeholder for a missing expression, so that the rest of a document can be checked.
    static let missing = StreamExpression()

    private init() { (type, program, path, outer, usesIndex, own) = (.dyn, nil, JSONPath(), [], false, []) }

    /// Compiles a text.
    ///
    /// - Parameters:
    ///   - variables: The variables of its own stream.
    ///   - outer: The variables of the enclosing streams, the innermost first; of equal names the inner one is used.
    ///   - items: The items of enclosing streams that it sees by other names.
    ///   - joinsNull: A Boolean value that indicates whether `null` may be one of the two results of a `?:` of any type.
    ///   - budget: The compilation budget of all expressions of the document.
    init(
        _ text: String,
        _ variables: [(name: String, type: CELType)],
        outer: [(name: String, type: CELType)],
        items: [String: OuterItem] = [:],
        path: JSONPath,
        joinsNull: Bool = false,
        budget: CompilationBudget
    ) throws(CELError) {
        let words = Set(text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        var declared: [String: CELType] = [:]
        for variable in variables where variable.name != "i" || words.contains("i") {
            declared[variable.name] = variable.type
        }
        var used: [(String, Int)] = []
        for (distance, variable) in outer.enumerated() where words.contains(variable.name) {
            guard declared[variable.name] == nil else { continue }
            declared[variable.name] = variable.type
            used.append((variable.name, distance))
        }
        for (name, item) in items {
            declared[name] = item.type
            used.append((name, item.distance))
        }
        let program = try CELExpression(
            text,
            variables: declared,
            promotesInts: true,
            joinsNull: joinsNull,
            budget: budget
        )
        self.program = program
        type = program.shapedType
        self.path = path
        self.outer = used
        own = variables.map { declared[$0.name] == nil ? nil : $0.name }
        // The ninth of joined streams is an `i` too.
        usesIndex = own.contains("i") && variables.prefix(2).contains { $0.name == "x" }
    }

    // MARK: Closures

    /// Returns a function of `x`.
    func transform(_ scope: Scope) -> (CELValue) throws -> CELValue { unary("x", scope) }

    /// Returns a function of `error`.
    func mapError(_ scope: Scope) -> (CELValue) throws -> CELValue { unary("error", scope) }

    private func unary(_ name: String, _ scope: Scope) -> (CELValue) throws -> CELValue {
        guard let frame = frame(scope) else { return { $0 } }
        let x = frame.slot(name)
        return { value in
            try frame.set(value, x)
            return try frame.evaluate()
        }
    }

    /// Returns a predicate of `x`.
    func predicate(_ scope: Scope) -> (CELValue) throws -> Bool {
        guard let frame = frame(scope) else { return { _ in true } }
        let x = frame.slot("x")
        return { value in
            try frame.set(value, x)
            return try frame.evaluateBool()
        }
    }

    /// Returns a function of `acc` and `x` that replaces `acc` by its result; if it throws, `acc` is unchanged.
    func accumulate(_ scope: Scope) -> (inout CELValue, CELValue) throws -> Void {
        guard let frame = frame(scope) else { return { $0 = $1 } }
        let (first, second) = (frame.slot("acc"), frame.slot("x"))
        return { acc, x in
            try frame.set(x, second)
            try frame.replace(&acc, first)
        }
    }

    /// Returns a function of `acc` and `x` for an accumulator without an initial value: where `acc` is `nil`, it
    /// becomes `x` and counts it, so that `i` is the index of the item.
    func accumulateFromFirst(_ scope: Scope) -> (inout CELValue?, CELValue) throws -> Void {
        guard let frame = frame(scope) else { return { $0 = $1 } }
        let (first, second) = (frame.slot("acc"), frame.slot("x"))
        return { acc, x in
            guard var value = acc else {
                frame.step()
                acc = x
                return
            }
            // Only `value` holds a list that is appended to.
            acc = nil
            defer { acc = value }
            try frame.set(x, second)
            try frame.replace(&value, first)
        }
    }

    /// Returns a function of `a` and `x`.
    func flatten(_ scope: Scope) -> (CELValue, CELValue) throws -> CELValue { binary("a", "x", scope) }

    /// Returns a function of `a`, `b`, ….
    func join(_ scope: Scope) -> ([CELValue]) throws -> CELValue {
        guard let frame = frame(scope) else { return { .list($0) } }
        let slots = own.map { $0.map(frame.slot) }
        return { values in
            for (slot, value) in zip(slots, values) { if let slot { try frame.set(value, slot) } }
            return try frame.evaluate()
        }
    }

    private func binary(_ first: String, _ second: String, _ scope: Scope) -> (CELValue, CELValue) throws -> CELValue {
        guard let frame = frame(scope) else { return { $1 } }
        let (first, second) = (frame.slot(first), frame.slot(second))
        return { a, b in
            try frame.set(a, first)
            try frame.set(b, second)
            return try frame.evaluate()
        }
    }

    /// Evaluates the expression on values of its own variables, in order; returns `nil` if it reads items of enclosing
    /// streams.
    func evaluated(_ values: [CELValue]) throws -> CELValue? {
        var cost = 0
        return try evaluated(values, cost: &cost)
    }

    /// Evaluates the expression on values of its own variables, in order; returns `nil` if it reads items of enclosing
    /// streams. Adds the cost of the evaluation to `cost`, also if it fails.
    func evaluated(_ values: [CELValue], cost: inout Int) throws -> CELValue? {
        guard let program, outer.isEmpty else { return nil }
        let frame = Frame(program, path, nil)
        defer { cost += frame.cost }
        for (name, value) in zip(own, values) { if let name { try frame.set(value, frame.slot(name)) } }
        return try frame.evaluate()
    }

    private func frame(_ scope: Scope) -> Frame? {
        guard let program else { return nil }
        let frame = Frame(program, path, usesIndex ? scope.cell(0, "i") : nil)
        for (name, distance) in outer {
            var item = scope.outer
            for _ in 0..<distance { item = item?.next }
            // The types were checked when it was compiled.
            if let value = item?.value { try? frame.set(value, frame.slot(name)) }
        }
        return frame
    }

    /// The variables of one subscription.
    private final class Frame {
        private let program: CELExpression
        private let slots: Cell<CELSlots>
        private let path: JSONPath
        private let index: Int?
        private let count: Cell<Int>?
        /// A Boolean value that indicates whether the size of its values is checked, as for an expression that puts
        /// values into others.
        private let builds: Bool
        /// The type of its result, if that type has an evaluation without boxing.
        private let answer: Answer

        init(_ program: CELExpression, _ path: JSONPath, _ count: Cell<Int>?) {
            self.count = count
            self.program = program
            self.path = path
            slots = Cell(program.slots())
            index = count == nil ? nil : try? slots.state.index(of: "i")
            answer =
                switch program.type {
                case .int: .int
                case .double: .double
                case .bool: .bool
                default: .other
                }
            // Everything that puts values into others is written with one of these.
            builds = program.type.mayNest && program.text.contains { "[{(?".contains($0) }
        }

        /// The extent of the last list that `replace` appended to.
        private var extent = CELValue.ListExtent()

        private enum Answer { case int, double, bool, other }

        /// The cost of the last evaluation.
        var cost: Int { slots.state.cost }

        /// Returns the slot of a variable; every name that is requested here is declared.
        func slot(_ name: String) -> Int { (try? slots.state.index(of: name)) ?? 0 }

        func set(_ value: CELValue, _ slot: Int) throws {
            do throws(CELError) { try slots.state.set(value, at: slot) } catch { throw failure(error) }
        }

        func evaluate() throws -> CELValue {
            step()
            return try result()
        }

        private func result() throws -> CELValue {
            let value: CELValue
            do throws(CELError) {
                switch answer {
                case .int: return .int(try program.evaluateInt(&slots.state))
                case .double: return .double(try program.evaluateDouble(&slots.state))
                case .bool: return .bool(try program.evaluateBool(&slots.state))
                case .other: value = try program.evaluate(&slots.state)
                }
            } catch {
                throw failure(error)
            }
            if builds, let excess = value.excess { throw StreamError(path: path.description, message: excess) }
            return value
        }

        /// Evaluates on a value of a slot and replaces it by the result: `acc + [x]` appends to a list in place. If it
        /// throws, `value` is unchanged.
        func replace(_ value: inout CELValue, _ slot: Int) throws {
            step()
            let added: [CELValue]?
            do throws(CELError) { added = try program.append(to: &value, at: slot, &slots.state) } catch {
                throw failure(error)
            }
            guard let added else {
                try set(value, slot)
                value = try result()
                return
            }
            if builds, let excess = value.excess(after: added, &extent) {
                value.removeLast(added.count)
                throw StreamError(path: path.description, message: excess)
            }
        }

        func evaluateBool() throws -> Bool {
            step()
            do throws(CELError) { return try program.evaluateBool(&slots.state) } catch { throw failure(error) }
        }

        /// Sets the index of the next item.
        func step() {
            guard let index, let count else { return }
            slots.state.setInt(Int64(count.state), at: index)
            count.state += 1
        }

        private func failure(_ error: CELError) -> StreamError {
            StreamError(path: path.description, message: error.issues.first?.message ?? "\(error)")
        }
    }
}

extension ItemType {
    /// The type in the expression language.
    var expressionType: CELType {
        switch self {
        case .int: .int
        case .double: .double
        case .string: .string
        case .bool: .bool
        case .dyn: .dyn
        case .schema(let schema): CELType.dyn.refined(by: schema.shape)
        }
    }
}

extension Flow<CELValue> {
    /// Returns the stream with every item of the declared type: an int becomes a double if one is declared, and any
    /// other difference is an error.
    func declared(_ item: ItemType) -> Flow {
        if item == .dyn { return self }
        return mapping(.fail) { _ in
            { value in
                switch (item, value) {
                case (.int, .int), (.double, .double), (.string, .string), (.bool, .bool): return value
                case (.double, .int(let number)): return .double(Double(number))
                default:
                    throw StreamError(message: "the items are declared as \(item), found \(value.typeName)")
                }
            }
        }
    }
}
