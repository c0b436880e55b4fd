import SluiceExpressions
package import SluiceJSON

/// A document that was compiled once, with where its references lead: what a check, a run, and an edit of a run share.
///
/// One run uses it, once.
///
/// `@unchecked Sendable`: everything but the probe is immutable and `Sendable`. The probe is written by the compiler
/// before this value exists, and afterward by the one run that takes it over.
package struct CompiledDocument: @unchecked Sendable {
    /// The document.
    package let document: StreamDocument
    package let library: StreamLibrary
    let parameters: [String: JSON]
    let flow: Flow<JSON>
    /// The sinks of the document.
    package let sinks: [CompiledSink]
    /// The closures that start shared streams, by their keys.
    let sharedStarts: [String: @Sendable (Scope) -> Void]
    let fingerprint: String
    let traits: CompiledTraits
    let probe: Probe?

    /// Compiles a document so that its run can be saved and edited.
    ///
    /// - Parameters:
    ///   - document: the document; one that was read without being compiled is checked here.
    ///   - library: where its references lead.
    ///   - parameters: the values of its parameters, instead of those in the document.
    ///   - isWatched: whether the run that takes it over has a ``StageWatch``.
    /// - Throws: `JSONErrors` with all errors at once, at most a hundred.
    package init(
        _ document: StreamDocument,
        in library: StreamLibrary,
        parameters: [String: JSON] = [:],
        isWatched: Bool = true
    ) throws(JSONErrors) {
        let probe = isWatched ? Probe() : nil
        let compiler = StreamCompiler(library: library, isSaved: true)
        flow = try document.compiled(compiler, parameters, probe).json
        (self.document, self.library, self.parameters, self.probe) = (document, library, parameters, probe)
        sharedStarts = compiler.sharedStarts
        sinks = compiler.compiledSinks
        traits = CompiledTraits(compiler)
        fingerprint = document.fingerprint(in: library, parameters: parameters)
    }

    /// The stages that a run of it has; none where it isn't watched.
    package var stages: [StageWatch.Stage] { (probe?.stages ?? []).map(StageWatch.Stage.init) }

    /// Returns the errors of a document on its own, wherever its references lead.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - cycles: the cycles that its subscriptions close, by the id of the stream that is subscribed to.
    /// - Complexity: O(*n*) in the size of the document, with the compiler's budget as a bound.
    package static func ownErrors(_ document: StreamDocument, cycles: [String: String] = [:]) -> [JSONError] {
        do throws(JSONErrors) {
            _ = try document.compiled(StreamCompiler(cycles: cycles), [:])
            return []
        } catch {
            return error.errors
        }
    }
}

/// A document that a reference leads to, with the values of its parameters.
struct ReferencedDocument: Hashable {
    /// The name of the document for references.
    let name: String
    let parameters: [String: JSON]
}

/// The facts that a comparison takes from the compiler of one document.
struct DocumentFacts: Sendable {
    /// The types of the accumulators, by the paths of their operators.
    var accumulators: [String: CELType] = [:]
    /// The trials of expressions that read a state, by the paths of their stages.
    var trials: [String: StateTrial] = [:]
}

/// The facts that a comparison of documents takes from the compiler.
struct CompiledTraits: Sendable {
    let document: DocumentFacts
    /// The facts of the documents that references lead to, so that a comparison does not compile them.
    let referenced: [ReferencedDocument: DocumentFacts]

    init(_ compiler: StreamCompiler) { (document, referenced) = (compiler.documentFacts, compiler.referencedFacts) }

    private init(_ document: DocumentFacts, _ referenced: [ReferencedDocument: DocumentFacts]) {
        (self.document, self.referenced) = (document, referenced)
    }

    /// Returns the facts of a document that a reference leads to; `nil` where they are not known.
    func traits(of document: ReferencedDocument) -> CompiledTraits? {
        referenced[document].map { CompiledTraits($0, referenced) }
    }
}
