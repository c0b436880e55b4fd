import SluiceJSON
package import SluiceStreams

/// A document that runs, with those that it refers to.
package struct RunProgram: Sendable {
    /// The document.
    package let document: StreamDocument
    /// Its revision.
    package let revision: Int
    /// The documents that its references lead to.
    package let library: StreamLibrary
    /// The documents that it is compiled from, its own first, as they are stored with the run.
    package let documents: [StoredStream]
    /// The order of the programs of one run: an older one doesn't replace a newer one.
    package let generation: Int
    /// The sinks of the document, once it was compiled for a run.
    private(set) var sinks: [CompiledSink] = []
    /// The document, compiled for one use.
    var compiled: CompiledDocument?

    /// Makes a program.
    package init(
        document: StreamDocument,
        revision: Int,
        library: StreamLibrary,
        documents: [StoredStream] = [],
        generation: Int = 0,
        compiled: CompiledDocument? = nil
    ) {
        (self.document, self.revision, self.library) = (document, revision, library)
        (self.documents, self.generation, self.compiled) = (documents, generation, compiled)
    }

    /// Returns the compiled document, which is compiled unless that was done before.
    ///
    /// - Throws: `JSONErrors` for a document that can't run.
    mutating func takeCompiled() throws(JSONErrors) -> CompiledDocument {
        let compiled: CompiledDocument
        if let made = self.compiled { compiled = made } else { compiled = try CompiledDocument(document, in: library) }
        self.compiled = nil
        sinks = compiled.sinks
        return compiled
    }

    /// The program without its compiled form, which takes memory for nothing where it does not run.
    package var withoutCompiled: RunProgram {
        var copy = self
        copy.compiled = nil
        return copy
    }
}
