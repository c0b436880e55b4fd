/// The types that type parameters represent, found by comparing types with each other.
///
/// All of its work is bounded, since inferred types may refer to each other so that their texts would double with every
/// level.
struct Substitution {
    private var types: [String: CELType] = [:]
    /// The changes, for returning to an earlier state.
    private var trail: [(name: String, type: CELType?)] = []
    private var count = 0
    private let meter: Meter
    /// The number of type comparisons that are left; below 0 after too many.
    var fuel: Int { meter.fuel }

    /// A counter that also counts when nothing else changes.
    private final class Meter {
        var fuel: Int

        init(_ fuel: Int) { self.fuel = fuel }
    }

    /// The size, in names, of the largest type that is written out; a larger one is `dyn`.
    static let largestType = 200

    init(fuel: Int) { meter = Meter(fuel) }

    mutating func fresh() -> CELType {
        count += 1
        return .parameter("T\(count)")
    }

    /// The current state, to return to later.
    var mark: Int { trail.count }

    mutating func rollBack(to mark: Int) {
        while trail.count > mark, let (name, type) = trail.popLast() { types[name] = type }
    }

    private mutating func set(_ name: String, _ type: CELType) {
        trail.append((name, types[name]))
        types[name] = type
    }

    /// Returns whether all of some types are accepted by others; what it infers is kept only if they are.
    mutating func unify(_ left: [CELType], _ right: [CELType]) -> Bool {
        let before = mark
        for (left, right) in zip(left, right) where !assign(left, right) {
            rollBack(to: before)
            return false
        }
        return true
    }

    private mutating func assign(_ left: CELType, _ right: CELType) -> Bool {
        meter.fuel -= 1
        guard meter.fuel >= 0 else { return false }
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
            if general != bound, !occurs(name, in: general) { set(name, general) }
            return (true, true)
        }
        guard !occurs(name, in: type), type.depth < 64 else { return (false, false) }
        set(name, type)
        return (true, false)
    }

    private func occurs(_ name: String, in type: CELType) -> Bool {
        var rest = 1000
        return occurs(name, in: type, &rest)
    }

    /// Returns whether the name occurs in the type; a type that is too large to be searched counts as if it does.
    private func occurs(_ name: String, in type: CELType, _ rest: inout Int) -> Bool {
        rest -= 1
        guard rest >= 0 else { return true }
        if case .parameter(let other) = type {
            if other == name { return true }
            return types[other].map { occurs(name, in: $0, &rest) } ?? false
        }
        for argument in type.arguments where occurs(name, in: argument, &rest) { return true }
        return false
    }

    /// Returns the more general of two compatible types.
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

    /// Returns the type with all known parameters substituted. At the end, unknown ones become `dyn`; types that are
    /// larger than ``largestType`` always do.
    func resolve(_ type: CELType, isFinal: Bool) -> CELType {
        var rest = Substitution.largestType
        if type.isSettled(&rest) { return type }
        rest = Substitution.largestType
        return resolve(type, isFinal, &rest)
    }

    private func resolve(_ type: CELType, _ isFinal: Bool, _ rest: inout Int) -> CELType {
        if case .parameter(let name) = type {
            if let known = types[name] { return resolve(known, isFinal, &rest) }
            return isFinal ? .dyn : type
        }
        rest -= 1
        meter.fuel -= 1
        guard rest >= 0, meter.fuel >= 0 else { return .dyn }
        let arguments = type.arguments
        if arguments.isEmpty { return type }
        var resolved: [CELType] = []
        for argument in arguments { resolved.append(resolve(argument, isFinal, &rest)) }
        return type.with(resolved)
    }

    /// Returns a declaration's types with fresh type parameters.
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

extension CELType {
    /// Returns whether the type contains no type parameter and is no larger than `rest`, which is counted down.
    fileprivate func isSettled(_ rest: inout Int) -> Bool {
        rest -= 1
        guard rest >= 0 else { return false }
        switch self {
        case .parameter: return false
        case .list(let element), .optional(let element), .type(let element): return element.isSettled(&rest)
        case .map(let key, let value): return key.isSettled(&rest) && value.isSettled(&rest)
        case .opaque(_, let parameters):
            for parameter in parameters where !parameter.isSettled(&rest) { return false }
            return true
        default: return true
        }
    }
}
