#if Command
import ArgumentParser
import SluiceExpressions

/// `sluice eval`
struct Eval: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Evaluate one expression (CEL) and print its value as JSON.",
        discussion: "Bytes are printed as base64; durations, timestamps and types as CEL's text."
    )

    @Argument(help: "The expression, such as 'x % 2 == 0'.")
    var expression: String

    @Option(help: #"The variables, as a JSON object: '{"x": 4}'."#)
    var bindings = "{}"

    func run() async throws {
        try await exiting {
            do {
                try Output.line(try CELExpression.evaluateJSON(expression, bindings: bindings))
            } catch let error as CELError {
                throw Failure(code: .badData, message: "\(error)")
            }
        }
    }
}

/// The arguments of `sluice eval`, of which the expression may begin with a minus.
enum EvalArguments {
    /// Returns the arguments with the expression at the end, after `--`, where it would be taken for an option: `-1 + 2`.
    /// The arguments of other commands stay as they are.
    static func separated(_ arguments: [String]) -> [String] {
        guard arguments.first == "eval", !arguments.contains("--") else { return arguments }
        var others = ["eval"]
        var expression: String?
        var isValue = false
        for argument in arguments.dropFirst() {
            let isOption =
                isValue || expression != nil || !argument.hasPrefix("-") || argument.hasPrefix("--bindings=")
                || ["--bindings", "-h", "--help", "-help"].contains(argument)
            if isOption { others.append(argument) } else { expression = argument }
            isValue = argument == "--bindings" && !isValue
        }
        return expression.map { others + ["--", $0] } ?? arguments
    }
}
#endif
