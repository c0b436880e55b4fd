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
    /// The stacks of the hub, which come before those of the library.
    private let hub: NamedStacks?
    private let library: StreamLibrary

    /// Creates an empty collection.
    package init() { (hub, library) = (nil, StreamLibrary()) }

    /// Creates a collection that finds the stacks of a hub and, where it has none of an id any more, those of a library, with
    /// which a run was begun.
    package init(of hub: NamedStacks, orElse library: StreamLibrary) {
        (self.hub, self.library) = (hub.hub ?? hub, library)
    }

    /// The identity of the hub or the follower whose stacks they are.
    package var owner: ObjectIdentifier { ObjectIdentifier(hub ?? self) }

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
        if let hub {
            if let stack = try hub.stack(id, of: use) { return stack }
            return switch library.stack(id, of: use) {
            case .stack(let stack): stack
            case .invalid(let errors): throw errors
            case .none: nil
            }
        }
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
