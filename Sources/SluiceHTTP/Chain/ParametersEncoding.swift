import HTTPTypes

/// Where the model of a request is put, and in which form.
///
/// ```swift
/// let builder = URLChainBuilder<UserRoute>().route(.post, .users).encode(as: .formURL)
/// ```
///
/// With GET and HEAD, which have no body, each puts it into the query.
public struct ParametersEncoding: Sendable, CustomStringConvertible {
    /// The name, as stages print it.
    public let description: String
    let encode: @Sendable (ModelContent, inout TransportRequest) throws -> Void

    /// An encoding of your own.
    ///
    /// - Parameter encode: called once for each call that has a model, with the request that it is to be put into.
    public init(_ name: String, encode: @escaping @Sendable (ModelContent, inout TransportRequest) throws -> Void) {
        description = name
        self.encode = encode
    }

    /// JSON in the body, `application/json`.
    public static let json = ParametersEncoding("json") { model, request in
        guard !request.hasNoBody else { return try model.append(toQueryOf: &request) }
        request.body = .bytes(try model.json())
        if request.headers[.contentType] == nil { request.headers[.contentType] = "application/json" }
    }

    /// A form in the body, `application/x-www-form-urlencoded`; with DELETE in the query.
    public static let formURL = ParametersEncoding("formURL") { model, request in
        guard !request.hasNoBody && request.method != .delete else { return try model.append(toQueryOf: &request) }
        request.body = .bytes(Array(try model.form().utf8))
        if request.headers[.contentType] == nil { request.headers[.contentType] = URLEncodedFormEncoder.contentType }
    }

    /// The query of the address, whatever the method.
    public static let urlQuery = ParametersEncoding("urlQuery") { model, request in
        try model.append(toQueryOf: &request)
    }
}

/// The model of a request, ready to be written in one form or another.
public struct ModelContent: Sendable {
    /// Writes the model as JSON; throws what stands in its way.
    public let json: @Sendable () throws -> [UInt8]
    /// Writes the model as `name=value` with `&` between; throws what stands in its way.
    public let form: @Sendable () throws -> String

    /// Puts the model behind the query of a request's address.
    public func append(toQueryOf request: inout TransportRequest) throws {
        request.url = try request.url.appending(encodedQuery: form())
    }
}

extension TransportRequest {
    /// Whether its method knows no body.
    fileprivate var hasNoBody: Bool { method == .get || method == .head }
}
