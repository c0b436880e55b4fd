extension Checker {
    mutating func visitCall(_ target: Int?, _ name: String, _ arguments: [Int], _ node: SyntaxNode) -> Int {
        if let expanded = macro(target, name, arguments, node) { return expanded }
        if let target, let (names, isAbsolute) = tree.qualifiedName(target),
            isAbsolute || !scope.contains(where: { $0.name == names[0] })
        {
            // A name with dots may be that of a function: math.abs(x).
            for candidate in candidates((names + [name]).joined(separator: "."), isAbsolute)
            where library.has(candidate) {
                return resolve(candidate, isMember: false, visitAll(arguments), at: node.offset)
            }
        }
        guard let target else {
            let isAbsolute = name.hasPrefix(".")
            let plain = isAbsolute ? String(name.dropFirst()) : name
            for candidate in candidates(plain, isAbsolute) where library.has(candidate) {
                return resolve(candidate, isMember: false, visitAll(arguments), at: node.offset)
            }
            return resolve(plain, isMember: false, visitAll(arguments), at: node.offset)
        }
        if library.overloads(name, isMember: true).isEmpty, Checker.macroForms[name] != nil {
            // The names that it would bind are undeclared, but that is not the error.
            return unknown(name, true, arguments.count, at: node.offset)
        }
        return resolve(name, isMember: true, visitAll([target] + arguments), at: node.offset)
    }

    mutating func visitAll(_ nodes: [Int]) -> [Int] {
        var visited: [Int] = []
        for node in nodes { visited.append(visit(node)) }
        return visited
    }

    /// Finds the overloads that take the arguments.
    mutating func resolve(_ name: String, isMember: Bool, _ arguments: [Int], at offset: Int) -> Int {
        let known = library.overloads(name, isMember: isMember)
        guard !known.isEmpty else {
            return unknown(name, isMember, arguments.count - (isMember ? 1 : 0), at: offset)
        }
        if isStrict {
            for argument in arguments {
                if case .failure = plan[argument].kind {
                    return plan.add(.call(name, known, arguments), .dyn, at: offset)
                }
            }
        }
        let argumentTypes = arguments.map(type)
        if let (exact, result) = Checker.exact(name, known, argumentTypes) {
            return plan.add(.call(name, isStrict ? [exact] : known, arguments), result, at: offset)
        }
        let isPlain = argumentTypes.allSatisfy { $0 == .dyn || $0.scalar != nil }
        var found: [Overload] = []
        var result: CELType?
        for overload in known where overload.parameters.count == arguments.count {
            if zip(argumentTypes, overload.parameters).contains(where: Checker.isOtherScalar) { continue }
            if isPlain, overload.isMonomorphic {
                // No types are inferred here, so none need to be compared.
                guard zip(argumentTypes, overload.parameters).allSatisfy(Checker.fits) else { continue }
                found.append(overload)
                if let known = result {
                    result = known == overload.result ? known : .dyn
                } else {
                    result = overload.result
                }
                continue
            }
            let before = substitution.mark
            guard let answer = self.answer(of: overload, argumentTypes, isFinal: !found.isEmpty) else { continue }
            substitution.rollBack(to: before)
            found.append(overload)
            if let known = result { result = known == answer ? known : .dyn } else { result = answer }
        }
        // With several overloads, nothing is known about the arguments' types.
        if found.count == 1, !(isPlain && found[0].isMonomorphic) {
            result = answer(of: found[0], argumentTypes, isFinal: false)
        }
        if found.count > 1 { result = result.map { substitution.resolve($0, isFinal: true) } }
        if let result { return plan.add(.call(name, isStrict ? found : known, arguments), result, at: offset) }
        if !isStrict { return plan.add(.call(name, known, arguments), .dyn, at: offset) }
        return mismatch(name, isMember, known, arguments, at: offset)
    }

    /// Returns the result type of an overload for arguments, and infers types from it; nil if the overload doesn't
    /// apply.
    private mutating func answer(of overload: Overload, _ types: [CELType], isFinal: Bool) -> CELType? {
        let wanted = substitution.instantiate(overload.parameters + [overload.result])
        guard substitution.unify(types, Array(wanted.dropLast())) else { return nil }
        return substitution.resolve(wanted[wanted.count - 1], isFinal: isFinal)
    }

    /// Returns the overload that takes exactly these types and its result type, if all of them are types without parts.
    private static func exact(_ name: String, _ known: [Overload], _ types: [CELType]) -> (Overload, CELType)? {
        guard let first = types.first, types.allSatisfy({ $0.scalar != nil }) else { return nil }
        if name == "_==_" || name == "_!=_" {
            return types.count == 2 && first == types[1] ? known.first.map { ($0, .bool) } : nil
        }
        for overload in known where overload.parameters.count == types.count && overload.isMonomorphic {
            if zip(types, overload.parameters).allSatisfy({ $0.scalar == $1.scalar }) {
                return (overload, overload.result)
            }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether a scalar or dyn is accepted by a type without parameters.
    private static func fits(_ type: CELType, _ parameter: CELType) -> Bool {
        type == .dyn || parameter == .dyn || type == parameter
    }

    /// Returns a Boolean value that indicates whether both are types without parameters that differ, so that nothing
    /// can be inferred.
    private static func isOtherScalar(_ type: CELType, _ parameter: CELType) -> Bool {
        guard let left = type.scalar, let right = parameter.scalar else { return false }
        return left != right
    }

    private mutating func mismatch(
        _ name: String,
        _ isMember: Bool,
        _ known: [Overload],
        _ arguments: [Int],
        at offset: Int
    ) -> Int {
        guard canReport else { return fail(.noSuchOverload, "", at: offset) }
        let types = arguments.map { shown(type($0)).description }
        let shownName = Checker.readable(name)
        let message =
            isMember
            ? "\(types[0]) has no \(name)(\(types.dropFirst().joined(separator: ", ")))"
            : "\(shownName) does not take (\(types.joined(separator: ", ")))"
        let forms = known.prefix(4).map { overload in
            let parameters = overload.parameters.map(\.description)
            return overload.isMember
                ? "\(parameters[0]).\(name)(\(parameters.dropFirst().joined(separator: ", ")))"
                : "(\(parameters.joined(separator: ", ")))"
        }
        let numbers = Set(types)
        let hint =
            numbers.count == 2 && numbers.isSubset(of: ["int", "uint", "double"])
            ? "numbers are not converted by themselves: use \(types.contains("double") ? "double(…)" : "int(…)")"
            : "it takes " + forms.joined(separator: " or ") + (known.count > 4 ? " or others" : "")
        return fail(.noSuchOverload, message, at: offset, hint: hint)
    }

    static func readable(_ name: String) -> String {
        if name.hasPrefix("math.@") { return Operator.shownName(name) }
        return name.contains("_") && !name.contains(where: \.isLetter)
            ? name.filter { $0 != "_" } : name == "_in_" ? "in" : name
    }

    private mutating func unknown(_ name: String, _ isMember: Bool, _ count: Int, at offset: Int) -> Int {
        guard canReport else { return fail(.undeclared, "there is no function '\(name.shortened())'", at: offset) }
        if isMember || name == "has", let forms = Checker.macroForms[name] {
            return fail(
                .noSuchOverload,
                "\(name) does not take \(count == 1 ? "1 argument" : "\(count) arguments")",
                at: offset,
                hint: "write \(forms)"
            )
        }
        var hint: String?
        if Checker.macroForms[name] != nil, name != "has" {
            hint = "call it on a list or a map: \(Checker.macroForms[name] ?? "")"
        } else if !library.overloads(name, isMember: !isMember).isEmpty {
            hint = isMember ? "call it as \(name)(x)" : "call it as x.\(name)(…)"
        } else if let near = nearest(
            to: name,
            among: library.names(isMember: isMember) + (isMember ? Checker.macros : ["has"])
        ), near != name {
            hint = "did you mean \(near)?"
        }
        return fail(.undeclared, "there is no function '\(name.shortened())'", at: offset, hint: hint)
    }
}
