#if HTTP
public import SluiceFilters

extension RetryFilter {
    /// Creates a filter that makes up to `attempt` attempts: ServiceSwift's spelling of `init(maxAttempts:)`.
    public init(attempt: Int) { self.init(maxAttempts: attempt) }
}
#endif
