#if Command
/// The operands of a command that takes a list of them, such as `sluice check *.json`.
///
/// The time that ArgumentParser takes grows with the square of the number of operands. It therefore parses only the first
/// operand of a list, and the others are passed beside it.
enum Operands {
    /// The operands of the running command after those that were parsed.
    @TaskLocal static var rest: [String] = []

    /// The form of a command's arguments.
    private struct Form {
        /// The number of operands that are parsed.
        var parsedCount = 1
        /// The options with a value.
        var optionsWithValue: Set<String> = []
    }

    private static let forms = [
        "check": Form(), "test": Form(), "push": Form(parsedCount: 2, optionsWithValue: ["--token"]),
        "pull": Form(parsedCount: 2, optionsWithValue: ["--token", "-o", "--output"]),
    ]

    /// Returns the arguments to parse, and the operands that were taken out of them.
    ///
    /// - Complexity: O(*n*) in the number of arguments.
    static func separated(_ arguments: [String]) -> (arguments: [String], rest: [String]) {
        guard let command = arguments.first, let form = forms[command] else { return (arguments, []) }
        var parsed = [command]
        var rest: [String] = []
        var operandCount = 0
        var (isValue, isAfterDashes) = (false, false)
        for argument in arguments.dropFirst() {
            let isOperand = !isValue && (isAfterDashes || !argument.hasPrefix("-") || argument == "-")
            if isOperand {
                operandCount += 1
                if operandCount > form.parsedCount { rest.append(argument) } else { parsed.append(argument) }
                continue
            }
            parsed.append(argument)
            isAfterDashes = isAfterDashes || argument == "--" && !isValue
            isValue = !isValue && !isAfterDashes && form.optionsWithValue.contains(argument)
        }
        return (parsed, rest)
    }
}
#endif
