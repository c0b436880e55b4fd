public import SluiceJSON

extension StreamItem: JSONReadable where Value: JSONReadable {
    /// Reads an item; one without `operators` has none.
    ///
    /// - Throws: `JSONError` with path and position.
    public init(json: JSONNode) throws {
        var object = try json.object()
        self.init(value: try object["value"], operators: try object["operators", default: []])
    }
}

extension StreamItem: JSONWritable where Value: JSONWritable {
    /// Writes the item.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("value", value)
            $0.member("operators", operators)
        }
    }
}
