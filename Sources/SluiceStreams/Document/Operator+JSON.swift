public import SluiceJSON

extension Operator: JSONReadable, JSONWritable {
    /// Reads an operator from its one-key object.
    ///
    /// - Throws: `JSONError` with path and position; it names an operator that is not known.
    public init(json: JSONNode) throws {
        let member = try json.onlyMember()
        switch CodingKeys(stringValue: member.key) {
        case .delay:
            var parameters = try member.value.object()
            self = .delay(seconds: try parameters["seconds"])
        case nil:
            throw JSONError(.unknownKey, "unknown operator \(JSON.string(member.key))", at: member.keyNode)
        }
    }

    /// Writes the operator as an object with its name as the one key.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .delay(let seconds):
                json.key("delay")
                json.object { $0.member("seconds", seconds) }
            }
        }
    }
}
