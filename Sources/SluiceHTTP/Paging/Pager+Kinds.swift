public import Foundation
public import Sluice

extension Pager where Position == Int {
    /// Pages by the number of items before them; one with fewer than `size` items is the last.
    ///
    /// ```swift
    /// let pager = Pager.offset(size: 2) { offset, size in Array(["a", "b", "c"].dropFirst(offset).prefix(size)) }
    /// let first = try await pager.next()  // ["a", "b"]
    /// ```
    ///
    /// - Parameters:
    ///   - start: how many items are left out.
    ///   - size: how many items a page has.
    ///   - fetch: called with the offset and the size, where the caller of ``next()`` runs.
    public static func offset(
        from start: Int = 0,
        size: Int,
        _ fetch: @escaping @Sendable (_ offset: Int, _ size: Int) async throws -> [Item]
    ) -> Pager {
        Pager(from: start) { offset in
            let items = try await fetch(offset, size)
            let (next, overflow) = offset.addingReportingOverflow(items.count)
            return Page(items, next: items.isEmpty || items.count < size || overflow ? nil : next)
        }
    }

    /// Pages by their number; one with fewer than `size` items is the last.
    ///
    /// - Parameters:
    ///   - start: the number of the first page, 1 by default.
    ///   - size: how many items a page has.
    ///   - fetch: called with the number of the page and the size, where the caller of ``next()`` runs.
    public static func pages(
        from start: Int = 1,
        size: Int,
        _ fetch: @escaping @Sendable (_ number: Int, _ size: Int) async throws -> [Item]
    ) -> Pager {
        Pager(from: start) { number in
            let items = try await fetch(number, size)
            let (next, overflow) = number.addingReportingOverflow(1)
            return Page(items, next: items.isEmpty || items.count < size || overflow ? nil : next)
        }
    }
}

extension Pager where Position == String? {
    /// Pages by what the server says of the next one.
    ///
    /// ```swift
    /// let pager = Pager.cursor { cursor in
    ///     cursor == nil ? Page(["a"], next: "second") : Page(["b"], next: nil)
    /// }
    /// for try await letter in pager.items { print(letter) }  // a, b
    /// ```
    ///
    /// - Parameter fetch: called with the cursor of the page, `nil` for the first; where the caller of ``next()`` runs.
    public static func cursor(
        _ fetch: @escaping @Sendable (_ cursor: String?) async throws -> Page<String, Item>
    ) -> Pager {
        Pager(from: nil) { cursor in
            let page = try await fetch(cursor)
            return Page(page.items, next: page.next.map { .some($0) })
        }
    }
}

extension Pager where Position == URL {
    /// Pages by the `Link` field of the answers: `rel="next"` (RFC 8288).
    ///
    /// ```swift
    /// let first = TransportRequest(.get, URL(string: "https://api.example.com/users")!)
    /// let pager = Pager.links(from: first, through: StatusFilter().andThen(HTTPTransport())) { response in
    ///     try JSON(parsing: response.body.bytes ?? []).array ?? []
    /// }
    /// ```
    ///
    /// All requests are like the first but for their address. A link to another server is an error, since what the
    /// request carries is not for that.
    ///
    /// - Parameters:
    ///   - request: the request for the first page.
    ///   - node: called once for each page.
    ///   - read: called with each answer, where the caller of ``next()`` runs: what is on the page.
    public static func links(
        from request: TransportRequest,
        through node: some Node<TransportRequest, TransportResponse>,
        _ read: @escaping @Sendable (TransportResponse) async throws -> [Item]
    ) -> Pager {
        Pager(from: request.url) { url in
            var request = request
            let origin = Address.origin(request.url)
            request.url = url
            let response = try await node.process(request)
            let next = response.link("next", relativeTo: url)
            if let next, Address.origin(next) != origin { throw PagingError.otherOrigin(next.absoluteString) }
            return Page(try await read(response), next: next)
        }
    }
}
