public import Foundation
import HTTPTypes

extension TransportResponse {
    /// How long the answer asks to wait before the request is sent again (`Retry-After`, RFC 9110, 10.2.3).
    ///
    /// ```swift
    /// let response = TransportResponse(status: .serviceUnavailable, headers: [.retryAfter: "120"])
    /// print(response.retryAfter() ?? .zero)  // 120.0 seconds
    /// ```
    ///
    /// - Parameter now: what a date in the field is compared to; one that has passed is no wait.
    /// - Returns: `nil` where the field is missing or not understood; never below zero, at most 2³¹ seconds.
    public func retryAfter(now: Date = Date()) -> Duration? {
        guard let text = headers[values: .retryAfter].first?[...].trimmed else { return nil }
        if let seconds = DeltaSeconds.parse(text) { return .seconds(seconds) }
        let now = now.timeIntervalSince1970
        guard let time = HTTPDate.parse(text, now: now) else { return nil }
        return .seconds(min(max(time - now, 0), Double(DeltaSeconds.maximum)))
    }
}

/// A number of seconds as header fields bear it (RFC 9111, 1.2.2).
enum DeltaSeconds {
    /// What greater numbers are taken for.
    static let maximum = 1 << 31

    /// Reads digits, and nothing but digits.
    static func parse(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(text) ?? maximum, maximum)
    }
}
