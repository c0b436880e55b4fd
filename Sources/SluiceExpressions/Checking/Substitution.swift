/// What type parameters stand for, found by holding types against each other.
struct Substitution {
    private var types: [String: CELType] = [:]
    private var count = 0

    mutating func fresh() -> CELType {
        count += 1
        return .parameter("T\(count)")
    }

    /// Whether all of some types go where others are wanted; what is found out stays only if they do.
    mutating func unify(_ left: [CELType], _ right: [CELType]) -> Bool {
        let before = types
        for (left, right) in zip(left, right) where !assign(left, right) {
            types = before
            return false
        }
        return true
    }

    private mutating func assign(_ left: CELType, _ right: CELType) -> Bool {
        if case .parameter(let name) = right {
            let (isValid, isBound) = bind(left, to: name)
            if isValid { return true }
            if isBound { return false }
        }
        if case .parameter(let name) = left { return bind(right, to: name).isValid }
        if left == .dyn || right == .dyn { return true }
        if case .type = left, case .type = right { return true }
        if left == .null { return Substitution.isNullable(right) }
        if right == .null { return Substitution.isNullable(left) }
        guard left.hasSameHead(as: right) else { return false }
        for (left, right) in zip(left.arguments, right.arguments) where !assign(left, right) { return false }
        return true
    }

    private static func isNullable(_ type: CELType) -> Bool {
        switch type {
        case .null, .duration, .timestamp, .opaque, .optional: true
        default: false
        }
    }

    private mutating func bind(_ type: CELType, to name: String) -> (isValid: Bool, isBound: Bool) {
        if type == .parameter(name) { return (true, true) }
        if let bound = types[name] {
            if type == bound { return (true, true) }
            guard assign(type, bound) else { return (false, true) }
            let general = Substitution.general(type, bound)
            if !occurs(name, in: general) { types[name] = general }
            return (true, true)
        }
        guard !occurs(name, in: type), type.depth < 64 else { return (false, false) }
        types[name] = type
        return (true, false)
    }

    private func occurs(_ name: String, in type: CELType) -> Bool {
        if case .parameter(let other) = type {
            return other == name || (types[other].map { occurs(name, in: $0) } ?? false)
        }
        return type.arguments.contains { occurs(name, in: $0) }
    }

    /// The more general of two types that agree.
    static func general(_ left: CELType, _ right: CELType) -> CELType {
        isAsGeneral(left, right) ? left : right
    }

    private static func isAsGeneral(_ left: CELType, _ right: CELType) -> Bool {
        if left == .dyn { return true }
        if case .parameter = left { return true }
        if right == .dyn { return false }
        if case .parameter = right { return false }
        if left == .null || right == .null { return right == .null }
        return left.hasSameHead(as: right) && zip(left.arguments, right.arguments).allSatisfy(isAsGeneral)
    }

    /// The type with what is known put in; what is not known becomes `dyn` at the end.
    func resolve(_ type: CELType, isFinal: Bool) -> CELType {
        if case .parameter(let name) = type {
            if let known = types[name] { return resolve(known, isFinal: isFinal) }
            return isFinal ? .dyn : type
        }
        let arguments = type.arguments
        return arguments.isEmpty ? type : type.with(arguments.map { resolve($0, isFinal: isFinal) })
    }

    /// A declaration's types with parameters of their own.
    mutating func instantiate(_ types: [CELType]) -> [CELType] {
        var names: [String: CELType] = [:]
        return types.map { rename($0, &names) }
    }

    private mutating func rename(_ type: CELType, _ names: inout [String: CELType]) -> CELType {
        if case .parameter(let name) = type {
            if let known = names[name] { return known }
            let new = fresh()
            names[name] = new
            return new
        }
        let arguments = type.arguments
        guard !arguments.isEmpty else { return type }
        var renamed: [CELType] = []
        for argument in arguments { renamed.append(rename(argument, &names)) }
        return type.with(renamed)
    }
}
