/// A stage that consists of other stages and can name them.
protocol StackDescribing {
    /// The stages, outermost first; a `String` is the name of a stage.
    var stackParts: [any Sendable] { get }
}

/// Returns the names of a stage's parts: for a stack, those of its stages; otherwise the stage's description, or the
/// name of its type without generic arguments.
///
/// A stack may be nested to any depth: the remaining parts are kept in an array, not on the thread's stack.
func stages(of stage: some Sendable) -> [String] {
    var (names, left): ([String], [any Sendable]) = ([], [stage])
    while let stage = left.popLast() {
        if let stack = stage as? any StackDescribing {
            left += stack.stackParts.reversed()
        } else if let described = stage as? any CustomStringConvertible {
            names.append(described.description)
        } else {
            names.append(String("\(type(of: stage))".prefix { $0 != "<" }))
        }
    }
    return names
}

/// Returns a one-line description of a stack.
func describe(_ stack: some Sendable) -> String { stages(of: stack).joined(separator: " → ") }
