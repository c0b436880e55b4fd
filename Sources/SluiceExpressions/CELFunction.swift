/// A function of the host, with its types and its cost.
///
/// ```swift
/// let twice = CELFunction("twice", [.int], .int, cost: 1) { arguments in
///     guard case .int(let value) = arguments[0] else { return .null }
///     return .int(value * 2)
/// }
/// let program = try CELExpression("twice(21)", functions: [twice])
/// ```
public struct CELFunction: Sendable {
    let overload: Overload

    /// Creates a function from its name, the types of its parameters and result, its cost, and its body.
    ///
    /// The body is called on the thread that evaluates, with one argument for each parameter, each of its type. An
    /// error that it throws becomes an error of the expression, which `&&` and `||` absorb like any other.
    /// - Parameters:
    ///   - name: The name by which expressions call the function.
    ///   - parameters: The types of the parameters.
    ///   - result: The type of the result.
    ///   - isMember: A Boolean value that indicates whether it is called as `x.name()`, with the target as the
    ///     first argument.
    ///   - cost: The cost of a call.
    ///   - body: A closure that computes the result.
    public init(
        _ name: String,
        _ parameters: [CELType],
        _ result: CELType,
        isMember: Bool = false,
        cost: Int = 1,
        _ body: @escaping @Sendable ([CELValue]) throws -> CELValue
    ) {
        overload = Overload(
            name: name,
            isMember: isMember,
            parameters: parameters,
            result: result,
            cost: .fixed(max(0, cost)),
            isHost: true
        ) { values, _ throws(Fault) in
            let answer: CELValue
            do { answer = try body(values) } catch { throw Fault(.invalidArgument, "\(name): \(error)") }
            guard result.accepts(answer) || Compiler.isOpaque(result) else {
                throw Fault(.noSuchOverload, "\(name) is declared to answer \(result) and answers \(answer.typeName)")
            }
            return answer
        }
    }
}
