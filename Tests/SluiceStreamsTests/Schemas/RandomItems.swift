import SluiceJSON
import SluiceTestSupport

/// Random schemas, items that meet them, and any JSON.
enum RandomItems {
    static let names = ["price", "name", "count", "lines", "owner", "note"]

    /// Returns any JSON value.
    static func json(_ depth: Int, _ random: inout Seeded) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int64.random(in: -3...3, using: &random))
        case 3: return .double(Double.random(in: -3...3, using: &random))
        case 4: return .int(Int64.random(in: .min ... .max, using: &random))
        case 5: return .string(["", "a", "price", "12"].randomElement(using: &random) ?? "")
        case 6:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in json(depth - 1, &random) })
        default:
            var object: JSON.Object = [:]
            for name in names where Bool.random(using: &random) { object[name] = json(depth - 1, &random) }
            return .object(object)
        }
    }

    /// Returns a schema of an object, or of any type within.
    static func schema(_ depth: Int, _ random: inout Seeded, isObject: Bool = false) -> JSON {
        var types = isObject ? ["object"] : []
        if !isObject {
            let all =
                ["null", "boolean", "integer", "number", "string"] + (depth > 0 ? ["array", "object", "object"] : [])
            for _ in 0..<(Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1) {
                types.append(all.randomElement(using: &random) ?? "")
            }
            if Int.random(in: 0..<20, using: &random) == 0 { return [:] }
            if Int.random(in: 0..<12, using: &random) == 0 { return ["enum": ["a", "b", 1]] }
        }
        var schema: JSON.Object = ["type": types.count == 1 ? .string(types[0]) : .array(types.map { .string($0) })]
        if types.contains("object") {
            var properties: JSON.Object = [:]
            for name in names where Int.random(in: 0..<3, using: &random) > 0 {
                properties[name] = self.schema(depth - 1, &random)
            }
            schema["properties"] = .object(properties)
            let required = properties.map(\.key).filter { _ in Bool.random(using: &random) }
            schema["required"] = .array(required.map { .string($0) })
            switch Int.random(in: 0..<6, using: &random) {
            case 0: schema["additionalProperties"] = true
            case 1: schema["additionalProperties"] = false
            case 2: schema["additionalProperties"] = self.schema(depth - 1, &random)
            default: break
            }
        }
        if types.contains("array"), Int.random(in: 0..<5, using: &random) > 0 {
            schema["items"] = self.schema(depth - 1, &random)
        }
        return .object(schema)
    }

    /// Returns an item that meets a schema and has no fields that the schema does not speak of.
    static func item(_ schema: JSON, _ random: inout Seeded) -> JSON {
        if case .array(let values)? = schema["enum"] { return values.randomElement(using: &random) ?? .null }
        var types = [schema["type"]?.string].compactMap(\.self)
        if case .array(let several)? = schema["type"] { types = several.compactMap(\.string) }
        switch types.randomElement(using: &random) {
        case "null": return .null
        case "boolean": return .bool(Bool.random(using: &random))
        case "integer": return .int(Int64.random(in: -3...3, using: &random))
        case "number":
            return Bool.random(using: &random)
                ? .int(Int64.random(in: -3...3, using: &random)) : .double(Double.random(in: -3...3, using: &random))
        case "string": return .string(["", "a", "price", "12"].randomElement(using: &random) ?? "")
        case "array":
            return .array(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in item(schema["items"] ?? [:], &random) }
            )
        case "object":
            var object: JSON.Object = [:]
            let required = (schema["required"]?.array ?? []).compactMap(\.string)
            for property in schema["properties"]?.object ?? [:] {
                guard required.contains(property.key) || Bool.random(using: &random) else { continue }
                object[property.key] = item(property.value, &random)
            }
            let rest = schema["additionalProperties"]
            if let rest, rest != false, Bool.random(using: &random) {
                for name in ["extra"] + names where object[name] == nil && schema["properties"]?[name] == nil {
                    object[name] = item(rest == true ? [:] : rest, &random)
                }
            }
            return .object(object)
        default: return json(1, &random)
        }
    }
}
