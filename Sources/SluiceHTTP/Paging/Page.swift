/// One page: what is on it, and where the next one is.
///
/// ```swift
/// let last = Page(["ada", "grace"], next: nil as String?)
/// print(last.items.count)  // 2
/// ```
public struct Page<Position: Sendable, Item: Sendable>: Sendable {
    /// What is on it; may be nothing, also where there is a next one.
    public let items: [Item]
    /// Where the next page is; `nil` says that this is the last.
    public let next: Position?

    /// Makes a page.
    public init(_ items: [Item], next: Position?) {
        self.items = items
        self.next = next
    }
}

/// Why a pager does not go on.
public struct PagingError: Error, Sendable, Equatable, CustomStringConvertible {
    private enum Reason: Equatable {
        case repeated, otherOrigin
    }
    private let reason: Reason
    /// Where the page would be.
    public let position: String

    /// The server sends to a page that was there already: it would go on for ever.
    public static func repeated(_ position: String) -> PagingError {
        PagingError(reason: .repeated, position: position)
    }

    /// The server sends to another server, which must not get what the request carries.
    public static func otherOrigin(_ position: String) -> PagingError {
        PagingError(reason: .otherOrigin, position: position)
    }

    /// `the next page is one that was there already: 2`.
    public var description: String {
        switch reason {
        case .repeated: "the next page is one that was there already: \(position)"
        case .otherOrigin: "the next page is on another server: \(position)"
        }
    }
}
