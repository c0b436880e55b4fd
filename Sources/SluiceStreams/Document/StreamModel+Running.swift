import SluiceExpressions
import SluiceJSON

extension StreamModel {
    /// The stream, ready to run. An invalid stream fails when it runs.
    ///
    /// If all operators are delays, the values are passed on unchanged; otherwise they are converted to and from JSON.
    public var flow: Flow<Value> { delayed ?? compiled }

    /// Returns the stream as a document.
    ///
    /// - Throws: ``StreamError`` that names an item that JSON cannot hold; `JSONErrors` if the stream is invalid.
    public func document() throws -> StreamDocument {
        _ = try pipeline()
        return try StreamDocument(parsing: String(decoding: SluiceJSONEncoder().encode(self), as: UTF8.self))
    }

    /// The items with their delays; `nil` if there are other operators.
    private var delayed: Flow<Value>? {
        guard operators?.isEmpty ?? true, source == nil, failure == nil, item == nil else { return nil }
        if stream.allSatisfy({ $0.operators.isEmpty }) { return .values(contentsOf: stream.map(\.value)) }
        var flows: [Flow<Value>] = []
        for item in stream {
            var flow = Flow.values(item.value)
            for step in item.operators {
                guard let delayed = flow.delayed(by: step) else { return nil }
                flow = delayed
            }
            flows.append(flow)
        }
        return .concatenated(flows)
    }

    private var compiled: Flow<Value> {
        let pipeline: StreamPipeline
        do { pipeline = try self.pipeline() } catch { return .fail(error) }
        let compiler = StreamCompiler(library: StreamLibrary())
        let flow = compiler.pipeline(pipeline, CompilationScope(parameters: parameters))
        if let issue = compiler.issues.first { return .fail(StreamError(issue)) }
        return flow.flow.decoded()
    }

    /// Returns the source and the operators, as data.
    ///
    /// - Throws: ``StreamError`` that names the item that JSON cannot hold.
    func pipeline() throws(StreamError) -> StreamPipeline {
        if let failure { throw StreamError(message: failure) }
        if let source {
            guard stream.isEmpty else { throw StreamError(message: Self.oneOfBoth) }
            return StreamPipeline(source: source, operators: operators ?? [], item: item)
        }
        var items: [StreamItem<JSON>] = []
        items.reserveCapacity(stream.count)
        for (index, item) in stream.enumerated() {
            do throws(StreamError) {
                items.append(StreamItem(value: try JSON(holding: item.value), operators: item.operators))
            } catch {
                throw StreamError(path: "stream[\(index)].value", message: error.message)
            }
        }
        let source = StreamSource.named(NamedSource(.stream, ["items": .items(items)]))
        var pipeline = StreamPipeline(source: source, operators: operators ?? [], item: item)
        pipeline.isShort = true
        return pipeline
    }
}

extension StreamDocument {
    /// Creates the document of a model.
    ///
    /// ```swift
    /// let document = try StreamDocument(StreamModel.values(1, 2, 3).filter("x > 1"))
    /// let values = try document.virtualEvents().compactMap(\.value)  // [2, 3]
    /// ```
    ///
    /// - Throws: ``StreamError`` that names an item that JSON cannot hold; `JSONErrors` if the stream is invalid.
    public init<Value>(_ model: StreamModel<Value>) throws { self = try model.document() }
}

extension Flow {
    /// Returns the stream with a delay as data; `nil` for another operator or an invalid time.
    fileprivate func delayed(by item: Operator) -> Flow? {
        guard item.name == OperatorKind.delay.name, !item.isDisabled, case .json(let json) = item.arguments["seconds"],
            let seconds = json.double, let time = StreamTime(seconds: seconds)
        else { return nil }
        return delay(for: time.duration)
    }
}

extension Flow where Value: Codable & Sendable {
    /// Returns the stream with an operator as data. An invalid operator makes the stream fail.
    ///
    /// ```swift
    /// let even = Flow.values(1, 2, 3, 4).applying(.filter("x % 2 == 0"))
    /// let values = even.virtualEvents().compactMap(\.value)  // [2, 4]
    /// ```
    ///
    /// A delay passes values on unchanged; every other operator receives them as JSON, and its results have to be of
    /// their type again.
    public func applying(_ item: Operator) -> Flow {
        if item.isDisabled { return self }
        if let delayed = delayed(by: item) { return delayed }
        let compiler = StreamCompiler(library: StreamLibrary())
        let values = mapping(.fail) { _ in
            { value in
                let json = try JSON(holding: value)
                do throws(CELError) { return try CELValue(json) } catch {
                    throw StreamError(message: error.issues.first?.message ?? "\(error)")
                }
            }
        }
        let flow = compiler.operators([item], on: TypedFlow(values), CompilationScope())
        if let issue = compiler.issues.first { return .fail(StreamError(issue)) }
        return flow.flow.decoded()
    }
}

extension Flow<CELValue> {
    /// Returns the stream with its values converted to their Swift type.
    fileprivate func decoded<Output: Decodable & Sendable>() -> Flow<Output> {
        mapping(.fail) { _ in
            { value in
                switch value {
                case .int(let number): if let output = Int(number) as? Output { return output }
                case .double(let number): if let output = number as? Output { return output }
                case .string(let text): if let output = text as? Output { return output }
                case .bool(let isTrue): if let output = isTrue as? Output { return output }
                default: break
                }
                let text = try value.json().text()
                do { return try SluiceJSONDecoder().decode(Output.self, from: text) } catch {
                    throw StreamError(message: "\(text) isn't a valid \(Output.self)")
                }
            }
        }
    }
}

extension JSON {
    /// Creates a value as JSON.
    ///
    /// - Throws: ``StreamError`` for a value that JSON cannot hold.
    init(holding value: some Encodable) throws(StreamError) {
        if let json = value as? JSON {
            self = json
            return
        }
        do { self = try JSON(parsing: SluiceJSONEncoder().encode(value)) } catch {
            let reason =
                if case EncodingError.invalidValue(_, let context) = error { context.debugDescription } else {
                    "\(error)"
                }
            throw StreamError(message: "JSON cannot hold the value: \(reason)")
        }
    }
}

extension StreamError {
    /// Creates the error of a compiler's issue.
    fileprivate init(_ issue: StreamCompiler.Issue) {
        self.init(path: issue.path.description, message: issue.message)
    }
}
