#if HTTP
extension URITemplate {
    /// The value of a variable of a template.
    ///
    /// ```swift
    /// let values: [String: URITemplate.Value] = ["id": "ada", "page": 2, "lang": ["sv", "en"], "filter": ["age": "36"]]
    /// let text = try URITemplate("/users{/id}{?page,lang,filter*}").expand(values)
    /// // /users/ada?page=2&lang=sv,en&age=36
    /// ```
    public enum Value: Sendable, Hashable {
        /// A text.
        case text(String)
        /// A list of elements in order; an empty one counts as no value.
        case list([String])
        /// A list of names and values in order; an empty one counts as no value.
        case pairs([FormField])

        /// Converts any other value: a number to its digits, a Boolean to `true` or `false`, a date to RFC 3339, data
        /// to base64, an array of these to a list, and an object of these to pairs; `nil` gives `nil`.
        ///
        /// Members of dictionaries, which have no order of their own, are sorted.
        ///
        /// - Throws: ``URITemplateError`` for nested arrays and objects; `EncodingError`; the error of the value.
        public init?(_ value: some Encodable) throws {
            guard let value = try Self.value(of: FormTree(value, encoder: Self.encoder), named: "the value") else {
                return nil
            }
            self = value
        }

        private static let encoder: URLEncodedFormEncoder = {
            var encoder = URLEncodedFormEncoder()
            encoder.boolEncodingStrategy = .literal
            encoder.dateEncodingStrategy = .iso8601
            encoder.order = .asEncoded
            return encoder
        }()

        /// Returns the members of a model that have a value.
        static func members(of model: some Encodable) throws -> [String: URITemplate.Value] {
            let tree = try FormTree(model, encoder: encoder)
            switch tree.content {
            case .nothing, .null: return [:]
            case .object(let object):
                var values: [String: URITemplate.Value] = [:]
                for (name, member) in tree.members(of: object, encoder: encoder) {
                    values[name] = try value(of: member, named: name)
                }
                return values
            case .text, .array:
                throw URITemplateError(
                    "a template takes values by name",
                    hint: "a model with keys, as a struct or a dictionary"
                )
            }
        }

        private static func value(of tree: FormTree, named name: String) throws -> Self? {
            switch tree.content {
            case .nothing, .null: return nil
            case .text(let text): return .text(text)
            case .array(let elements):
                return .list(try tree.elements(of: elements).compactMap { try text(of: $0, in: name) })
            case .object(let object):
                return .pairs(
                    try tree.members(of: object, encoder: encoder).compactMap { member in
                        try text(of: member.value, in: name).map { FormField(name: member.name, value: $0) }
                    }
                )
            }
        }

        private static func text(of tree: FormTree, in name: String) throws -> String? {
            switch tree.content {
            case .nothing, .null: nil
            case .text(let text): text
            case .array, .object:
                throw URITemplateError(
                    "\(name) has values in values, for which templates have no place",
                    hint: "a text, a list of texts or pairs of texts"
                )
            }
        }
    }
}

extension URITemplate.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Makes a text of the digits of a number.
    public init(integerLiteral value: Int64) { self = .text("\(value)") }
    /// Makes a text of the digits of a number.
    public init(floatLiteral value: Double) { self = .text("\(value)") }
    /// Makes the text `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .text("\(value)") }
    /// Makes a list.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
    /// Makes pairs in this order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self = .pairs(elements.map { FormField(name: $0.0, value: $0.1) })
    }
}
#endif
