/// What is made of stages and can name them.
protocol StackDescribing {
    /// The stages, outermost first.
    var stackStages: [String] { get }
}

/// The names of a stage's parts: its stages if it is a stack, else its own description if it has one, else the name
/// of its type without generic arguments.
@usableFromInline
func stages(of stage: some Any) -> [String] {
    if let stack = stage as? any StackDescribing { return stack.stackStages }
    if let described = stage as? any CustomStringConvertible { return [described.description] }
    return [String("\(type(of: stage))".prefix { $0 != "<" })]
}

/// One line for a stack.
func describe(_ stages: [String]) -> String { stages.joined(separator: " → ") }
