import SluiceExpressions
import SluiceJSON

extension StreamModel {
    /// The stream, ready to run. What is wrong with it makes it fail.
    ///
    /// Where nothing but delays is asked for, the values are passed on as they are; else they go through their JSON.
    public var flow: Flow<Value> { delayed ?? compiled }

    /// The items with their delays; `nil` where there is more to do.
    private var delayed: Flow<Value>? {
        guard operators?.isEmpty ?? true else { return nil }
        var flows: [Flow<Value>] = []
        for item in stream {
            var flow = Flow.values([item.value])
            for step in item.operators {
                guard step.name == OperatorKind.delay.name, !step.isDisabled,
                    case .json(let json) = step.arguments["seconds"], let seconds = json.double,
                    let time = StreamTime(seconds: seconds)
                else { return nil }
                flow = flow.delay(for: time)
            }
            flows.append(flow)
        }
        return .concatenated(flows)
    }

    private var compiled: Flow<Value> {
        let items: [StreamItem<JSON>]
        do {
            items = try stream.map { item in
                let json = try JSON(parsing: SluiceJSONEncoder().encode(item.value))
                return StreamItem(value: json, operators: item.operators)
            }
        } catch {
            return .fail(error)
        }
        var pipeline = StreamPipeline(source: .named(NamedSource(.stream, ["items": .items(items)])))
        pipeline.operators = operators ?? []
        pipeline.isShort = true
        let compiler = StreamCompiler(library: StreamLibrary())
        let flow = compiler.pipeline(pipeline, Place())
        if let issue = compiler.issues.first {
            return .fail(StreamError(path: issue.path.description, message: issue.message))
        }
        return flow.flow.mapping(.fail) { _ in
            { try SluiceJSONDecoder().decode(Value.self, from: $0.json().text()) }
        }
    }
}
