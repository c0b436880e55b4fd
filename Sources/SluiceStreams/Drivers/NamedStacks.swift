import Sluice
package import SluiceFilters
package import SluiceJSON

/// The filter stacks that the sources of a hub or a follower name, as they are stored now: an edit reaches sources that
/// run with their next attempt.
package final class NamedStacks: Sendable {
    private struct State {
        var documents: [String: StackDocument] = [:]
        /// The stacks that were read, for each of their uses.
        var stacks: [Key: ConnectorStack] = [:]
    }

    private struct Key: Hashable {
        let id: String
        let use: ConnectorStack.Use
    }

    private let state = Locked(State())

    /// Creates an empty collection.
    package init() {}

    /// Takes up a stack as it is stored now; `nil` for one that is gone.
    package func update(_ id: String, _ document: StackDocument?) {
        state.withLock { state in
            state.documents[id] = document
            for use in ConnectorStack.Use.allCases { state.stacks[Key(id: id, use: use)] = nil }
        }
    }

    /// Returns a stack; `nil` if no stack has the id.
    ///
    /// - Throws: `JSONErrors` if it can't be used so.
    package func stack(_ id: String, of use: ConnectorStack.Use) throws(JSONErrors) -> ConnectorStack? {
        let key = Key(id: id, use: use)
        let (known, document) = state.withLock { ($0.stacks[key], $0.documents[id]) }
        if let known { return known }
        guard let document else { return nil }
        let stack = try ConnectorStack(document, of: use, id: id)
        state.withLock { state in
            // It may have been edited meanwhile.
            if state.documents[id] == document { state.stacks[key] = stack }
        }
        return stack
    }
}
