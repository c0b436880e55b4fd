#if HTTP
import Foundation
import SluiceExpressions
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// The pages of a poll: the request of each page after the first, from the response before.
struct PollPaging: Sendable {
    /// A place between two pages of a poll, which is stored with the page before it.
    struct Place: Sendable, Equatable {
        /// The number of pages that were read.
        var count = 0
        /// The address or the cursor of the next page; `nil` for the first one.
        var next: String?

        /// The text that is stored.
        var text: String { next.map { "\(count) \($0)" } ?? "0" }

        init() {}

        init(_ count: Int, _ next: String) { (self.count, self.next) = (count, next) }

        /// Reads the stored text; any other text is the place before the first page.
        init(_ text: String) {
            guard let end = text.firstIndex(of: " "), let count = Int(text[..<end]), count > 0 else { return }
            (self.count, next) = (count, String(text[text.index(after: end)...]))
        }
    }

    private let paging: StreamPaging
    /// The request of the first page.
    private let first: TransportRequest
    private let arguments: JSON
    private let cursor: CELExpression?

    /// Creates the paging of a poll; `nil` for a poll without pages.
    ///
    /// - Throws: An error for arguments that are invalid.
    init?(_ arguments: JSON, _ first: TransportRequest) throws {
        guard let json = arguments["paging"] else { return nil }
        paging = try StreamPaging(json)
        cursor = try paging.cursor.map { try CELExpression($0, variables: ["x": .dyn], promotesInts: true) }
        (self.first, self.arguments) = (first, arguments)
    }

    /// Returns the request of the page after a place.
    ///
    /// - Throws: `StreamError` for a next page that is not of the origin of the first one.
    func request(after place: Place) throws -> TransportRequest {
        guard let next = place.next else { return first }
        var request = first
        switch paging.next {
        case .link:
            guard next.utf8.count <= 8192, let url = URL(string: next), Self.origin(url) == Self.origin(first.url)
            else {
                // The document's headers and body are sent to its own origin only.
                throw StreamError(message: "the next page, '\(next.shortened)', is not of the origin of the first one")
            }
            request.url = url
        case .query(let name, _):
            guard var parts = URLComponents(url: first.url, resolvingAgainstBaseURL: true) else { return first }
            // An item of the query may not begin another one.
            func encoded(_ text: String) -> String {
                text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? ""
            }
            let others = (parts.percentEncodedQueryItems ?? []).filter { $0.name.removingPercentEncoding != name }
            parts.percentEncodedQueryItems = others + [URLQueryItem(name: encoded(name), value: encoded(next))]
            guard let url = parts.url else { throw StreamError(message: "'\(next.shortened)' is not a cursor") }
            request.url = url
        case .field(let name, _):
            guard var object = arguments.object, var body = object["body"]?.object else { return first }
            body[name] = (try? JSON(parsing: next)) ?? .string(next)
            object["body"] = .object(body)
            request = try TransportRequest(ofDocument: .object(object))
        }
        return request
    }

    /// Returns the place after a page; `nil` after the last one.
    ///
    /// - Parameters:
    ///   - place: The place before the page.
    ///   - page: The value of the page, as it was received.
    ///   - response: The response of the page.
    ///   - request: The request of the page.
    /// - Throws: An error for a cursor that can't be evaluated, or is neither a text nor a number.
    func place(
        after place: Place,
        _ page: JSON,
        _ response: TransportResponse,
        to request: TransportRequest
    ) throws -> Place? {
        guard place.count + 1 < paging.maxPages, let next = try next(page, response, request), next != place.next else {
            return nil
        }
        return Place(place.count + 1, next)
    }

    private func next(_ page: JSON, _ response: TransportResponse, _ request: TransportRequest) throws -> String? {
        if case .link(let relation) = paging.next {
            guard let url = response.link(relation, relativeTo: request.url) else { return nil }
            return url == request.url ? nil : url.absoluteString
        }
        guard let cursor else { return nil }
        let value: JSON
        do { value = try cursor.evaluate(["x": CELValue(page)]).json() } catch {
            throw StreamError(message: "paging: the cursor can't be evaluated: \(error)")
        }
        let isField = if case .field = paging.next { true } else { false }
        switch value {
        case .null, .string(""): return nil
        case .string(let text): return isField ? value.text() : text
        case .int, .unsigned, .double, .number: return value.text()
        default: throw StreamError(message: "paging: the cursor must be a text, a number, or null, found \(value)")
        }
    }

    private static func origin(_ url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased() else { return nil }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "http" ? 80 : 443))"
    }
}

extension CharacterSet {
    /// The characters that stand for themselves in every part of a URL.
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
#endif
