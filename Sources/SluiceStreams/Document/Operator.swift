/// What decides when a value is passed on, and which.
///
/// On the wire an operator is an object with one key, its name: `{"delay": {"seconds": 1}}`.
public enum Operator: Sendable, Hashable {
    /// Passes a value on `seconds` later; from 0 to ``StreamTime/maximumSeconds``.
    case delay(seconds: Double)
}

extension Operator: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case delay
    }

    /// The names of all operators.
    static let names = CodingKeys.allCases.map(\.rawValue)

    private struct DelayParameters: Codable {
        let seconds: Double
    }

    /// Reads an operator from its one-key object.
    ///
    /// - Throws: `DecodingError` that names the operator, when it is not known, and the place.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "an operator has exactly one key, its name, and not \(container.allKeys.count)"
                )
            )
        }
        switch CodingKeys(stringValue: key.stringValue) {
        case .delay:
            self = .delay(seconds: try container.decode(DelayParameters.self, forKey: key).seconds)
        case nil:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [key],
                    debugDescription: "there is no operator '\(key.stringValue)'"
                )
            )
        }
    }

    /// Writes the operator as an object with its name as the one key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .delay(let seconds): try container.encode(DelayParameters(seconds: seconds), forKey: .delay)
        }
    }
}

/// Any key.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
