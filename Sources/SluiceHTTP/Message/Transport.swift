#if HTTP
public import Sluice

/// A node that carries a request to a server, and returns its answer.
///
/// A transport is a node like any other: `HTTPTransport` uses the network, and an `AnyNode` is a stub. It returns when
/// the head of the answer arrives; the body may be complete or still streamed.
public protocol Transport: Node where Input == TransportRequest, Output == TransportResponse {}

extension AnyNode: Transport where Input == TransportRequest, Output == TransportResponse {}
#endif
