public import SluiceJSON

/// A type that represents a stream as data: a ``StreamModel``, or a ``StreamSource``.
public protocol StreamRepresentable: Sendable {
    /// Returns the stream as a source.
    ///
    /// - Throws: ``StreamError`` if it contains a value that JSON cannot hold.
    func streamSource() throws(StreamError) -> StreamSource
}

extension StreamSource: StreamRepresentable {
    /// Returns the source itself.
    public func streamSource() -> StreamSource { self }
}

extension StreamModel: StreamRepresentable {
    /// Returns the source and the operators of the stream.
    public func streamSource() throws(StreamError) -> StreamSource {
        let pipeline = try pipeline()
        return pipeline.operators.isEmpty ? pipeline.source : .pipeline(pipeline)
    }
}

// MARK: - Sources

extension StreamModel {
    /// Returns a stream that gives values immediately, in order, and completes.
    ///
    /// ```swift
    /// let large = StreamModel.values(1, 2, 3).filter("x > 1")
    /// let values = large.virtualEvents().compactMap(\.value)  // [2, 3]
    /// ```
    ///
    /// An array is one value; ``values(contentsOf:)`` gives its elements.
    public static func values(_ values: Value...) -> StreamModel { .values(contentsOf: values) }

    /// Returns a stream that gives the elements of a sequence immediately, in order, and completes.
    ///
    /// ```swift
    /// let large = StreamModel.values(contentsOf: 1...3).filter("x > 1")
    /// let values = large.virtualEvents().compactMap(\.value)  // [2, 3]
    /// ```
    ///
    /// - Complexity: O(*n*) in the number of elements.
    public static func values(contentsOf elements: some Sequence<Value>) -> StreamModel {
        StreamModel(stream: elements.map { StreamItem(value: $0) })
    }

    /// A stream that completes immediately.
    public static var empty: StreamModel { of(.empty) }

    /// A stream that gives nothing and never ends.
    public static var never: StreamModel { of(.never) }

    /// Returns a stream that fails immediately.
    public static func fail(_ message: String) -> StreamModel { of(.failure, ["message": .string(message)]) }

    /// Returns the stream of another document, by its id or unique name. The document has to be in the library of the
    /// run.
    public static func reference(_ id: String) -> StreamModel { of(.reference, ["id": .string(id)]) }

    /// Returns the stream of a marble diagram.
    ///
    /// - Parameters:
    ///   - text: The diagram.
    ///   - frame: The number of seconds that a character lasts; `nil` is 0.001.
    public static func marbles(_ text: String, frame: Double? = nil) -> StreamModel {
        of(.marbles, ["text": .string(text), "frame": frame.map { .double($0) }])
    }

    /// Returns the stream of a source that the host has registered under a name.
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

    /// Returns the values of all streams as they come.
    public static func merge(_ streams: StreamModel...) -> StreamModel { of(.merge, streams) }

    /// Returns the streams one after another.
    public static func append(_ streams: StreamModel...) -> StreamModel { of(.append, streams) }

    /// Returns the stream that is the first to give something.
    public static func race(_ streams: StreamModel...) -> StreamModel { of(.race, streams) }

    /// Returns a placeholder for a stream with a value that cannot be saved.
    static func failing(_ error: StreamError) -> StreamModel {
        var model = StreamModel(stream: [])
        model.failure = error.description
        return model
    }
}

extension StreamModel<Int> {
    /// Returns a stream of 0, 1, 2, … at intervals of `seconds`, the first after `first` seconds; `count` values, or
    /// without end.
    public static func interval(seconds: Double, first: Double? = nil, count: Int? = nil) -> StreamModel {
        let kind = NamedSource(
            .interval,
            ["seconds": .double(seconds), "first": first.map { .double($0) }, "count": count.map { .int($0) }]
        )
        return StreamModel(source: .named(kind))
    }

    /// Returns a stream that gives 0 after `seconds`, and completes.
    public static func timer(seconds: Double) -> StreamModel {
        StreamModel(source: .named(NamedSource(.timer, ["seconds": .double(seconds)])))
    }
}

extension StreamModel<String> {
    /// Returns the lines of a file, or of standard input for the path `-`. The host has to provide them: see
    /// ``StreamHost/registerLines(clock:)``.
    public static func lines(_ path: String) -> StreamModel {
        StreamModel(source: .named(NamedSource(.lines, ["path": .string(path)])))
    }
}

// MARK: - Operators

extension StreamModel {
    /// Returns the stream with another operator applied, whatever its name.
    ///
    /// ```swift
    /// let model = StreamModel.values(1, 2).applying(.map("string(x)"), giving: String.self)  // StreamModel<String>
    /// ```
    ///
    /// Without `type`, the values have the type that the context requires.
    ///
    /// - Parameters:
    ///   - item: The operator.
    ///   - type: The type of the resulting values; a value of another type makes the stream fail.
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

    /// Returns the stream with another operator applied that reads other streams.
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
