#if HTTP
import HTTPTypes

/// The place and the form in which a request carries its model.
///
/// ```swift
/// let builder = URLChainBuilder<UserRoute>().route(.post, .users).encode(as: .formURL)
/// ```
///
/// With GET and HEAD, which have no body, every encoding uses the query.
public struct ParametersEncoding: Sendable, CustomStringConvertible {
    /// The name, as shown in the description of a chain.
    public let description: String
    let encode: @Sendable (ModelContent, inout TransportRequest) throws -> Void

    /// Makes a custom encoding.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - encode: a closure that puts the model into the request; called once for each call that has a model.
    public init(_ name: String, encode: @escaping @Sendable (ModelContent, inout TransportRequest) throws -> Void) {
        description = name
        self.encode = encode
    }

    /// JSON in the body, with the type `application/json`.
    public static let json = ParametersEncoding("json") { model, request in
        guard !request.hasNoBody else { return try model.append(toQueryOf: &request) }
        request.body = .bytes(try model.json())
        if request.headers[.contentType] == nil { request.headers[.contentType] = "application/json" }
    }

    /// A form in the body, with the type `application/x-www-form-urlencoded`; in the query for DELETE.
    public static let formURL = ParametersEncoding("formURL") { model, request in
        guard !request.hasNoBody && request.method != .delete else { return try model.append(toQueryOf: &request) }
        request.body = .bytes(Array(try model.form().utf8))
        if request.headers[.contentType] == nil { request.headers[.contentType] = URLEncodedFormEncoder.contentType }
    }

    /// The query of the address, for any method.
    public static let urlQuery = ParametersEncoding("urlQuery") { model, request in
        try model.append(toQueryOf: &request)
    }
}

/// The model of a request, ready to be written in any form.
public struct ModelContent: Sendable {
    /// A closure that writes the model as JSON; it throws the error of the encoder.
    public let json: @Sendable () throws -> [UInt8]
    /// A closure that writes the model as `name=value` pairs joined by `&`; it throws the error of the encoder.
    public let form: @Sendable () throws -> String

    /// Appends the model to the query of a request's address.
    public func append(toQueryOf request: inout TransportRequest) throws {
        request.url = try request.url.appending(encodedQuery: form())
    }
}

extension TransportRequest {
    /// A Boolean value that indicates whether the method has no body.
    fileprivate var hasNoBody: Bool { method == .get || method == .head }
}
#endif
