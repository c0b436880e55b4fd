#if HTTP
/// An encoder of models as fields of a form, for the query of an address or for a body of the type
/// `application/x-www-form-urlencoded`.
///
/// ```swift
/// struct Search: Encodable {
///     var text = "C++ & more"
///     var tags = ["a", "b"]
///     var isExact = true
/// }
/// let text = try URLEncodedFormEncoder().text(Search())
/// // isExact=1&tags%5B%5D=a&tags%5B%5D=b&text=C%2B%2B%20%26%20more
/// ```
///
/// It encodes any `Encodable` type that encodes itself with keys, `JSON` objects, and dictionaries of values of
/// different types. `JSON.null` and an optional that is `nil` have no fields.
///
/// A value always has the same text: members of dictionaries and elements of sets, which have no order of their own,
/// are sorted regardless of ``order``.
///
/// Numbers have their Swift description: a double of 1 is `1.0`. Infinities and not-a-number are errors.
///
/// The encoder is a value: copies are independent, and any number of tasks may use one.
public struct URLEncodedFormEncoder: Sendable {
    /// The naming of array elements; `brackets` by default.
    public var arrayEncodingStrategy: ArrayEncodingStrategy = .brackets
    /// The form of Booleans; `numeric` by default.
    public var boolEncodingStrategy: BoolEncodingStrategy = .numeric
    /// The form of data; `base64` by default.
    public var dataEncodingStrategy: DataEncodingStrategy = .base64
    /// The form of dates; `deferredToDate` by default.
    public var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
    /// The conversion of keys to names; `useDefaultKeys` by default.
    public var keyEncodingStrategy: KeyEncodingStrategy = .useDefaultKeys
    /// The naming of nested members; `brackets` by default.
    public var keyPathEncodingStrategy: KeyPathEncodingStrategy = .brackets
    /// The encoding of `nil` and `null`; `dropKey` by default.
    public var nilEncodingStrategy: NilEncodingStrategy = .dropKey
    /// The form of a space; `percentEscaped` by default.
    public var spaceEncodingStrategy: SpaceEncodingStrategy = .percentEscaped
    /// The order of members; `alphabetized` by default.
    public var order: Order = .alphabetized
    /// The characters that are not percent-encoded; the unreserved characters of RFC 3986 by default.
    public var allowedCharacters: LiteralCharacters = .unreserved
    /// The values that types find in `encoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// The content type of a body with such text.
    public static let contentType = "application/x-www-form-urlencoded; charset=utf-8"

    /// Makes an encoder with the defaults.
    public init() {}

    /// Returns the fields of a value.
    ///
    /// - Throws: `EncodingError` when the value has no keys at its top level, a number is not finite, or values are
    ///   nested more than 512 deep; the errors of the value and of a strategy's closure.
    /// - Complexity: O(*n* log *n*) in the number of fields.
    public func fields(_ value: some Encodable) throws -> [FormField] {
        try fields(of: FormTree(value, encoder: self), value)
    }

    /// Returns the fields of values of different types, sorted by name; see `fields(_:)`.
    ///
    /// - Throws: as for a single value.
    public func fields(_ values: [String: any Encodable & Sendable]) throws -> [FormField] {
        try fields(of: FormTree(values, encoder: self), values)
    }

    /// Returns the text of a value: percent-encoded `name=value` pairs joined by `&`.
    ///
    /// - Throws: as `fields(_:)`.
    public func text(_ value: some Encodable) throws -> String { text(of: try fields(value)) }

    /// Returns the text of values of different types, sorted by name: percent-encoded `name=value` pairs joined by `&`.
    ///
    /// - Throws: as `fields(_:)`.
    public func text(_ values: [String: any Encodable & Sendable]) throws -> String { text(of: try fields(values)) }

    /// Returns the text of fields, in their order.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public func text(of fields: [FormField]) -> String {
        String(decoding: bytes(of: fields), as: UTF8.self)
    }

    /// Returns the bytes of a form's body.
    ///
    /// - Throws: as `fields(_:)`.
    public func bytes(_ value: some Encodable) throws -> [UInt8] { bytes(of: try fields(value)) }

    /// Returns the bytes of the text of fields, in their order.
    public func bytes(of fields: [FormField]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 })
        for field in fields {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            append(field.name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            append(field.value, to: &bytes)
        }
        return bytes
    }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if byte == UInt8(ascii: " "), spaceEncodingStrategy == .plusReplaced {
                bytes.append(UInt8(ascii: "+"))
            } else {
                PercentEncoding.append(byte, to: &bytes, isLiteral: allowedCharacters.contains(byte))
            }
        }
    }

    private func fields(of tree: FormTree, _ value: Any) throws -> [FormField] {
        if let fault = tree.fault { throw fault }
        switch tree.content {
        case .object(let object):
            var fields: [FormField] = []
            for (key, member) in tree.members(of: object, encoder: self) {
                try append(member, named: key, to: &fields)
            }
            return fields
        case .null, .nothing: return []
        case .text, .array:
            throw EncodingError.invalidValue(
                value,
                .init(
                    codingPath: [],
                    debugDescription: "A form has names: its top must have keys, as a struct or a dictionary."
                )
            )
        }
    }

    private func append(_ tree: FormTree, named name: String, to fields: inout [FormField]) throws {
        if let fault = tree.fault { throw fault }
        switch tree.content {
        case .nothing: break
        case .null:
            if let value = nilEncodingStrategy.text(for: name) { fields.append(FormField(name: name, value: value)) }
        case .text(let value): fields.append(FormField(name: name, value: value))
        case .array(let elements):
            // An element without a field takes no index, so that the indices have no gaps.
            var index = 0
            for element in tree.elements(of: elements) {
                let count = fields.count
                try append(element, named: arrayEncodingStrategy.name(of: name, index: index), to: &fields)
                if fields.count > count { index += 1 }
            }
        case .object(let object):
            for (key, member) in tree.members(of: object, encoder: self) {
                try append(member, named: keyPathEncodingStrategy.name(of: key, in: name), to: &fields)
            }
        }
    }
}
#endif
