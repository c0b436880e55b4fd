#if HTTP
public import Foundation

/// A template with its values: a route.
///
/// ```swift
/// let template = try URITemplate("http://example.com/users{/id}")
/// let route = try template.route(["id": "ada"])
/// let url = try route.url()  // http://example.com/users/ada
/// ```
public struct URITemplateRoute: URLRouteProvider, Hashable, CustomStringConvertible {
    /// The template: one name for all its addresses, for metrics and traces.
    public let template: URITemplate
    /// The address that results from the values.
    public let address: URL

    /// Returns the address.
    public func url() throws -> URL { address }

    /// The text of the address.
    public var description: String { address.absoluteString }
}

extension URITemplate {
    /// Returns the template with values as a route.
    ///
    /// - Throws: ``URITemplateError`` as ``expand(_:)`` does, and when the result is not an address.
    public func route(_ values: [String: Value]) throws(URITemplateError) -> URITemplateRoute {
        try route(to: expand(values))
    }

    /// Returns the template with the members of a model as a route.
    ///
    /// - Throws: as ``expand(model:)``; ``URITemplateError`` when the result is not an address.
    public func route(model: some Encodable) throws -> URITemplateRoute { try route(to: expand(model: model)) }

    private func route(to text: String) throws(URITemplateError) -> URITemplateRoute {
        guard let address = URL(exactly: text) else {
            throw URITemplateError("the template and its values make no address: \(text.debugDescription)")
        }
        return URITemplateRoute(template: self, address: address)
    }
}
#endif
