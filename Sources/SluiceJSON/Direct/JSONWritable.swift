/// A type that writes itself straight to a ``JSONWriter``, without Codable's containers.
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
/// ``SluiceJSONEncoder`` finds the conformance by itself wherever such a value occurs in a Codable one.
public protocol JSONWritable {
    /// Writes this value: exactly one value to the writer.
    ///
    /// A NaN or an infinity in it makes ``SluiceJSONEncoder`` throw; see ``JSONWriter/nonFiniteNumber``.
    func write(to json: inout JSONWriter)
}

extension JSON: JSONWritable {
    /// Writes the canonical text.
    public func write(to json: inout JSONWriter) { _ = json.json(self, .canonical) }
}

extension JSONNode: JSONWritable {
    /// Writes the value byte for byte as it stands in its document: what is passed through untouched.
    public func write(to json: inout JSONWriter) { json.raw(sourceBuffer) }
}
