#if HTTP
import SluiceHTTP
package import SluiceJSON

/// The body of a webhook's request as an item.
package enum WebhookBody {
    /// The reason for which a body gives no item.
    package enum Failure: Error, Hashable {
        /// The media type is not one of JSON, forms, and plain text.
        case unsupported
        /// The body is not what its media type says.
        case invalid(String)
    }

    /// Returns the item of a body: JSON, a form, or a text.
    ///
    /// - Parameter type: The `Content-Type`; without one, a body is JSON.
    package static func item(_ body: [UInt8], _ type: String?) throws(Failure) -> JSON {
        let essence = (type ?? "application/json").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        if essence == "application/json" || essence.hasSuffix("+json") {
            do { return try JSON(parsing: body) } catch { throw .invalid("the body is not JSON: \(error)") }
        }
        switch essence {
        case "text/plain":
            guard let text = String(validating: body, as: UTF8.self) else { throw .invalid("the body is not UTF-8") }
            return .string(text)
        case "application/x-www-form-urlencoded": return try form(body)
        default: throw .unsupported
        }
    }

    /// Returns the fields of a form; a field that occurs several times is an array.
    ///
    /// - Complexity: O(*n*) in the number of bytes, with few steps for each: a stranger may send a megabyte of the shortest fields.
    private static func form(_ body: [UInt8]) throws(Failure) -> JSON {
        var (names, values): ([String], [String: [JSON]]) = ([], [:])
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = PercentEncoding.decodedForm(pair[..<end]),
                let value = PercentEncoding.decodedForm(pair[end...].dropFirst())
            else {
                throw .invalid("the form is not percent-encoded UTF-8")
            }
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(.string(value))
        }
        var fields = JSON.Object()
        for name in names {
            let values = values[name] ?? []
            fields[name] = values.count == 1 ? values[0] : .array(values)
        }
        return .object(fields)
    }
}
#endif
