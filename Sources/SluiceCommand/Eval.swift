import ArgumentParser
import SluiceExpressions

/// `sluice eval`
struct Eval: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Evaluate one expression (CEL) and print its value as JSON.",
        discussion: "Bytes are printed as base64; durations, timestamps and types as CEL's text."
    )

    // All that is not the option: an expression may begin with a minus, as an option does.
    @Argument(parsing: .allUnrecognized, help: "The expression, such as 'x % 2 == 0'.")
    var expressions: [String] = []

    @Option(help: #"The variables, as a JSON object: '{"x": 4}'."#)
    var bindings = "{}"

    func run() async throws {
        guard expressions.count == 1, let expression = expressions.first else {
            throw ValidationError(
                expressions.isEmpty
                    ? "Missing expected argument '<expression>'" : "There is one expression: put it in quotes"
            )
        }
        try await exiting {
            do {
                try Output.line(try CELExpression.evaluateJSON(expression, bindings: bindings))
            } catch let error as CELError {
                throw Failure(code: .badData, message: "\(error)")
            }
        }
    }
}
