package import SluiceJSON

/// The paging of the source `poll`: how each response names the next page.
package struct StreamPaging: Sendable, Hashable {
    /// The place of a response that names the next page.
    package enum Next: Sendable, Hashable {
        /// The `Link` field with a relation (RFC 8288).
        case link(relation: String)
        /// A cursor: the value of an expression of the page `x`, which is sent as a parameter of the query.
        case query(name: String, cursor: String)
        /// A cursor, which is sent as a member of the body.
        case field(name: String, cursor: String)
    }

    /// The place of a response that names the next page.
    package let next: Next
    /// The largest number of pages in a poll.
    package let maxPages: Int

    /// The default of ``maxPages``.
    static let usualPages = 100
    /// The largest value of ``maxPages``.
    static let mostPages = 1000

    /// The expression of the cursor, if there is one.
    package var cursor: String? {
        switch next {
        case .link: nil
        case .query(_, let cursor), .field(_, let cursor): cursor
        }
    }

    /// Reads `{"link": "next"}`, `{"cursor": "x.next", "query": "cursor"}`, or `{"cursor": "x.next", "field": "cursor"}`, each
    /// with an optional `"maxPages"`.
    ///
    /// - Throws: ``StreamError`` for anything else.
    package init(_ json: JSON) throws(StreamError) {
        guard case .object(let members) = json else { throw StreamError(message: "expected an object, found \(json)") }
        var texts: [String: String] = [:]
        for (key, value) in members where key != "maxPages" {
            guard ["link", "cursor", "query", "field"].contains(key) else {
                throw StreamError(
                    message: "unknown key \(JSON.string(key)) (known: link, cursor, query, field, maxPages)"
                )
            }
            guard let text = value.string, (1...10_000).contains(text.utf8.count) else {
                throw StreamError(message: "\(key): expected a text, found \(value)")
            }
            texts[key] = text
        }
        switch (texts["link"], texts["cursor"], texts["query"], texts["field"]) {
        case (let relation?, nil, nil, nil): next = .link(relation: relation)
        case (nil, let cursor?, let name?, nil): next = .query(name: name, cursor: cursor)
        case (nil, let cursor?, nil, let name?): next = .field(name: name, cursor: cursor)
        default:
            throw StreamError(
                message: "expected \"link\", \"cursor\" with \"query\", or \"cursor\" with \"field\", found \(json)"
            )
        }
        let pages = json["maxPages"] ?? .int(Int64(Self.usualPages))
        guard let count = pages.int, (1...Self.mostPages).contains(Int(clamping: count)) else {
            throw StreamError(message: "maxPages: expected a whole number from 1 to \(Self.mostPages), found \(pages)")
        }
        maxPages = Int(count)
    }
}

extension Stage {
    /// Returns the paging of a poll, checked, with the document's parameters substituted; `nil` if it has none.
    func paging() -> JSON? {
        guard let json = written("paging") else { return nil }
        let paging: StreamPaging
        do throws(StreamError) { paging = try StreamPaging(json) } catch {
            note("paging", error.message)
            return nil
        }
        if bool("changes", default: false) {
            note("changes", "pages can't be compared with those before: leave out \"changes\" or \"paging\"")
        }
        if case .field = paging.next, written("body")?.object == nil {
            note("paging", "\"field\" is a member of the body: let \"body\" be an object")
        }
        guard let cursor = paging.cursor, case .object(var object) = json else { return json }
        guard let text = pageExpression(cursor, "paging") else { return nil }
        object["cursor"] = .string(text)
        return .object(object)
    }
}
