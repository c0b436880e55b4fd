#if HTTP
public import Foundation
public import Sluice

extension Pager where Position == Int {
    /// Makes a pager by offset; a page with fewer than `size` items is the last.
    ///
    /// ```swift
    /// let pager = Pager.offset(size: 2) { offset, size in Array(["a", "b", "c"].dropFirst(offset).prefix(size)) }
    /// let first = try await pager.next()  // ["a", "b"]
    /// ```
    ///
    /// - Parameters:
    ///   - start: the number of items to skip.
    ///   - size: the number of items on a page.
    ///   - fetch: a closure that fetches the items; called with the offset and the size, on the executor of the caller
    ///     of ``next()``.
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

    /// Makes a pager by page number; a page with fewer than `size` items is the last.
    ///
    /// - Parameters:
    ///   - start: the number of the first page, 1 by default.
    ///   - size: the number of items on a page.
    ///   - fetch: a closure that fetches the items; called with the page number and the size, on the executor of the
    ///     caller of ``next()``.
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
    /// Makes a pager by cursors that the server returns.
    ///
    /// ```swift
    /// let pager = Pager.cursor { cursor in
    ///     cursor == nil ? Page(["a"], next: "second") : Page(["b"], next: nil)
    /// }
    /// for try await letter in pager.items { print(letter) }  // a, b
    /// ```
    ///
    /// - Parameter fetch: a closure that fetches a page; called with the cursor of the page, `nil` for the first, on
    ///   the executor of the caller of ``next()``.
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
    /// Makes a pager by the `Link` fields of the answers: `rel="next"` (RFC 8288).
    ///
    /// ```swift
    /// let first = TransportRequest(.get, URL(string: "https://api.example.com/users")!)
    /// let pager = Pager.links(from: first, through: StatusFilter().andThen(HTTPTransport())) { response in
    ///     try JSON(parsing: response.body.bytes ?? []).array ?? []
    /// }
    /// ```
    ///
    /// All requests are like the first one except for their address. A link to another server is an error, since the
    /// contents of the request are not meant for that server.
    ///
    /// - Parameters:
    ///   - request: the request for the first page.
    ///   - node: called once for each page.
    ///   - read: a closure that returns the items of an answer; called with each answer, on the executor of the caller
    ///     of ``next()``.
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
#endif
