#if HTTP
/// A page: its items and the position of the next one.
///
/// ```swift
/// let last = Page(["ada", "grace"], next: nil as String?)
/// print(last.items.count)  // 2
/// ```
public struct Page<Position: Sendable, Item: Sendable>: Sendable {
    /// The items of the page; may be empty even if there is a next page.
    public let items: [Item]
    /// The position of the next page; `nil` for the last page.
    public let next: Position?

    /// Makes a page.
    public init(_ items: [Item], next: Position?) {
        self.items = items
        self.next = next
    }
}

/// The error of a pager that can't continue.
public struct PagingError: Error, Sendable, Equatable, CustomStringConvertible {
    private enum Reason: Equatable {
        case repeated, otherOrigin
    }
    private let reason: Reason
    /// The position of the page.
    public let position: String

    /// Returns the error for a server that names a page that was already fetched, which would loop forever.
    public static func repeated(_ position: String) -> PagingError {
        PagingError(reason: .repeated, position: position)
    }

    /// Returns the error for a link to another server, which must not get the contents of the request.
    public static func otherOrigin(_ position: String) -> PagingError {
        PagingError(reason: .otherOrigin, position: position)
    }

    /// A description such as `the next page is one that was there already: 2`.
    public var description: String {
        switch reason {
        case .repeated: "the next page is one that was there already: \(position)"
        case .otherOrigin: "the next page is on another server: \(position)"
        }
    }
}
#endif
