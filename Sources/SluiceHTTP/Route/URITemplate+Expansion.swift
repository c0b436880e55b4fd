#if HTTP
extension URITemplate {
    /// Returns the address that results from the template and values.
    ///
    /// Variables without a value, with an empty list, or without pairs are left out. The same values give the same
    /// text.
    ///
    /// ```swift
    /// let template = try URITemplate("/search{?q,page}")
    /// let text = try template.expand(["q": "a+b"])  // /search?q=a%2Bb
    /// ```
    ///
    /// - Throws: ``URITemplateError`` when the value of a variable with a prefix, such as `{x:3}`, is not a text.
    /// - Complexity: O(*n*) in the length of the template and of the values that it uses.
    public func expand(_ values: [String: Value]) throws(URITemplateError) -> String {
        var bytes: [UInt8] = []
        for part in parts {
            switch part {
            case .literal(let literal): bytes += literal
            case .expression(let kind, let variables):
                var expansion = Expansion(kind)
                for variable in variables {
                    if let value = values[variable.name] { try expansion.add(value, of: variable) }
                }
                bytes += expansion.bytes
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the address that results from the template and the members of a model; see ``Value`` for their
    /// conversion.
    ///
    /// ```swift
    /// struct Search: Encodable {
    ///     var text: String
    ///     var page: Int?
    /// }
    /// let text = try URITemplate("/search{?text,page}").expand(model: Search(text: "ada"))  // /search?text=ada
    /// ```
    ///
    /// - Throws: ``URITemplateError`` as with values, and for members that can't be values of a template;
    ///   `EncodingError`; the error of the model.
    public func expand(model: some Encodable) throws -> String { try expand(Value.members(of: model)) }

    /// The text of one expression during expansion.
    private struct Expansion {
        let kind: Operator
        var bytes: [UInt8] = []
        private var isEmpty = true

        init(_ kind: Operator) { self.kind = kind }

        mutating func add(_ value: Value, of variable: Variable) throws(URITemplateError) {
            let isExploded = if case .explode = variable.modifier { true } else { false }
            switch value {
            case .text(let text):
                begin()
                let length: Int? = if case .prefix(let length) = variable.modifier { length } else { nil }
                appendName(variable.name, isEmpty: text.isEmpty)
                append(length.map { prefix($0, of: text) } ?? text[...])
            case .list(let elements):
                try checkPrefix(variable, "a list")
                if isExploded {
                    for element in elements {
                        begin()
                        appendName(variable.name, isEmpty: element.isEmpty)
                        append(element[...])
                    }
                } else {
                    addJoined(elements, of: variable)
                }
            case .pairs(let pairs):
                try checkPrefix(variable, "pairs")
                if isExploded {
                    for pair in pairs {
                        begin()
                        append(pair.name[...])
                        bytes += (kind.isNamed && pair.value.isEmpty ? kind.empty : "=").utf8
                        append(pair.value[...])
                    }
                } else {
                    addJoined(pairs.flatMap { [$0.name, $0.value] }, of: variable)
                }
            }
        }

        private mutating func addJoined(_ elements: [String], of variable: Variable) {
            guard !elements.isEmpty else { return }
            begin()
            appendName(variable.name, isEmpty: false)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element[...])
            }
        }

        private mutating func begin() {
            bytes += (isEmpty ? kind.first : kind.separator).utf8
            isEmpty = false
        }

        private mutating func appendName(_ name: String, isEmpty: Bool) {
            guard kind.isNamed else { return }
            bytes += name.utf8
            bytes += (isEmpty ? kind.empty : "=").utf8
        }

        private mutating func append(_ text: Substring) {
            guard kind.keepsReserved else {
                return PercentEncoding.append(text, to: &bytes, literal: .unreserved)
            }
            let utf8 = Array(text.utf8)
            for (index, byte) in utf8.enumerated() {
                let isLiteral = PercentEncoding.isReserved(byte) || LiteralCharacters.unreserved.contains(byte)
                PercentEncoding.append(
                    byte,
                    to: &bytes,
                    isLiteral: isLiteral || PercentEncoding.isEscape(utf8, at: index)
                )
            }
        }

        private func checkPrefix(_ variable: Variable, _ kind: String) throws(URITemplateError) {
            guard case .prefix(let length) = variable.modifier else { return }
            throw URITemplateError(
                column: variable.column,
                "\(variable.name):\(length) takes a part of a text, and \(variable.name) is \(kind)",
                hint: "leave out :\(length)"
            )
        }

        /// Returns the first `length` scalars of a text. If escapes are kept, an escape counts as the character that it
        /// encodes.
        private func prefix(_ length: Int, of text: String) -> Substring {
            let scalars = text.unicodeScalars
            guard kind.keepsReserved else { return Substring(scalars.prefix(length)) }
            var end = scalars.startIndex
            for _ in 0..<length where end < scalars.endIndex {
                guard let first = Self.escaped(text, at: end) else {
                    end = scalars.index(after: end)
                    continue
                }
                end = scalars.index(end, offsetBy: 3)
                // A scalar of two to four bytes has as many escapes.
                var rest = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0
                while rest > 0, let byte = Self.escaped(text, at: end), (0x80..<0xC0).contains(byte) {
                    end = scalars.index(end, offsetBy: 3)
                    rest -= 1
                }
            }
            return text[..<end]
        }

        /// Returns the byte of the escape at an index; `nil` if there is no escape.
        private static func escaped(_ text: String, at index: String.Index) -> UInt8? {
            let escape = Array(text.utf8[index...].prefix(3))
            guard PercentEncoding.isEscape(escape, at: 0) else { return nil }
            return UInt8(String(decoding: escape[1...], as: UTF8.self), radix: 16)
        }
    }
}
#endif
