#if HTTP
public import Foundation

extension URL {
    /// Returns the address with a model's fields appended to its query.
    ///
    /// The existing text is kept byte for byte; a fragment stays at the end.
    ///
    /// ```swift
    /// let url = try URL(string: "http://example.com/search?q=a+b#top")?.appending(query: ["page": 2])
    /// // http://example.com/search?q=a+b&page=2#top
    /// ```
    ///
    /// - Throws: as `URLEncodedFormEncoder.fields(_:)`.
    public func appending(query: some Encodable, encoder: URLEncodedFormEncoder = .init()) throws -> URL {
        try appending(encodedQuery: encoder.text(query))
    }

    /// Returns the address with values of different types, sorted by name, appended to its query.
    ///
    /// ```swift
    /// let url = try URL(string: "http://example.com/search")?.appending(query: ["q": "a+b", "page": 2, "tags": ["x"]])
    /// // http://example.com/search?page=2&q=a%2Bb&tags%5B%5D=x
    /// ```
    ///
    /// - Throws: as `URLEncodedFormEncoder.fields(_:)`.
    public func appending(
        query: [String: any Encodable & Sendable],
        encoder: URLEncodedFormEncoder = .init()
    ) throws -> URL {
        try appending(encodedQuery: encoder.text(query))
    }

    /// Returns the address with a percent-encoded text appended to its query; an empty text changes nothing.
    ///
    /// - Throws: ``RouteError/noURL`` when the result is not an address.
    public func appending(encodedQuery query: String) throws -> URL {
        if query.isEmpty { return self }
        let text = URLEncodedFormEncoder.address(absoluteString, appending: query)
        guard let url = URL(exactly: text) else { throw RouteError.noURL }
        return url
    }

    /// Creates an address from a text, byte for byte if it is valid, otherwise with invalid characters percent-encoded.
    ///
    /// `URL(string:)` alone would also encode the `%` of existing escapes.
    init?(exactly text: String) {
        if let url = URL(string: text, encodingInvalidCharacters: false) {
            self = url
        } else {
            self.init(string: PercentEncoding.address(text), encodingInvalidCharacters: false)
        }
    }
}

extension URLEncodedFormEncoder {
    /// Returns the text of an address with a percent-encoded text appended to its query.
    ///
    /// ```swift
    /// let address = URLEncodedFormEncoder.address("/users?all=1#top", appending: "page=2")  // /users?all=1&page=2#top
    /// ```
    ///
    /// The existing text is kept byte for byte; an empty query changes nothing.
    ///
    /// - Complexity: O(*n*) in the length of both.
    public static func address(_ address: String, appending query: String) -> String {
        if query.isEmpty { return address }
        let bytes = address.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let head = address[..<end]
        let mark =
            if let start = head.utf8.firstIndex(of: UInt8(ascii: "?")) {
                head.utf8.index(after: start) == end || head.utf8.last == UInt8(ascii: "&") ? "" : "&"
            } else {
                "?"
            }
        return head + mark + query + address[end...]
    }
}
#endif
