package import SluiceJSON

extension StreamDocument {
    /// The registered source that the document reads, with its arguments, in which the names of parameters are replaced by
    /// their values; `nil` where it reads something else.
    package var outsideSource: (name: String, arguments: JSON)? {
        guard case .named(let source) = pipeline.source else { return nil }
        var (text, arguments) = (source.name, JSON.object([:]))
        if source.name == SourceKind.subject.name {
            var object = JSON.Object()
            for case (let key, .json(let json)) in source.arguments.sorted(by: { $0.key < $1.key }) {
                object[key] = json
            }
            arguments = .object(object)
        } else {
            guard source.name == "outside", case .json(let name)? = source.arguments["name"], let given = name.string
            else { return nil }
            text = given
            if case .json(let json)? = source.arguments["arguments"] { arguments = json }
        }
        guard case .object(var object) = arguments else { return (text, arguments) }
        for (key, value) in object {
            guard let value = value.string, value.hasPrefix("${"), value.hasSuffix("}") else { continue }
            if let replacement = parameters[String(value.dropFirst(2).dropLast())] { object[key] = replacement }
        }
        return (text, .object(object))
    }
}
