#if HTTP
/// A name and its value in a form or a query, before percent-encoding.
///
/// ```swift
/// let fields = try URLEncodedFormEncoder().fields(["tags": ["a", "b"]])
/// // [FormField(name: "tags[]", value: "a"), FormField(name: "tags[]", value: "b")]
/// ```
public struct FormField: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
#endif
