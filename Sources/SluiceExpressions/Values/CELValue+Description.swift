extension CELValue: CustomStringConvertible {
    /// The value in the language's syntax: `1u`, `"a\n"`, `b"\x00"`, `[1, 2]`, `{"a": 1}`, `duration("5s")`.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .uint(let value): "\(value)u"
        case .double(let value): CELValue.literal(value)
        case .string(let value): value.quoted
        case .bytes(let value): "b\"" + value.map(CELValue.byte).joined() + "\""
        case .list(let value): "[" + value.map(\.description).joined(separator: ", ") + "]"
        case .map(let value): "{" + value.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        case .type(let name): name
        case .duration(let value): "duration(\"\(value)\")"
        case .timestamp(let value): "timestamp(\"\(value)\")"
        case .optional(let value): value.map { "optional.of(\($0))" } ?? "optional.none()"
        case .address(let value): "ip(\"\(value)\")"
        case .network(let value): "cidr(\"\(value)\")"
        }
    }

    private static func literal(_ value: Double) -> String {
        guard value.isFinite else { return "double(\"\(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")\")" }
        let text = value.description
        return text.contains(".") || text.contains("e") ? text : text + ".0"
    }

    private static func byte(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case 32..<127: String(Character(Unicode.Scalar(byte)))
        default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}

extension String {
    /// The text in quotes, with its special characters escaped.
    var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{7}": text += "\\a"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{B}": text += "\\v"
            default:
                if scalar.value < 32 || scalar.value == 127 {
                    let digits = String(scalar.value, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text + "\""
    }
}
