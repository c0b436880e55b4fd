public import HTTPTypes

/// Gives header fields for a request, when it is sent.
///
/// ```swift
/// struct DeviceHeaders: HeaderProvider {
///     func headers(for request: TransportRequest) async throws -> HTTPFields { [.userAgent: "app/1"] }
/// }
/// let node = HeaderFilter(DeviceHeaders()).andThen(HTTPTransport())
/// ```
public protocol HeaderProvider: Sendable {
    /// The fields for `request`.
    ///
    /// Called once for each try that passes the filter, where the caller runs. What it throws is the error of the
    /// call; it is cancelled with the calling task.
    nonisolated(nonsending) func headers(for request: TransportRequest) async throws -> HTTPFields
}
