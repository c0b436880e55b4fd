import SluiceExpressions
import SluiceJSON

/// A trial of an expression on the state that an edit would keep for it.
struct StateTrial {
    enum Kind {
        /// The expression reads an accumulator, which may be saved as an optional, and an item.
        case accumulation(isOptional: Bool)
        /// The expression reads the latest value of each of several streams.
        case row
        /// The expression reads the items for which the stage was started: the stage itself evaluates it.
        case choice
    }

    /// The result of a trial.
    enum Result {
        case passed
        /// No item has come yet, or the expression reads items of enclosing streams.
        case untested
        case failed(String)
    }

    /// A Boolean value that indicates whether the expression reads a state, on which it may fail with a later item.
    var readsState: Bool { if case .choice = kind { false } else { true } }

    let expression: StreamExpression
    let kind: Kind

    /// Evaluates the expression on the state and the last item.
    func run(_ states: [String: JSON]) -> Result {
        do {
            guard let values = try values(states) else { return .untested }
            return try expression.evaluated(values) == nil ? .untested : .passed
        } catch {
            return .failed(StreamError(error).message)
        }
    }

    /// Returns the values of the variables; `nil` if no item has come.
    private func values(_ states: [String: JSON]) throws -> [CELValue]? {
        switch kind {
        case .accumulation(let isOptional):
            guard let state = states["state"], let last = try states["last"].map([CELValue].init(saved:))?.first
            else { return nil }
            let saved = isOptional ? try [CELValue](saved: state).first : try CELValue(saved: state)
            guard let accumulator = saved else { return nil }
            let index = try states["i"].map(Int.init(saved:)) ?? 0
            return [accumulator, last, .int(Int64(index))]
        case .choice: return nil
        case .row:
            guard let row = states["state"], row["lacking"]?.int == 0, let values = row["values"] else { return nil }
            return try [CELValue](saved: values)
        }
    }
}
