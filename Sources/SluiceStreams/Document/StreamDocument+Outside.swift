package import SluiceJSON

extension StreamDocument {
    /// The registered source that the document reads, with its arguments, in which the names of parameters are replaced by
    /// their values; `nil` where it reads something else.
    package var outsideSource: (name: String, arguments: JSON)? {
        guard case .named(let source) = pipeline.source else { return nil }
        var given = JSON.Object()
        for case (let key, .json(let json)) in source.arguments.sorted(by: { $0.key < $1.key }) { given[key] = json }
        let (text, arguments): (String, JSON)
        switch source.name {
        case SourceKind.subject.name: (text, arguments) = (source.name, .object(given))
        case SourceKind.registered.name:
            guard let name = given["name"]?.string else { return nil }
            (text, arguments) = (name, given["arguments"] ?? [:])
        default: return nil
        }
        guard case .object(var object) = arguments else { return (text, arguments) }
        for (key, value) in object {
            guard let value = value.string, value.hasPrefix("${"), value.hasSuffix("}") else { continue }
            if let replacement = parameters[String(value.dropFirst(2).dropLast())] { object[key] = replacement }
        }
        return (text, .object(object))
    }
}
