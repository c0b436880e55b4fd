#if HTTP
import Foundation
import HTTPTypes

extension TransportResponse {
    /// A likely reason why the body can't be read as JSON, for people; `nil` if the answer indicates no reason.
    package var bodyHint: String? { encodingHint ?? pageHint ?? charsetHint }

    /// A hint for a body that is still compressed.
    private var encodingHint: String? {
        let codings = headers[values: .contentEncoding].flatMap { FieldList.elements($0) }.map { $0.lowercased() }
        let decoded: Set<String> = ["identity", "gzip", "x-gzip", "deflate"]
        if let unknown = codings.first(where: { !decoded.contains($0) }) {
            return hint(about: unknown, isAlone: codings.count == 1)
        }
        guard let coding = codings.last, coding.hasSuffix("gzip"), body.bytes?.starts(with: [0x1F, 0x8B]) == true else {
            return nil
        }
        return "its Content-Encoding \"\(coding)\" was not decoded: decompression is off in the transport's settings"
    }

    /// A hint for a coding that AsyncHTTPClient doesn't decode.
    private func hint(about name: String, isAlone: Bool) -> String? {
        let text = "its Content-Encoding \"\(name.prefix(40))\""
        guard let coding = ContentCoding(rawValue: name) else {
            let codings = ContentCoding.accepted ?? "gzip or deflate"
            return "\(text) is not decoded: ask for \(codings) in Accept-Encoding"
        }
        guard ContentCoding.decoded.contains(coding) else {
            let text = "\(text) is not decoded: build Sluice with the trait \(coding.trait)"
            return "\(text), or ask for gzip or deflate in Accept-Encoding"
        }
        guard isAlone else { return "\(text) is not decoded: only a single coding is" }
        // A decoded body is text, and one that is not decoded is not.
        guard String(validating: body.bytes ?? [], as: UTF8.self) == nil else { return nil }
        return "\(text) was not decoded: decompression is off in the transport's settings"
    }

    /// A hint for an answer of a proxy, a log-in page, or a single-page application.
    private var pageHint: String? {
        let type = headers[.contentType].flatMap { MediaType($0) }?.description
        let start = String(decoding: (body.bytes ?? []).prefix(2048), as: UTF8.self)
        let text = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
        guard
            type == "text/html" || type == "application/xhtml+xml" || text.hasPrefix("<!doctype html")
                || text.hasPrefix("<html")
        else { return nil }
        let hint = "the answer is an HTML page with status \(status.code)"
        guard let from = start.range(of: "<title>", options: .caseInsensitive)?.upperBound,
            let to = start.range(of: "</title>", options: .caseInsensitive, range: from..<start.endIndex)?.lowerBound
        else { return hint }
        let title = start[from..<to].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return title.isEmpty ? hint : "\(hint): \"\(title.prefix(80))\""
    }

    /// A hint for a body in another charset.
    private var charsetHint: String? {
        guard let field = headers[.contentType] else { return nil }
        for parameter in FieldList.split(field, ";").dropFirst() {
            guard let equals = parameter.firstIndex(of: "="),
                parameter[..<equals].trimmed.lowercased() == "charset"
            else { continue }
            let charset = FieldList.unquoted(parameter[parameter.index(after: equals)...].trimmed)
            if ["utf-8", "utf8", "us-ascii", "ascii"].contains(charset.lowercased()) { return nil }
            return "its charset is \"\(charset.prefix(40))\", and JSON is UTF-8"
        }
        return nil
    }
}
#endif
