public import SluiceJSON

/// What can stand where a stream is wanted as data: a ``StreamModel``, or a ``StreamSource``.
public protocol StreamRepresentable: Sendable {
    /// The stream as a source.
    ///
    /// - Throws: ``StreamError`` when it holds a value that JSON cannot hold.
    func streamSource() throws(StreamError) -> StreamSource
}

extension StreamSource: StreamRepresentable {
    /// The source itself.
    public func streamSource() -> StreamSource { self }
}

extension StreamModel: StreamRepresentable {
    /// The source and the operators of the stream.
    public func streamSource() throws(StreamError) -> StreamSource {
        let pipeline = try pipeline()
        return pipeline.operators.isEmpty ? pipeline.source : .pipeline(pipeline)
    }
}

// MARK: - Sources

extension StreamModel {
    /// Gives values at once, in order, and completes.
    ///
    /// ```swift
    /// let large = StreamModel.values(1, 2, 3).filter("x > 1")
    /// let values = large.virtualEvents().compactMap(\.value)  // [2, 3]
    /// ```
    public static func values(_ values: Value...) -> StreamModel { .values(values) }

    /// Gives values at once, in order, and completes.
    public static func values(_ values: [Value]) -> StreamModel {
        StreamModel(stream: values.map { StreamItem(value: $0) })
    }

    /// Completes at once.
    public static var empty: StreamModel { of(.empty) }

    /// Gives nothing and never ends.
    public static var never: StreamModel { of(.never) }

    /// Fails at once.
    public static func fail(_ message: String) -> StreamModel { of(.failure, ["message": .string(message)]) }

    /// The stream of another document, by its id or unique name; it has to be in the library in which this one runs.
    public static func reference(_ id: String) -> StreamModel { of(.reference, ["id": .string(id)]) }

    /// What a diagram says.
    ///
    /// - Parameter frame: how many seconds a character lasts; `nil` is 0.001.
    public static func marbles(_ text: String, frame: Double? = nil) -> StreamModel {
        of(.marbles, ["text": .string(text), "frame": frame.map { .double($0) }])
    }

    /// What the host gives under a name of its own.
    public static func outside(_ name: String, arguments: JSON? = nil) -> StreamModel {
        of(.registered, ["name": .string(name), "arguments": arguments.map { .json($0) }])
    }

    private static func of(_ kind: SourceKind, _ arguments: [String: Argument?] = [:]) -> StreamModel {
        StreamModel(source: .named(NamedSource(kind, arguments)))
    }

    private static func of(_ kind: SourceKind, _ others: [any StreamRepresentable]) -> StreamModel {
        do throws(StreamError) {
            return of(kind, ["sources": .sources(try others.streamSources())])
        } catch {
            return .failing(error)
        }
    }

    /// The values of all streams as they come.
    public static func merge(_ streams: StreamModel...) -> StreamModel { of(.merge, streams) }

    /// The streams one after another.
    public static func append(_ streams: StreamModel...) -> StreamModel { of(.append, streams) }

    /// The stream that gives something first.
    public static func race(_ streams: StreamModel...) -> StreamModel { of(.race, streams) }

    /// Stands for a stream with a value that cannot be saved.
    static func failing(_ error: StreamError) -> StreamModel {
        var model = StreamModel(stream: [])
        model.failure = error.description
        return model
    }
}

extension StreamModel<Int> {
    /// Gives 0, 1, 2, … every so many seconds, the first after `first` seconds; `count` in all, or without end.
    public static func interval(seconds: Double, first: Double? = nil, count: Int? = nil) -> StreamModel {
        let kind = NamedSource(
            .interval,
            ["seconds": .double(seconds), "first": first.map { .double($0) }, "count": count.map { .int($0) }]
        )
        return StreamModel(source: .named(kind))
    }

    /// Gives 0 after so many seconds, and completes.
    public static func timer(seconds: Double) -> StreamModel {
        StreamModel(source: .named(NamedSource(.timer, ["seconds": .double(seconds)])))
    }
}

extension StreamModel<String> {
    /// The lines of a file, or of standard input for the path `-`; the host has to have them: see
    /// ``StreamHost/registerLines()``.
    public static func lines(_ path: String) -> StreamModel {
        StreamModel(source: .named(NamedSource(.lines, ["path": .string(path)])))
    }
}

// MARK: - Operators

extension StreamModel {
    /// The stream with one more operator, whatever its name.
    ///
    /// ```swift
    /// let model = StreamModel.values(1, 2).applying(.map("string(x)"), giving: String.self)  // StreamModel<String>
    /// ```
    ///
    /// Without `type` its values are of the type that the result is wanted as.
    ///
    /// - Parameter type: what its values are then; one that is something else makes the stream fail.
    public func applying<Output>(_ item: Operator, giving type: Output.Type = Output.self) -> StreamModel<Output> {
        if var same = self as? StreamModel<Output> {
            same.operators = (operators ?? []) + [item]
            return same
        }
        let pipeline: StreamPipeline
        do throws(StreamError) { pipeline = try self.pipeline() } catch { return .failing(error) }
        var changed = StreamModel<Output>(documentID: documentID, name: name, description: description, stream: [])
        changed.source = pipeline.source
        changed.operators = pipeline.operators + [item]
        (changed.isDefault, changed.kept) = (isDefault, kept)
        return changed
    }

    /// The stream with one more operator that reads other streams.
    func applying<Output>(
        giving type: Output.Type = Output.self,
        _ others: [any StreamRepresentable],
        _ make: ([StreamSource]) -> Operator
    ) -> StreamModel<Output> {
        do throws(StreamError) { return applying(make(try others.streamSources()), giving: type) } catch {
            return .failing(error)
        }
    }
}

extension [any StreamRepresentable] {
    fileprivate func streamSources() throws(StreamError) -> [StreamSource] {
        var sources: [StreamSource] = []
        for stream in self { sources.append(try stream.streamSource()) }
        return sources
    }
}
