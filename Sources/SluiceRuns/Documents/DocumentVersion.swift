/// A revision of a document together with its text.
///
/// Neither says enough alone: where the store of a hub was replaced, a revision comes again with another text.
package struct DocumentVersion: Sendable, Equatable {
    private let id: String
    private let revision: Int
    private let text: String

    /// Makes the version of a stored document.
    package init(_ stored: StoredStream) { (id, revision, text) = (stored.id, stored.revision, stored.text) }

    /// Returns a Boolean value that indicates whether two versions are the same, text compared byte by byte.
    ///
    /// - Complexity: O(1) for copies of one text, O(*n*) in its length otherwise.
    package static func == (a: DocumentVersion, b: DocumentVersion) -> Bool {
        a.revision == b.revision && a.id == b.id && a.text.hasBytes(of: b.text)
    }
}

extension String {
    /// Returns a Boolean value that indicates whether two texts have the same bytes. Strings that are equal in Swift may
    /// differ in them: `é` is one character or two.
    ///
    /// - Complexity: O(1) for copies of one string, O(*n*) otherwise.
    func hasBytes(of other: String) -> Bool {
        guard utf8.count == other.utf8.count, self == other else { return false }
        let isEqual = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { own.baseAddress == $0.baseAddress || own.elementsEqual($0) }
        }
        return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension RunProgram {
    /// The versions of the documents that the program is compiled from, by their ids.
    package var versions: [String: DocumentVersion] {
        Dictionary(documents.map { ($0.id, DocumentVersion($0)) }) { first, _ in first }
    }
}

extension CompileJob {
    /// The versions of the stored documents of the job, by their ids.
    package var versions: [String: DocumentVersion] {
        sources.compactMapValues { source in
            guard case .stored(let stored) = source else { return nil }
            return DocumentVersion(stored)
        }
    }
}
