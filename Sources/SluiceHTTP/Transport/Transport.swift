public import Foundation
public import HTTPTypes
public import Sluice

/// What carries a request to a server and its answer back.
///
/// A transport is a node like any other: `HTTPTransport` carries over the network, an `AnyNode` is a stub.
public protocol Transport: Node where Input == TransportRequest, Output == TransportResponse {}

extension AnyNode: Transport where Input == TransportRequest, Output == TransportResponse {}

/// A request as it goes over the wire.
public struct TransportRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The address.
    public var url: URL
    /// The header fields.
    public var headers: HTTPFields
    /// The body; `nil` is none.
    public var body: [UInt8]?

    /// Makes a request.
    public init(_ method: HTTPRequest.Method, _ url: URL, headers: HTTPFields = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// `GET http://example.com/`, without what a query or credentials may give away.
    public var summary: String {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.query = nil
        components?.user = nil
        components?.password = nil
        return "\(method.rawValue) \(components?.string ?? url.host ?? "")"
    }
}

/// An answer as it came over the wire.
public struct TransportResponse: Sendable, Equatable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields.
    public var headers: HTTPFields
    /// The body, empty if there was none.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
