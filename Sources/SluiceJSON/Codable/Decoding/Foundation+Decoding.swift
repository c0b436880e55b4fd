#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation's types, which its decoder treats specially. Null is rejected with the name of the type, before a strategy
// is used.

extension Date: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws {
        guard !decoder.decodeNil() else { throw decoder.mismatch(Date.self) }
        switch decoder.state.options.dateDecodingStrategy {
        case .deferredToDate: try self.init(from: decoder)
        case .secondsSince1970: self.init(timeIntervalSince1970: try decoder.double())
        case .millisecondsSince1970: self.init(timeIntervalSince1970: try decoder.double() / 1000)
        case .iso8601:
            guard let date = try? Date.ISO8601FormatStyle().parse(try decoder.string()) else {
                _ = try decoder.string()
                throw decoder.corrupted("Expected a date as in ISO 8601.")
            }
            self = date
        case .formatted(let formatter):
            guard let date = formatter.date(from: try decoder.string()) else {
                throw decoder.corrupted("Expected a date in the formatter's form.")
            }
            self = date
        case .custom(let read): self = try read(decoder)
        }
    }
}

extension Data: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws {
        guard !decoder.decodeNil() else { throw decoder.mismatch(Data.self) }
        switch decoder.state.options.dataDecodingStrategy {
        case .deferredToData: try self.init(from: decoder)
        case .base64:
            guard let data = Data(base64Encoded: try decoder.string()) else {
                throw decoder.corrupted("Expected base64.")
            }
            self = data
        case .custom(let read): self = try read(decoder)
        }
    }
}

extension URL: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws {
        guard !decoder.decodeNil() else { throw decoder.mismatch(URL.self) }
        guard let url = URL(string: try decoder.string()) else { throw decoder.corrupted("Expected a URL.") }
        self = url
    }
}

extension Decimal: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws {
        switch Tape.kind(decoder.word) {
        case .integer, .real:
            let text = String(decoding: decoder.state.text.rawBytes(decoder.word), as: UTF8.self)
            if decoder.state.text.special(at: decoder.index) != nil {
                self = .nan
                return
            }
            guard let value = Decimal(string: text), value.isFinite else { throw decoder.unfit(Decimal.self) }
            self = value
        default: throw decoder.mismatch(Decimal.self)
        }
    }
}
