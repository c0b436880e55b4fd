import Foundation
import SluiceExpressions
import SluiceJSON

/// The format of a value in a text; see ``Operator/encode(_:onError:)``.
public enum TextFormat: String, Sendable, Hashable, CaseIterable {
    /// JSON, without spaces: `{"a":1}`.
    case json
    /// Base64 with padding, of the UTF-8 of a text.
    case base64

    /// Returns the text of a value.
    func text(of value: CELValue) throws -> CELValue {
        switch (self, value) {
        case (.json, _): .string(try message { () throws(CELError) in try value.jsonText() })
        case (.base64, .string(let text)): .string(Data(text.utf8).base64EncodedString())
        case (.base64, .bytes(let bytes)): .string(Data(bytes).base64EncodedString())
        default: throw StreamError(message: "base64 is of a string or of bytes, found \(value.typeName)")
        }
    }

    /// Returns the value that a text represents.
    func value(of value: CELValue) throws -> CELValue {
        guard case .string(let text) = value else {
            throw StreamError(message: "expected a string, found \(value.typeName)")
        }
        switch self {
        case .json:
            let json: JSON
            do throws(JSONError) { json = try JSON(parsing: text) } catch {
                throw StreamError(message: "the string isn't JSON: \(error)")
            }
            return try message { () throws(CELError) in try CELValue(json) }
        case .base64:
            // As in the expression language, the padding may be omitted.
            let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            guard let data = Data(base64Encoded: padded) else {
                throw StreamError(message: "the string isn't base64")
            }
            guard let decoded = String(validating: data, as: UTF8.self) else {
                throw StreamError(message: "the base64 is of no UTF-8; for bytes map with base64.decode(x)")
            }
            return .string(decoded)
        }
    }

    private func message<Result>(_ body: () throws(CELError) -> Result) throws -> Result {
        do throws(CELError) { return try body() } catch {
            throw StreamError(message: error.issues.first?.message ?? "\(error)")
        }
    }
}

extension Stage {
    /// The format in an operator's arguments.
    var textFormat: TextFormat { choice("format").flatMap(TextFormat.init) ?? .json }

    /// Returns the stream with each item transformed; an error contains the operator's path.
    func formatted(_ transform: @escaping @Sendable (CELValue) throws -> CELValue) -> Flow<CELValue> {
        let path = path
        return input.mapping(errorPolicy) { _ in
            { value in
                do { return try transform(value) } catch {
                    throw StreamError(path: path, message: StreamError(error).message)
                }
            }
        }
    }
}
