#if HTTP
public import Foundation
import HTTPTypes

extension TransportResponse {
    /// Returns how long the answer asks to wait before the request is sent again (`Retry-After`, RFC 9110, 10.2.3).
    ///
    /// ```swift
    /// let response = TransportResponse(status: .serviceUnavailable, headers: [.retryAfter: "120"])
    /// print(response.retryAfter() ?? .zero)  // 120.0 seconds
    /// ```
    ///
    /// - Parameter now: the time that a date in the field is compared with; a past date means no wait.
    /// - Returns: the wait, from zero to 2³¹ seconds; `nil` if the field is missing or invalid.
    public func retryAfter(now: Date = Date()) -> Duration? {
        guard let text = headers[values: .retryAfter].first?[...].trimmed else { return nil }
        if let seconds = DeltaSeconds.parse(text) { return .seconds(seconds) }
        let now = now.timeIntervalSince1970
        guard let time = HTTPDate.parse(text, now: now) else { return nil }
        return .seconds(min(max(time - now, 0), Double(DeltaSeconds.maximum)))
    }
}

/// The parser for numbers of seconds in header fields (RFC 9111, 1.2.2).
enum DeltaSeconds {
    /// The value that replaces larger numbers.
    static let maximum = 1 << 31

    /// Returns the number in a text that consists only of digits.
    static func parse(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(text) ?? maximum, maximum)
    }
}
#endif
