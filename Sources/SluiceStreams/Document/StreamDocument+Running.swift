import SluiceExpressions
public import SluiceJSON

extension StreamDocument {
    /// Returns the stream, ready to run.
    ///
    /// ```swift
    /// let even = try StreamDocument(parsing: #"{"source": {"values": [1, 2]}, "operators": [{"map": {"expression": "x * 2"}}]}"#)
    /// let values = try even.flow().virtualEvents().compactMap(\.value)   // [2, 4]
    /// ```
    ///
    /// - Parameters:
    ///   - library: The documents that references lead to.
    ///   - parameters: The values of the document's parameters, in scope of its defaults.
    /// - Throws: `JSONErrors` with all errors at once, including unresolved references, each with path, line, and
    ///   column.
    public func flow(in library: StreamLibrary = StreamLibrary(), parameters: [String: JSON] = [:]) throws(JSONErrors)
        -> Flow<JSON>
    {
        try compiled(in: library, parameters: parameters).json
    }

    /// Returns the stream of expression values.
    ///
    /// - Parameter probe: The probe of its stages.
    func compiled(
        in library: StreamLibrary,
        parameters: [String: JSON] = [:],
        probe: Probe? = nil
    ) throws(JSONErrors) -> Flow<CELValue> {
        try compiled(StreamCompiler(library: library), parameters, probe)
    }

    /// Returns the stream of expression values, by a compiler that has not been used yet.
    func compiled(
        _ compiler: StreamCompiler,
        _ parameters: [String: JSON],
        _ probe: Probe? = nil
    ) throws(JSONErrors) -> Flow<CELValue> {
        DocumentWork.current?.countCompile()
        compiler.isChecked = errors != nil
        compiler.enter(self)
        let scope = CompilationScope().entering(self, GivenParameters(values: parameters), compiler: compiler)
        compiler.probe = probe
        let flow = compiler.pipeline(pipeline, scope)
        compiler.compiledSinks = compiler.compile(sinks, for: flow.item, scope)
        if let partition { compiler.key(of: partition, scope) }
        if compiler.issues.isEmpty, errors == nil { return flow.flow }
        throw errors(with: compiler.issues)
    }

    /// Returns the errors from reading the document, and those of a compiler that knows the references, in the order of
    /// the text.
    private func errors(with issues: [StreamCompiler.Issue]) -> JSONErrors {
        var all = errors?.errors ?? []
        let root: JSONNode
        do { root = try JSONDocument(parsing: text).root } catch { return JSONErrors([error]) }
        for issue in issues {
            let error = JSONError(issue, in: root)
            let isKnown = all.contains { $0.path == error.path && $0.message == error.message }
            if !isKnown { all.append(error) }
        }
        let sorted = all.enumerated().sorted {
            ($0.element.position.offset, $0.offset) < ($1.element.position.offset, $1.offset)
        }
        return JSONErrors(sorted.prefix(StreamCompiler.Limits.issues).map(\.element))
    }
}

extension Flow<CELValue> {
    /// The stream with its values as JSON.
    var json: Flow<JSON> {
        mapping(.fail) { _ in
            { value in
                switch value {
                case .int(let number): return .int(number)
                case .bool(let bool): return .bool(bool)
                case .string(let text): return .string(text)
                default: break
                }
                do throws(CELError) { return try value.json() } catch {
                    throw StreamError(message: error.issues.first?.message ?? "\(error)")
                }
            }
        }
    }
}
