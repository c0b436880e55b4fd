#if HTTP
import HTTPTypes
public import Sluice

/// A filter that makes an answer an error if its type was not requested.
///
/// ```swift
/// let node = ContentTypeFilter().andThen(HTTPTransport())          // as the request's Accept says
/// let strict = ContentTypeFilter(["image/*"]).andThen(HTTPTransport())
/// ```
///
/// An answer without a body passes, and so does every answer if the request accepts everything or has no `Accept`.
/// Parameters such as `charset` do not count.
public struct ContentTypeFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let types: [MediaType]?

    /// Makes a filter that compares with the `Accept` of each request.
    public init() { types = nil }

    /// Makes a filter that compares with these types; `*` means any type or subtype. Invalid types are left out.
    public init(_ types: [String]) { self.types = types.compactMap { MediaType($0) } }

    /// Calls `next`.
    ///
    /// - Throws: ``HTTPError`` (``HTTPError/Code/badBody``) with the answer in it, and with at most 64 KiB of its body,
    ///   when the type is different or missing; the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let response = try await next.process(request)
        guard let wanted = types ?? request.headers[.accept].map(MediaType.accepted), !wanted.isEmpty,
            !isWithoutBody(response, to: request)
        else { return response }
        let field = response.headers[.contentType]
        let type = field.flatMap { MediaType($0) }
        if let type, wanted.contains(where: { $0.includes(type) }) { return response }
        if type == nil, wanted.contains(where: { $0.type == "*" }) { return response }
        let found = type.map { "\($0)" } ?? (field == nil ? "of no type" : "of an invalid type")
        throw HTTPError(
            .badBody,
            "the answer is \(found), not \(wanted.map { "\($0)" }.joined(separator: " or "))",
            request: request,
            response: try await response.head(upTo: 64 << 10)
        )
    }

    private func isWithoutBody(_ response: TransportResponse, to request: TransportRequest) -> Bool {
        request.method == .head || [204, 205, 304].contains(response.status.code)
            || response.body.bytes?.isEmpty == true || response.headers[.contentLength] == "0"
    }

    /// The description `ContentTypeFilter`.
    public var description: String { "ContentTypeFilter" }
}
#endif
