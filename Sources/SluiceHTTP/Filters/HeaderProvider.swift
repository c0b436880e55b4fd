public import HTTPTypes

/// Gives header fields for a request.
///
/// ```swift
/// struct DeviceHeaders: HeaderProvider {
///     var purpose: FieldPurpose { .answer }
///     func headers(for request: TransportRequest) async throws -> HTTPFields { [.userAgent: "app/1"] }
/// }
/// let node = HeaderFilter(DeviceHeaders()).andThen(HTTPTransport())
/// ```
public protocol HeaderProvider: Sendable {
    /// The purpose of the fields: it says whether they are asked for once per hop or once per attempt, and whether they
    /// identify the user. ``FieldPurpose/user`` by default.
    var purpose: FieldPurpose { get }

    /// The origins that the fields are for; that of the call's first request by default.
    var origins: FieldOrigins { get }

    /// Returns the fields for `request`.
    ///
    /// Called once for each request that passes the filter, where the caller runs: in a chain once per hop, or once per
    /// attempt, as ``purpose`` says. An error that it throws is the error of the call; it is canceled with the calling
    /// task.
    nonisolated(nonsending) func headers(for request: TransportRequest) async throws -> HTTPFields
}

extension HeaderProvider {
    /// ``FieldPurpose/user``.
    public var purpose: FieldPurpose { .user }
    /// ``FieldOrigins/first``.
    public var origins: FieldOrigins { .first }
}
