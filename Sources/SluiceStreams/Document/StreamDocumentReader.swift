import SluiceJSON

extension JSONValidator {
    /// What a document of this version may say of itself.
    static let streamSchema = "sluice.stream/1"
    private static let streamFields = ["schema", "id", "revision", "name", "description", "isDefault", "stream"]

    /// The fields of a stream document; `nil` where it is no object.
    mutating func streamFields(_ root: JSONNode) -> JSONFields? {
        guard let fields = object(root, keys: Self.streamFields, required: ["stream"]) else { return nil }
        _ = string(fields["schema"], oneOf: [Self.streamSchema])
        return fields
    }

    /// The items of a stream.
    mutating func items(_ node: JSONNode?) -> [StreamItem<JSON>] {
        elements(node).compactMap { item($0) }
    }

    private mutating func item(_ node: JSONNode) -> StreamItem<JSON>? {
        guard let fields = object(node, keys: ["value", "operators"], required: ["value"]) else { return nil }
        let operators = elements(fields["operators"]).compactMap { self.operator($0) }
        return value(fields["value"]).map { StreamItem(value: $0, operators: operators) }
    }

    /// An operator; `nil` where it is wrong, or disabled.
    private mutating func `operator`(_ node: JSONNode) -> Operator? {
        let names = Operator.names
        guard let member = namedMember(node, names: names, ignored: ["id", "note", "disabled"], what: "operator")
        else { return nil }
        _ = string(node["id"])
        _ = string(node["note"])
        let isDisabled = bool(node["disabled"]) ?? false
        guard names.contains(member.key), let fields = object(member.value, keys: ["seconds"], required: ["seconds"]),
            let seconds = double(fields["seconds"], in: 0...StreamTime.maximumSeconds)
        else { return nil }
        return isDisabled ? nil : .delay(seconds: seconds)
    }

    /// A value of the stream: any JSON whose numbers the engine can hold.
    private mutating func value(_ node: JSONNode?) -> JSON? {
        guard let node else { return nil }
        var (isFine, pending) = (true, [node])
        while let node = pending.popLast() {
            pending.append(contentsOf: node.elements)
            pending.append(contentsOf: node.members.map(\.value))
            guard node.kind == .number else { continue }
            // Each notes the error of a number that does not fit.
            isFine = (node.isWholeNumber ? int(node) != nil : double(node) != nil) && isFine
        }
        return isFine ? json(node) : nil
    }

    /// A text or `null`, which is none.
    mutating func optionalString(_ node: JSONNode?) -> String? {
        node?.isNull == true ? nil : string(node)
    }
}
