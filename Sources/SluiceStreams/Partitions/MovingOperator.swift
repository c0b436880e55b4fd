import SluiceExpressions
import SluiceJSON

/// The operator of a document whose groups move with their keys when the division of the stream changes.
package struct MovingOperator: Sendable, Hashable {
    /// The place of the operator among those of the document.
    package let index: Int
    /// The key of the operator in a saved run.
    let key: String

    /// The operators that give on the items of the source as they are, and hold none.
    static let passing: Set<String> = [
        OperatorKind.filter.name, OperatorKind.distinct.name, OperatorKind.removeDuplicates.name,
        OperatorKind.dropFirst.name, OperatorKind.dropWhile.name,
    ]

    /// Returns an expression in canonical text, or as it is if it has parameters.
    static func canonical(_ text: String) -> String {
        let variables: [String: CELType] = ["x": .dyn, "i": .int]
        return (try? CELExpression(text, variables: variables, isChecked: false))?.description ?? text
    }
}

extension Operator {
    /// Returns the text of an argument; `nil` without one.
    func text(of argument: String) -> String? {
        guard case .json(.string(let text)) = arguments[argument] else { return nil }
        return text
    }
}

extension StreamDocument {
    /// Returns the operator whose groups move when the division of the stream changes: the first `groupBy`, if its key is that
    /// of both divisions, and the operators before it give on the items of the source; `nil` without one.
    ///
    /// - Parameters:
    ///   - old: The expression of the keys before; `nil` for a stream that was not divided.
    ///   - new: The expression of the keys after; `nil` for a stream that is not divided any more.
    package func movingOperator(from old: String?, to new: String?) -> MovingOperator? {
        let operators = pipeline.operators
        guard old != nil || new != nil,
            let index = operators.firstIndex(where: { !$0.isDisabled && !MovingOperator.passing.contains($0.name) }),
            operators[index].name == OperatorKind.groupBy.name,
            let text = operators[index].text(of: "key")
        else { return nil }
        let key = MovingOperator.canonical(text)
        guard [old, new].compactMap(\.self).allSatisfy({ MovingOperator.canonical($0) == key }) else { return nil }
        // The streams that references share belong to the whole run.
        let alone = StreamPipeline(source: .named(NamedSource(.never)), operators: [operators[index]])
        guard alone.references.isEmpty else { return nil }
        return MovingOperator(index: index, key: StageKey.keys(of: operators)[index])
    }
}
