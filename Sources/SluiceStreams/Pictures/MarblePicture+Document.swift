public import SluiceJSON

extension MarblePicture {
    /// Creates the picture of a document's run in virtual time, with a row for each stream that it combines, and for
    /// each stage.
    ///
    /// ```swift
    /// let document = try StreamDocument(parsing: #"""
    ///     {"name": "Even", "source": {"marbles": {"text": "1-2-3-4|", "frame": 1}},
    ///      "operators": [{"filter": {"expression": "x % 2 == 0"}}]}
    ///     """#)
    /// try MarblePicture(document).rows.map(\.name)   // ["marbles", "filter"]
    /// ```
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - library: The documents that references lead to.
    ///   - limit: The end of the picture; an endless stream has as many events as a picture shows.
    /// - Throws: `JSONErrors` if the document cannot run.
    public init(
        _ document: StreamDocument,
        in library: StreamLibrary = StreamLibrary(),
        until limit: StreamTime? = nil
    ) throws(JSONErrors) {
        let probe = Probe()
        let flow = try document.compiled(in: library, probe: probe)
        var count = 0
        for _ in flow.virtualEvents(until: limit) {
            count += 1
            if limit == nil && count > Self.maximumMarkCount { break }
        }
        let rows = probe.stages.map { Row(name: $0.name, expression: $0.expression, marks: $0.marks) }
        self.init(title: document.name ?? document.id ?? "stream", rows: rows, end: limit ?? .zero)
    }
}
