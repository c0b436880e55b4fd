#if Hub
import SluiceRuns
import SluiceStore

/// The documents that a group's members know: those that were given to the group, and all that these refer to.
///
/// It is kept up to date by what changes: an edit costs in proportion to the documents that come and go with it.
struct GroupSet {
    /// A document as the members know it.
    struct Entry: Equatable {
        let revision: Int
        let isReference: Bool
        fileprivate let references: [String]

        static func == (one: Entry, two: Entry) -> Bool {
            (one.revision, one.isReference) == (two.revision, two.isReference)
        }
    }

    /// The documents that members must be informed of.
    struct Changes: Equatable {
        /// The documents that are new or differ; those that others refer to come first.
        var put: [String] = []
        var removed: [String] = []
    }

    private(set) var entries: [String: Entry] = [:]
    /// The number of documents that were looked at so far.
    private(set) var work = 0

    /// Brings the set up to date after documents were stored or removed, or given to the group or taken from it.
    ///
    /// - Parameters:
    ///   - ids: the documents that have changed.
    ///   - texts: the ids and names that references may find other documents under than before.
    ///   - isOwn: whether a document was given to the group.
    ///   - set: the documents as they are now.
    /// - Complexity: O(*n*) in the number of documents that come, go, or may have.
    mutating func update(
        _ ids: some Sequence<String>,
        _ texts: some Sequence<String> = [String](),
        isOwn: (String) -> Bool,
        in set: DocumentSet
    ) -> Changes {
        var changes = (put: Set<String>(), removed: Set<String>())
        var open = Array(ids) + texts.flatMap { set.graph.bearers(of: $0) }
        // A document may be looked at before those that lead to it are members: it is looked at again at the end.
        var rejected: Set<String> = []
        repeat {
            while let id = open.popLast() {
                work += 1
                let old = entries[id]
                let new = entry(id, isOwn: isOwn, in: set)
                entries[id] = new
                if new == nil { rejected.insert(id) }
                if old != new {
                    if new == nil { changes.removed.insert(id) } else { changes.removed.remove(id) }
                    if new == nil { changes.put.remove(id) } else { changes.put.insert(id) }
                }
                // A group that has a document has what that refers to; only where references differ do others come or
                // go.
                guard old?.references != new?.references else { continue }
                let targets = Set((old?.references ?? []) + (new?.references ?? []))
                    .flatMap { set.graph.bearers(of: $0) }
                open += targets.filter { $0 != id && !(isOwn($0) && entries[$0] != nil) }
            }
            for id in rejected where entries[id] == nil && entry(id, isOwn: isOwn, in: set) != nil { open.append(id) }
        } while !open.isEmpty
        return Changes(
            put: changes.put.sorted {
                (entries[$0]?.isReference ?? false ? 0 : 1, $0) < (entries[$1]?.isReference ?? false ? 0 : 1, $1)
            },
            removed: changes.removed.sorted()
        )
    }

    /// Returns a document as the members have to know it; `nil` where they don't.
    private mutating func entry(_ id: String, isOwn: (String) -> Bool, in set: DocumentSet) -> Entry? {
        guard let document = set[id] else { return nil }
        let isGiven = isOwn(id)
        guard isGiven || isReached(id, isOwn: isOwn, in: set) else { return nil }
        return Entry(
            revision: document.stored.revision,
            isReference: !isGiven,
            references: document.references
        )
    }

    /// Returns a Boolean value that indicates whether a document of the group refers to a document, itself or through
    /// others.
    private mutating func isReached(_ id: String, isOwn: (String) -> Bool, in set: DocumentSet) -> Bool {
        var (seen, open) = (Set([id]), [id])
        while let next = open.popLast() {
            for other in set.graph.referrers(to: next) {
                work += 1
                guard entries[other] != nil, set[other] != nil, set.graph.targets(from: other).contains(next) else {
                    continue
                }
                if isOwn(other) { return true }
                if seen.insert(other).inserted { open.append(other) }
            }
        }
        return false
    }
}
#endif
