#if HTTP
public import Foundation
public import HTTPTypes

/// The data of requests and answers that logs and spans do not contain.
///
/// ```swift
/// let redaction = LogRedaction(fields: [HTTPField.Name("X-API-Key")!], visibleQueries: ["page"])
/// print(redaction.text(of: URL(string: "https://ada:secret@example.com/?page=2&token=1")!))
/// // https://example.com/?page=2&token=***
/// ```
///
/// These are the user, password, and fragment of an address; the values of its query, except those that you name; and
/// the header fields for credentials and cookies and those that you name. Addresses in header fields (`Location`,
/// `Referer`, …) are treated in the same way.
public struct LogRedaction: Sendable {
    private let fields: Set<HTTPField.Name>
    private let visibleQueries: Set<String>

    private static let credentials: Set<HTTPField.Name> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie, .authenticationInfo, .proxyAuthenticationInfo,
    ]
    private static let addresses: Set<HTTPField.Name> = [.location, .contentLocation, .referer, .link]

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - fields: header fields whose values are hidden, in addition to those for credentials and cookies.
    ///   - visibleQueries: the names of query items whose values are shown.
    public init(fields: [HTTPField.Name] = [], visibleQueries: Set<String> = []) {
        self.fields = Self.credentials.union(fields)
        self.visibleQueries = visibleQueries
    }

    /// Returns an address without hidden data.
    public func text(of url: URL) -> String { address(url.absoluteString) }

    /// Returns header fields without hidden data: `[accept: a/b, authorization: ***]`.
    public func text(of headers: HTTPFields) -> String {
        "[\(headers.map { "\($0.name.canonicalName): \(value(of: $0))" }.joined(separator: ", "))]"
    }

    private func value(of field: HTTPField) -> String {
        if fields.contains(field.name) { return "***" }
        return Self.addresses.contains(field.name) ? address(field.value) : field.value
    }

    private func address(_ text: String) -> String {
        var rest = text.prefix { $0 != "#" }
        var result = ""
        if let slashes = rest.firstRange(of: "//") {
            let authority = rest[slashes.upperBound...].prefix { !"/?".contains($0) }
            if let at = authority.lastIndex(of: "@") {
                result = String(rest[..<slashes.upperBound])
                rest = rest[rest.index(after: at)...]
            }
        }
        guard let mark = rest.firstIndex(of: "?") else { return result + rest }
        let items = rest[rest.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        return result + rest[...mark]
            + items.map { item in
                guard let equals = item.firstIndex(of: "=") else { return item.isEmpty ? "" : "***" }
                let name = item[..<equals]
                return visibleQueries.contains(String(name)) ? String(item) : "\(name)=***"
            }.joined(separator: "&")
    }
}
#endif
