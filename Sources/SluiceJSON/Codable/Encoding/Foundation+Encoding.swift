#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation's types, which its encoder treats specially.

extension Date: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) throws {
        switch encoder.state.options.dateEncodingStrategy {
        case .deferredToDate: try encode(to: encoder)
        case .secondsSince1970: try encoder.encode(timeIntervalSince1970)
        case .millisecondsSince1970: try encoder.encode(1000 * timeIntervalSince1970)
        case .iso8601: encoder.encode(formatted(Date.ISO8601FormatStyle()))
        case .formatted(let formatter): encoder.encode(formatter.string(from: self))
        case .custom(let write):
            try write(self, encoder)
            encoder.fillIfUnset()
        }
    }
}

extension Data: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) throws {
        switch encoder.state.options.dataEncodingStrategy {
        case .deferredToData: try encode(to: encoder)
        case .base64: encoder.encode(base64EncodedString())
        case .custom(let write):
            try write(self, encoder)
            encoder.fillIfUnset()
        }
    }
}

extension URL: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(absoluteString) }
}

extension Decimal: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) throws {
        guard isFinite else {
            throw encoder.invalid(self)
        }
        encoder.state.set(encoder.node) { $0.verbatim(description) }
    }
}
