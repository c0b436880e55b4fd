/// A type that is written directly to a ``JSONWriter``, without Codable's containers.
///
/// ```swift
/// struct Mark { var id: Int, name: String }
///
/// extension Mark: JSONWritable {
///     func write(to json: inout JSONWriter) {
///         json.object {
///             $0.member("id", id)
///             $0.member("name", name)
///         }
///     }
/// }
/// ```
///
/// ``SluiceJSONEncoder`` uses the conformance wherever such a value occurs in a Codable one.
public protocol JSONWritable {
    /// Writes exactly one value to the writer.
    ///
    /// If it writes NaN or an infinity, ``SluiceJSONEncoder`` throws; see ``JSONWriter/nonFiniteNumber``.
    func write(to json: inout JSONWriter)
}

extension JSON: JSONWritable {
    /// Writes the canonical text.
    public func write(to json: inout JSONWriter) { _ = json.json(self, .canonical) }
}

extension JSONNode: JSONWritable {
    /// Writes the value byte for byte as it appears in its document.
    public func write(to json: inout JSONWriter) { json.raw(sourceBuffer) }
}
