import Foundation
import SluiceJSON

/// Foundation's coders and ours, with the same settings.
struct SideBySide {
    let theirEncoder = JSONEncoder()
    let theirDecoder = JSONDecoder()
    var encoder = SluiceJSONEncoder()
    var decoder = SluiceJSONDecoder()

    init() {
        theirEncoder.outputFormatting = [.sortedKeys]
        encoder.outputFormatting = [.sortedKeys]
        decoder.allowsTrailingCommas = true
    }

    /// The results of both coders for a value: its text, or its error.
    func encoded<T: Encodable>(_ value: T) -> (theirs: String, ours: String) {
        (theirs(value), ours(value))
    }

    func theirs<T: Encodable>(_ value: T) -> String {
        outcome { String(decoding: try theirEncoder.encode(value), as: UTF8.self) }
    }

    func ours<T: Encodable>(_ value: T) -> String { outcome { try encoder.text(value) } }

    /// The results of both coders for a text: a description of its value, or its error.
    func decoded<T: Decodable>(
        _ type: T.Type,
        _ text: Data,
        _ describe: (T) -> String = { "\($0)" }
    ) -> (theirs: String, ours: String) {
        (
            outcome { describe(try theirDecoder.decode(type, from: text)) },
            outcome { describe(try decoder.decode(type, from: text)) }
        )
    }

    private func outcome(_ body: () throws -> String) -> String {
        do { return try body() } catch { return SideBySide.summary(error) }
    }

    /// An error in one line: its case, the type it names, and the whole path with the keys' numbers.
    static func summary(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(let type, let context): "typeMismatch \(type) at \(path(context.codingPath))"
        case DecodingError.valueNotFound(let type, let context): "valueNotFound \(type) at \(path(context.codingPath))"
        case DecodingError.keyNotFound(let key, let context):
            "keyNotFound \(path([key])) at \(path(context.codingPath))"
        // Foundation gives a value that is corrupted the path of a container around it, or none.
        case DecodingError.dataCorrupted: "dataCorrupted"
        case EncodingError.invalidValue(let value, let context): "invalidValue \(value) at \(path(context.codingPath))"
        default: "\(error)"
        }
    }

    static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.stringValue + ($0.intValue.map { "=\($0)" } ?? "") }.joined(separator: ".")
    }
}

/// Any value: of a text, all of it is decoded.
enum Loose: Codable, CustomStringConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([Loose])
    case members([String: Loose])

    /// Only another kind of value leads on to the next try: what is wrong in a string or a key is thrown.
    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
            return
        }
        do {
            let container = try decoder.container(keyedBy: TextKey.self)
            var members: [String: Loose] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(Loose.self, forKey: key) }
            self = .members(members)
            return
        } catch DecodingError.typeMismatch(let type, _) where type == [String: Any].self {}
        do {
            var container = try decoder.unkeyedContainer()
            var list: [Loose] = []
            while !container.isAtEnd { list.append(try container.decode(Loose.self)) }
            self = .list(list)
            return
        } catch DecodingError.typeMismatch(let type, _) where type == [Any].self {}
        do {
            self = .bool(try single.decode(Bool.self))
            return
        } catch DecodingError.typeMismatch {}
        do {
            self = .text(try single.decode(String.self))
        } catch DecodingError.typeMismatch {
            self = .number(try single.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool): try bool.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .text(let text): try text.encode(to: encoder)
        case .list(let list): try list.encode(to: encoder)
        case .members(let members):
            var container = encoder.container(keyedBy: TextKey.self)
            for (key, value) in members { try container.encode(value, forKey: TextKey(key)) }
        }
    }

    var description: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): number.isNaN ? "nan" : "\(number)"
        // The scalars, so that texts that are equivalent, but not the same, differ.
        case .text(let text): text.unicodeScalars.map { "\($0.value)" }.joined(separator: " ")
        case .list(let list): "\(list)"
        case .members(let members):
            "\(members.map { "\(Loose.text($0)): \($1)" }.sorted())"
        }
    }
}
