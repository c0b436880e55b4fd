/// The part of an expression `list + …` whose list is the value of a variable: it appends to the variable in place.
struct Appending: Sendable {
    /// The index of the variable among those of the expression.
    let variable: Int
    /// The slot of the variable's value.
    let slot: Int
    /// The second operand.
    let addition: Run<CELValue>
    /// The place of the operator in the text.
    let offset: Int
}

extension Compiler {
    /// Returns the append of an expression that is a sum of a variable and something else; `nil` for another.
    func appending() -> Appending? {
        let node = plan[plan.root]
        guard case .call("_+_", let overloads, let arguments) = node.kind, arguments.count == 2,
            !overloads.contains(where: \.isHost), case .variable(let variable) = plan[arguments[0]].kind,
            locations[variable].isBoxed
        else { return nil }
        switch plan[arguments[0]].type {
        case .dyn, .list: break
        default: return nil
        }
        return Appending(
            variable: variable,
            slot: locations[variable].slot,
            addition: boxed(arguments[1]),
            offset: node.offset
        )
    }
}

extension CELExpression {
    /// Evaluates the expression on the list of a variable, if it is `list + …`, and replaces the list by the result:
    /// `acc + [x]` appends without copying, if nothing else holds the list.
    ///
    /// The result, the cost, and the errors are those of ``evaluate(_:)``. If the evaluation throws, `value` is unchanged.
    ///
    /// - Parameters:
    ///   - value: The value of the variable, which has no value afterwards.
    ///   - index: The slot of the variable.
    ///   - slots: The slots with the values of the other variables.
    /// - Returns: The values that were appended; `nil` for an expression or a value of another form, which is not evaluated.
    /// - Complexity: O(*n*) in the appended values, amortized, and the time of the second operand.
    package func append(
        to value: inout CELValue,
        at index: Int,
        _ slots: inout CELSlots
    ) throws(CELError) -> [CELValue]? {
        guard let count = value.listCount, let appending = program.appending, appending.variable == index else {
            return nil
        }
        try slots.set(value, at: index)
        try program.start(&slots)
        do throws(Fault) {
            guard case .list(let added) = try appending.addition(&slots.frame) else { return nil }
            // As the operator charges for the search of its overload, and for the list that it would make.
            do throws(Fault) {
                try slots.frame.charge(Compiler.dispatchCost)
                try slots.frame.makeList(count + added.count)
            } catch {
                throw error.located(appending.offset)
            }
            slots.frame.values[appending.slot] = nil
            value.append(added)
            return added
        } catch {
            throw program.error(error)
        }
    }
}

extension CELValue {
    /// The number of elements of a list; `nil` for another value.
    fileprivate var listCount: Int? { if case .list(let list) = self { list.count } else { nil } }

    /// Appends to a list, in place if nothing else holds it.
    fileprivate mutating func append(_ values: [CELValue]) {
        guard case .list(var list) = self else { return }
        self = .null
        list.append(contentsOf: values)
        self = .list(list)
    }
}
