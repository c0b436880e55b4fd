import Foundation

extension URLEncodedFormEncoder {
    /// The fields of values of which no type is known, as the first users' queries have them: dictionaries and arrays of
    /// anything, optionals, `NSNull`, and what is `Encodable`. Dictionaries are sorted.
    ///
    /// - Throws: `EncodingError` for a value of another type; as ``fields(_:)``.
    package func fields(untyped values: [String: Any]) throws -> [FormField] { try fields(Untyped(value: values)) }

    private struct Untyped: Encodable {
        let value: Any

        func encode(to encoder: any Encoder) throws {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional {
                var container = encoder.singleValueContainer()
                if let wrapped = mirror.children.first { return try container.encode(Untyped(value: wrapped.value)) }
                return try container.encodeNil()
            }
            switch value {
            case let value as any Encodable:
                var container = encoder.singleValueContainer()
                try container.encode(value)
            case let members as [String: Any]:
                var container = encoder.container(keyedBy: FormKey.self)
                for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                    try container.encode(Untyped(value: member), forKey: FormKey(key))
                }
            case let elements as [Any]:
                var container = encoder.unkeyedContainer()
                for element in elements { try container.encode(Untyped(value: element)) }
            case is NSNull:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            default:
                throw EncodingError.invalidValue(
                    value,
                    .init(
                        codingPath: encoder.codingPath,
                        debugDescription: "A form has no text for a value of type \(type(of: value))."
                    )
                )
            }
        }
    }
}
