import Sluice

/// The stored documents of a ``DocumentSet``, for readers outside of the actor that owns the set.
///
/// A reader sees a change as soon as the set has it.
package final class PublishedDocuments: Sendable {
    /// A document as it is stored.
    package struct Entry: Sendable {
        /// The stored document.
        package let stored: StoredStream
        /// A Boolean value that indicates whether the document is a filter stack.
        package let isStack: Bool
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var changeCount = 0
    }

    private let state = Locked(State())

    /// Makes a list without documents.
    package init() {}

    /// The document with an id.
    package subscript(id: String) -> Entry? { state.withLock { $0.entries[id] } }

    /// The number of changes so far; a document that was checked counts as changed.
    package var changeCount: Int { state.withLock { $0.changeCount } }

    func noteChange() { state.withLock { $0.changeCount += 1 } }

    func put(_ document: SetDocument) {
        state.withLock { $0.entries[document.id] = Entry(stored: document.stored, isStack: document.isStack) }
    }

    func remove(_ id: String) { state.withLock { $0.entries[id] = nil } }
}
