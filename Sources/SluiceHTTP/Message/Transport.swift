public import Sluice

/// What carries a request to a server and its answer back.
///
/// A transport is a node like any other: `HTTPTransport` carries over the network, an `AnyNode` is a stub. It answers
/// when the head of the answer is there; the body may still be to come, or be whole already.
public protocol Transport: Node where Input == TransportRequest, Output == TransportResponse {}

extension AnyNode: Transport where Input == TransportRequest, Output == TransportResponse {}
