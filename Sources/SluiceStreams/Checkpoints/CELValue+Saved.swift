import Foundation
import SluiceExpressions
import SluiceJSON

/// The form of a stream's value in a checkpoint: plain values unchanged, every other in an object with its type as the
/// key, so that each is restored with its type.
extension CELValue: Savable {
    /// The depth beyond which values are written as a flat list of tokens, since the depth of JSON is bounded.
    private static let nestedDepth = 16

    var saved: JSON {
        if let json = nested(Self.nestedDepth) { return json }
        var tokens: [JSON] = []
        flatten(into: &tokens)
        return ["flat": .array(tokens)]
    }

    init(saved json: JSON) throws {
        if case .object(let object) = json, object.count == 1, let flat = object["flat"] {
            guard case .array(let tokens) = flat else { throw StreamError.unreadable("tokens", flat) }
            var rest = tokens[...]
            self = try CELValue(tokens: &rest, JSONLimits.deepestValue + 1)
            guard rest.isEmpty else { throw StreamError(message: "tokens follow a value") }
        } else {
            self = try CELValue(nested: json)
        }
    }

    // MARK: Nested

    /// Returns the value as nested JSON, or `nil` if it is deeper than `depth`.
    private func nested(_ depth: Int) -> JSON? {
        if let scalar { return scalar }
        guard depth > 0 else { return nil }
        switch self {
        case .list(let list):
            var elements: [JSON] = []
            for value in list {
                guard let json = value.nested(depth - 1) else { return nil }
                elements.append(json)
            }
            return .array(elements)
        case .map(let map):
            var entries: [JSON] = []
            for (key, value) in map {
                guard let key = key.nested(depth - 1), let value = value.nested(depth - 1) else { return nil }
                entries.append([key, value])
            }
            return ["map": .array(entries)]
        case .optional(let value):
            guard let value else { return ["optional": []] }
            return value.nested(depth - 1).map { ["optional": [$0]] }
        default: return nil
        }
    }

    private init(nested json: JSON) throws {
        if let scalar = try CELValue(scalar: json) {
            self = scalar
            return
        }
        switch json {
        case .array(let elements): self = .list(try elements.map { try CELValue(nested: $0) })
        case .object(let object) where object.count == 1:
            switch (object[0].key, object[0].value) {
            case ("map", .array(let entries)):
                self = try CELValue(
                    entries: entries.map { entry in
                        guard case .array(let pair) = entry, pair.count == 2 else {
                            throw StreamError.unreadable("a key and a value", entry)
                        }
                        return (try CELValue(nested: pair[0]), try CELValue(nested: pair[1]))
                    }
                )
            case ("optional", .array(let elements)) where elements.count <= 1:
                self = .optional(try elements.first.map { try CELValue(nested: $0) })
            default: throw StreamError.unreadable("a value", json)
            }
        default: throw StreamError.unreadable("a value", json)
        }
    }

    private init(entries: [(CELValue, CELValue)]) throws {
        guard let map = CELMap(entries) else {
            throw StreamError(message: "the map has a duplicate or invalid key")
        }
        self = .map(map)
    }

    // MARK: Flat

    /// Appends the value as tokens; a container is preceded by the number of its elements.
    private func flatten(into tokens: inout [JSON]) {
        switch self {
        case .list(let list):
            tokens.append(["list": .int(Int64(list.count))])
            for value in list { value.flatten(into: &tokens) }
        case .map(let map):
            tokens.append(["map": .int(Int64(map.count))])
            for (key, value) in map {
                key.flatten(into: &tokens)
                value.flatten(into: &tokens)
            }
        case .optional(let value):
            tokens.append(["optional": .int(value == nil ? 0 : 1)])
            value?.flatten(into: &tokens)
        default: if let scalar { tokens.append(scalar) }
        }
    }

    private init(tokens rest: inout ArraySlice<JSON>, _ depth: Int) throws {
        guard depth >= 0, let token = rest.popFirst() else {
            throw StreamError(message: "a value is cut off or too deep")
        }
        if let scalar = try CELValue(scalar: token) {
            self = scalar
            return
        }
        guard case .object(let object) = token, object.count == 1, case .int(let given) = object[0].value,
            let count = Int(exactly: given), count >= 0, count <= rest.count
        else { throw StreamError.unreadable("a token", token) }
        switch object[0].key {
        case "list":
            var list: [CELValue] = []
            for _ in 0..<count { list.append(try CELValue(tokens: &rest, depth - 1)) }
            self = .list(list)
        case "map":
            var entries: [(CELValue, CELValue)] = []
            for _ in 0..<count {
                let key = try CELValue(tokens: &rest, depth - 1)
                entries.append((key, try CELValue(tokens: &rest, depth - 1)))
            }
            self = try CELValue(entries: entries)
        case "optional" where count <= 1:
            self = .optional(count == 0 ? nil : try CELValue(tokens: &rest, depth - 1))
        default: throw StreamError.unreadable("a token", token)
        }
    }

    // MARK: Scalars

    private var scalar: JSON? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .string(let value): .string(value)
        case .double(let value): value.isFinite ? .double(value) : ["double": .string("\(value)")]
        case .uint(let value): ["uint": .string("\(value)")]
        case .bytes(let value): ["bytes": .string(Data(value).base64EncodedString())]
        case .type(let name): ["type": .string(name)]
        case .duration(let value): ["duration": .int(value.nanoseconds)]
        case .timestamp(let value): ["timestamp": [.int(value.seconds), .int(value.nanoseconds)]]
        case .address(let value): ["address": .string(value.description)]
        case .network(let value): ["network": .string(value.description)]
        case .list, .map, .optional: nil
        }
    }

    /// Reads a scalar; returns `nil` for a container.
    private init?(scalar json: JSON) throws {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .string(let value): self = .string(value)
        case .double(let value): self = .double(value)
        case .object(let object) where object.count == 1:
            guard let value = try CELValue(tag: object[0].key, object[0].value) else { return nil }
            self = value
        default: return nil
        }
    }

    private init?(tag: String, _ json: JSON) throws {
        let value: CELValue?
        switch (tag, json) {
        case ("double", .string(let text)):
            value = ["inf", "-inf", "nan", "-nan"].contains(text) ? Double(text).map { .double($0) } : nil
        case ("uint", .string(let text)): value = UInt64(text).map { .uint($0) }
        case ("bytes", .string(let text)): value = Data(base64Encoded: text).map { .bytes(Array($0)) }
        case ("type", .string(let name)): value = .type(name)
        case ("duration", .int(let nanoseconds)): value = .duration(CELDuration(nanoseconds: nanoseconds))
        case ("timestamp", .array(let parts)):
            guard parts.count == 2, case .int(let seconds) = parts[0], case .int(let nanoseconds) = parts[1] else {
                throw StreamError.unreadable("a time", json)
            }
            value = CELTimestamp(seconds: seconds, nanoseconds: nanoseconds).map { .timestamp($0) }
        case ("address", .string(let text)): value = CELAddress(text).map { .address($0) }
        case ("network", .string(let text)): value = CELNetwork(text).map { .network($0) }
        default: return nil
        }
        guard let value else { throw StreamError.unreadable("a value of \(tag)", json) }
        self = value
    }
}
