extension URITemplate {
    /// What a variable of a template can be.
    ///
    /// ```swift
    /// let values: [String: URITemplate.Value] = ["id": "ada", "page": 2, "lang": ["sv", "en"], "filter": ["age": "36"]]
    /// let text = try URITemplate("/users{/id}{?page,lang,filter*}").expand(values)
    /// // /users/ada?page=2&lang=sv,en&age=36
    /// ```
    public enum Value: Sendable, Hashable {
        /// A text.
        case text(String)
        /// Elements in order; none is as if there were no value.
        case list([String])
        /// Names and values in order; none is as if there were no value.
        case pairs([FormField])

        /// What any other value means: a number is its digits, a truth value `true` or `false`, a date as in RFC 3339,
        /// data base64, an array of these a list, an object of these pairs; `nil` for what is `nil`.
        ///
        /// Members of dictionaries, which have no order of their own, are sorted.
        ///
        /// - Throws: ``URITemplateError`` for arrays and objects in each other; `EncodingError`; what the value throws.
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

        /// The members of a model that are there.
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
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// The digits of a number.
    public init(integerLiteral value: Int64) { self = .text("\(value)") }
    /// The digits of a number.
    public init(floatLiteral value: Double) { self = .text("\(value)") }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .text("\(value)") }
    /// A list.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
    /// Pairs, in this order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self = .pairs(elements.map { FormField(name: $0.0, value: $0.1) })
    }
}
