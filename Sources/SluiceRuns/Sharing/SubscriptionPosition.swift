/// The position of a subscription: among the outputs of this hub, and among those that are shared by others.
///
/// Its text is the cursor of an output, such as `2-17`; behind an `@` follows the position among the shared ones, if there is one,
/// with `start:` before it for those that are shared from the start. A stream that moves to another hub, or to workers, and back, is
/// read on in each place.
package struct SubscriptionPosition: Sendable, Hashable, CustomStringConvertible {
    /// The place of the last output of this hub.
    package var place: OutputPlace
    /// The position of the last shared output; `nil` before the first.
    package var shared: String?
    /// A Boolean value that indicates whether the shared outputs are those from the start.
    package var isFromStart: Bool

    private static let start = "start:"

    /// Creates a position.
    package init(_ place: OutputPlace, shared: String? = nil, isFromStart: Bool = false) {
        (self.place, self.shared, self.isFromStart) = (place, shared, isFromStart)
    }

    /// Reads the text of a position; `nil` for any other text.
    package init?(_ text: String) {
        let end = text.firstIndex(of: "@")
        guard let place = OutputPlace(String(text[..<(end ?? text.endIndex)])) else { return nil }
        self.place = place
        let rest = end.map { text[text.index(after: $0)...] }
        isFromStart = rest?.hasPrefix(Self.start) ?? false
        shared = rest.map { String($0.dropFirst(isFromStart ? Self.start.count : 0)) }
    }

    package var description: String {
        shared.map { "\(place)@\(isFromStart ? Self.start : "")\($0)" } ?? "\(place)"
    }
}
