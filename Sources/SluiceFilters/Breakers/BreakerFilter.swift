public import Sluice

/// A filter that rejects calls while a ``Breaker`` is open.
///
/// ```swift
/// let breaker = Breaker(opensOn: .consecutiveFailures(5), backoff: .constant(.seconds(5)))
/// let node = BreakerFilter(breaker).andThen(users)
/// let user = try await node.process("ada")
/// ```
///
/// Place it inside of a ``RetryFilter`` and outside of the ``TimeoutFilter`` of each attempt, so that it sees every
/// attempt and counts those that took too long.
public struct BreakerFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    @usableFromInline let breaker: Breaker
    @usableFromInline let classify: Classifier<Request, Response>?

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - breaker: The breaker, which other filters may share.
    ///   - classify: A closure that returns the class of a result; by default that of a ``ClassifiedRequest``,
    ///     otherwise ``ResponseClass/of(_:)-(Result<Response,Error>)``.
    public init(_ breaker: Breaker, classify: Classifier<Request, Response>? = nil) {
        self.breaker = breaker
        self.classify = classify ?? RequestSemantics<Request, Response>.classifier()
    }

    /// Calls `next` if the breaker lets the call pass.
    ///
    /// - Throws: ``BreakerOpenError``, without calling `next`; the error of `next`.
    /// - Cancellation: cancels `next`; a canceled call is not counted, and its place as a probe is free again. A call that is
    ///   canceled because its deadline has passed is a failure.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let pass = try breaker.enter()
        do {
            let response = try await next.process(request)
            breaker.leave(pass, isFailure: isFailure(request, response))
            return response
        } catch {
            breaker.leave(pass, isFailure: isFailure(request, error))
            throw error
        }
    }

    @inlinable
    func isFailure(_ request: Request, _ response: Response) -> Bool? {
        guard let classify else { return false }
        return classify(request, .success(response)).countsAsFailure
    }

    @inlinable
    func isFailure(_ request: Request, _ error: any Error) -> Bool? {
        (classify?(request, .failure(error)) ?? .of(error)).countsAsFailure ?? (breaker.isLate(error) ? true : nil)
    }

    /// The text `BreakerFilter`.
    public var description: String { "BreakerFilter" }
}

extension ResponseClass {
    /// A Boolean value that indicates whether it is a failure; `nil` for a result that says nothing.
    @usableFromInline
    var countsAsFailure: Bool? { self == .ignorable ? nil : isFailure }
}
