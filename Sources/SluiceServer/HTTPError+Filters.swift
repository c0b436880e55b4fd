#if Server
internal import HTTPTypes
public import Hummingbird
internal import SluiceFilters

extension HTTPError {
    /// Makes the answer of a server when one of its filters has ended a call; returns `nil` for errors that are not
    /// from a filter.
    ///
    /// | error | status | `Retry-After` |
    /// |---|---|---|
    /// | ``SluiceFilters/RateLimitError`` | 429 | when there is room again |
    /// | ``SluiceFilters/ThrottledError`` | 429 | 1 |
    /// | ``SluiceFilters/OverloadedError``, ``SluiceFilters/SheddingError``, ``SluiceFilters/NoEndpointsError`` | 503 | 1 |
    /// | ``SluiceFilters/BreakerOpenError`` | 503 | when it lets calls pass again, else 1 |
    /// | ``SluiceFilters/DeadlineError``, ``SluiceFilters/TimeoutError`` | 504 | none |
    /// | ``SluiceFilters/SupersededError`` | 409 | none |
    ///
    /// `Retry-After` is in whole seconds, rounded up, at least 1.
    public init?(filterError error: any Error) {
        switch error {
        case let error as RateLimitError: self.init(.tooManyRequests, retryAfter: error.retryAfter, "\(error)")
        case is ThrottledError: self.init(.tooManyRequests, retryAfter: .seconds(1), "\(error)")
        case is OverloadedError, is SheddingError, is NoEndpointsError:
            self.init(.serviceUnavailable, retryAfter: .seconds(1), "\(error)")
        case let error as BreakerOpenError:
            self.init(.serviceUnavailable, retryAfter: error.retryAfter ?? .seconds(1), "\(error)")
        case is DeadlineError, is TimeoutError: self.init(.gatewayTimeout, message: "\(error)")
        case is SupersededError: self.init(.conflict, message: "\(error)")
        default: return nil
        }
    }

    private init(_ status: HTTPResponse.Status, retryAfter: Duration, _ message: String) {
        let (seconds, attoseconds) = retryAfter.components
        let whole = max(attoseconds > 0 ? seconds.advanced(by: 1) : seconds, 1)
        self.init(status, headers: [.retryAfter: "\(whole)"], message: message)
    }
}
#endif
