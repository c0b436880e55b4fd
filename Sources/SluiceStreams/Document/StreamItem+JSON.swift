public import SluiceJSON

extension StreamItem: JSONReadable where Value: JSONReadable {
    /// Reads an item; without the key `operators`, it has no operators.
    ///
    /// - Throws: `JSONError` with path and position.
    public init(json: JSONNode) throws {
        var object = try json.object()
        let operators = object.node("operators")
        self.init(value: try object["value"], operators: try object["operators", default: []])
        guard json.count > (operators == nil ? 1 : 2) else { return }
        kept = json.kept(besides: ["value", "operators"])
    }
}

extension StreamItem: JSONWritable where Value: JSONWritable {
    /// Writes the item.
    public func write(to json: inout JSONWriter) {
        if let unread { return json.value(unread) }
        json.object {
            $0.member("value", value)
            $0.member("operators", operators)
            for member in kept { $0.member(key: member.key, member.value) }
        }
    }
}
