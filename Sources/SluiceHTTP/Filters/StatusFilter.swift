#if HTTP
public import HTTPTypes
public import Sluice

/// A filter that makes every unsuccessful answer an error: by default, all statuses from 400 to 599.
///
/// ```swift
/// let node = StatusFilter().andThen(HTTPTransport())
/// // a 404 throws HTTPError: GET http://example.com/: 404 Not Found
/// let strict = StatusFilter(accepting: 200..<300).andThen(HTTPTransport())
/// ```
///
/// The error contains the answer, with at most `maximumErrorBytes` of its body, so that ``HTTPError/problem`` can be
/// read even if bodies are streamed.
public struct StatusFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let isError: @Sendable (HTTPResponse.Status) -> Bool
    private let maximumErrorBytes: Int

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - isError: a closure that returns whether a status is an error; by default, all from 400 and invalid ones are.
    ///   - maximumErrorBytes: the maximum number of body bytes in an error; 64 KiB by default.
    public init(
        where isError: @escaping @Sendable (HTTPResponse.Status) -> Bool = StatusFilter.isError,
        maximumErrorBytes: Int = 64 << 10
    ) {
        self.isError = isError
        self.maximumErrorBytes = max(maximumErrorBytes, 0)
    }

    /// Makes a filter that lets only these statuses pass.
    public init(accepting statuses: Range<Int>, maximumErrorBytes: Int = 64 << 10) {
        self.init(where: { !statuses.contains($0.code) }, maximumErrorBytes: maximumErrorBytes)
    }

    /// Returns whether a status is at least 400 or invalid.
    @Sendable public static func isError(_ status: HTTPResponse.Status) -> Bool {
        switch status.kind {
        case .informational, .successful, .redirection: false
        case .clientError, .serverError, .invalid: true
        }
    }

    /// Calls `next`.
    ///
    /// - Throws: ``HTTPError`` with the answer in it when its status is an error; the error of `next`.
    /// - Cancellation: cancels `next`, or the reading of an error's body.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let response = try await next.process(request)
        guard isError(response.status) else { return response }
        throw HTTPError(
            .badStatus,
            response.status.summary,
            request: request,
            response: try await response.head(upTo: maximumErrorBytes)
        )
    }

    /// The description `StatusFilter`.
    public var description: String { "StatusFilter" }
}

extension TransportResponse {
    /// Returns the answer with only the first bytes of its body, in memory, for errors. Unreadable parts are left out.
    ///
    /// - Throws: `CancellationError` when the task is canceled meanwhile.
    nonisolated(nonsending) func head(upTo limit: Int) async throws -> TransportResponse {
        if body.bytes != nil { return self }
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                bytes += chunk.prefix(limit - bytes.count)
                if bytes.count >= limit { break }
            }
        } catch {
            if error is CancellationError || Task.isCancelled { throw CancellationError() }
        }
        var response = self
        response.body = ByteStream(bytes)
        return response
    }
}

extension StageName {
    /// The error for failure statuses.
    public static let status = StageName("status", .call)
}
#endif
