#if HTTP
public import HTTPTypes

/// A provider of header fields for requests.
///
/// ```swift
/// struct DeviceHeaders: HeaderProvider {
///     var purpose: FieldPurpose { .answer }
///     func headers(for request: TransportRequest) async throws -> HTTPFields { [.userAgent: "app/1"] }
/// }
/// let node = HeaderFilter(DeviceHeaders()).andThen(HTTPTransport())
/// ```
public protocol HeaderProvider: Sendable {
    /// The purpose of the fields, which decides whether they are requested once per hop or once per attempt, and
    /// whether they identify the user. ``FieldPurpose/user`` by default.
    var purpose: FieldPurpose { get }

    /// The origins that the fields are for; that of the call's first request by default.
    var origins: FieldOrigins { get }

    /// Returns the fields for `request`.
    ///
    /// It is called once for each request that passes the filter, on the caller's executor: in a chain once per hop, or
    /// once per attempt, depending on ``purpose``. Its error is the error of the call; it is canceled with the calling
    /// task.
    nonisolated(nonsending) func headers(for request: TransportRequest) async throws -> HTTPFields
}

extension HeaderProvider {
    /// The default purpose, ``FieldPurpose/user``.
    public var purpose: FieldPurpose { .user }
    /// The default origin, ``FieldOrigins/first``.
    public var origins: FieldOrigins { .first }
}
#endif
