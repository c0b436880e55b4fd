/// A compiled part: a closure that answers without a box where the type is known.
typealias Run<Value> = @Sendable (inout Frame) throws(Fault) -> Value

/// A compiled part by the type of its answer.
enum Code {
    case int(Run<Int64>)
    case uint(Run<UInt64>)
    case double(Run<Double>)
    case bool(Run<Bool>)
    case string(Run<String>)
    case value(Run<CELValue>)

    /// The part with its answer boxed.
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
}

/// What unboxing does where a container held something else than its type says, or where nothing was checked.
func wrongType(_ wanted: String, _ found: CELValue, at offset: Int) -> Fault {
    Fault(.noSuchOverload, "no such overload: \(wanted) wanted, found \(found.typeName)", at: offset)
}
