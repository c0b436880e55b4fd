#if HTTP
import HTTPTypes

/// The single range of bytes that a request asks for, to be cut from a stored answer (RFC 9110, 14.2; RFC 9111, 3.3).
struct StoredRange {
    private enum Bounds {
        case from(Int, through: Int?)
        case last(Int)
    }
    private let bounds: Bounds
    private let validator: String?

    /// Creates the range of a GET; returns `nil` without a range, with several ranges, or with an invalid one: then the
    /// request goes to the server.
    init?(_ request: TransportRequest) {
        let own: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]
        guard request.method == .get, request.body == nil, !own.contains(where: { request.headers.contains($0) }),
            let text = request.headers[.range], let equals = text.firstIndex(of: "="),
            text[..<equals].trimmed.lowercased() == "bytes"
        else { return nil }
        let parts = text[text.index(after: equals)...].trimmed.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts.map { Self.number($0) }
        switch (parts[0].isEmpty, parts[1].isEmpty) {
        case (false, true):
            guard let first = ends[0] else { return nil }
            bounds = .from(first, through: nil)
        case (true, false):
            guard let count = ends[1], count > 0 else { return nil }
            bounds = .last(count)
        default:
            guard let first = ends[0], let last = ends[1], first <= last else { return nil }
            bounds = .from(first, through: last)
        }
        validator = request.headers[.ifRange]
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }

    /// Returns the requested part of a complete answer, or all of it if `If-Range` names another answer; `nil` if the
    /// answer is not a 200, is encoded, or does not contain the range.
    func cut(_ response: TransportResponse) -> TransportResponse? {
        guard response.status == .ok, let bytes = response.body.bytes else { return nil }
        if let validator, !isSame(validator, response.headers) { return response }
        // The stored bytes are decoded, and the range counts encoded bytes.
        guard !response.headers.contains(.contentEncoding), let range = range(of: bytes.count) else { return nil }
        var part = response
        part.status = .partialContent
        part.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
        part.headers[.contentLength] = String(range.count)
        part.body = ByteStream(Array(bytes[range]))
        return part
    }

    private func range(of count: Int) -> Range<Int>? {
        switch bounds {
        case .from(let first, let last):
            first < count ? first..<(last.map { min($0, count - 1) + 1 } ?? count) : nil
        case .last(let length): count > 0 ? max(count - length, 0)..<count : nil
        }
    }

    /// Returns whether `If-Range` names the stored answer: by a strong tag, or by exactly its modification date (RFC
    /// 9110, 13.1.5).
    private func isSame(_ validator: String, _ headers: HTTPFields) -> Bool {
        if validator.hasPrefix("\"") { return headers[.eTag] == validator }
        return !validator.hasPrefix("W/") && headers[.lastModified] == validator
    }
}
#endif
