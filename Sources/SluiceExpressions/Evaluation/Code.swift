/// A compiled part: a closure whose result isn't boxed if its type is known.
typealias Run<Value> = @Sendable (inout Frame) throws(Fault) -> Value

/// A compiled part by the type of its result.
enum Code {
    case int(Run<Int64>)
    case uint(Run<UInt64>)
    case double(Run<Double>)
    case bool(Run<Bool>)
    case string(Run<String>)
    case value(Run<CELValue>)

    /// The part with a boxed result.
    var boxed: Run<CELValue> {
        switch self {
        case .int(let run): { frame throws(Fault) in .int(try run(&frame)) }
        case .uint(let run): { frame throws(Fault) in .uint(try run(&frame)) }
        case .double(let run): { frame throws(Fault) in .double(try run(&frame)) }
        case .bool(let run): { frame throws(Fault) in .bool(try run(&frame)) }
        case .string(let run): { frame throws(Fault) in .string(try run(&frame)) }
        case .value(let run): run
        }
    }

    // Called where a result of one type is required.

    var bool: Run<Bool> {
        if case .bool(let run) = self { return run }
        let run = boxed
        return { frame throws(Fault) in
            let value = try run(&frame)
            if case .bool(let answer) = value { return answer }
            throw Fault.wrongAnswer("bool", value)
        }
    }

    var int: Run<Int64> {
        if case .int(let run) = self { return run }
        let run = boxed
        return { frame throws(Fault) in
            let value = try run(&frame)
            if case .int(let answer) = value { return answer }
            throw Fault.wrongAnswer("int", value)
        }
    }

    func double(promotesInts: Bool) -> Run<Double> {
        if case .double(let run) = self { return run }
        if promotesInts, case .int(let run) = self { return { frame throws(Fault) in Double(try run(&frame)) } }
        let run = boxed
        return { frame throws(Fault) in
            switch try run(&frame) {
            case .double(let answer): return answer
            case .int(let answer) where promotesInts: return Double(answer)
            case let value: throw Fault.wrongAnswer("double", value)
            }
        }
    }

    var string: Run<String> {
        if case .string(let run) = self { return run }
        let run = boxed
        return { frame throws(Fault) in
            let value = try run(&frame)
            if case .string(let answer) = value { return answer }
            throw Fault.wrongAnswer("string", value)
        }
    }
}

extension Fault {
    fileprivate static func wrongAnswer(_ wanted: String, _ value: CELValue) -> Fault {
        Fault(.type, "the answer is \(value.typeName), \(wanted) was asked for")
    }
}

/// Returns the fault for an unboxed value that doesn't have the expected type, because a container held something else
/// or nothing was checked.
func wrongType(_ wanted: String, _ found: CELValue, at offset: Int) -> Fault {
    Fault(.noSuchOverload, "no such overload: \(wanted) wanted, found \(found.typeName)", at: offset)
}
