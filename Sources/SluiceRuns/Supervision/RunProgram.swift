package import SluiceStreams

/// A document that runs, with those that it refers to.
package struct RunProgram: Sendable {
    /// The document.
    package let document: StreamDocument
    /// Its revision.
    package let revision: Int
    /// The documents that its references lead to.
    package let library: StreamLibrary

    /// Makes a program.
    package init(document: StreamDocument, revision: Int, library: StreamLibrary) {
        (self.document, self.revision, self.library) = (document, revision, library)
    }
}
