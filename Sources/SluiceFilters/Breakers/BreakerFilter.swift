public import Sluice

/// Refuses calls while a ``Breaker`` is open.
///
/// ```swift
/// let breaker = Breaker(opensOn: .consecutiveFailures(5), backoff: .constant(.seconds(5)))
/// let node = BreakerFilter(breaker).andThen(users)
/// let user = try await node.process("ada")
/// ```
///
/// It stands inside of a ``RetryFilter`` and outside of the ``TimeoutFilter`` of each try, so that it sees every try
/// and counts those that took too long.
public struct BreakerFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    @usableFromInline let breaker: Breaker
    @usableFromInline let classify: Classifier<Request, Response>?

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - breaker: counts and decides; other filters may share it.
    ///   - classify: returns the class of a result; by default a ``ClassifiedRequest`` tells, and else
    ///     ``ResponseClass/of(_:)-(Result<Response,Error>)``.
    public init(_ breaker: Breaker, classify: Classifier<Request, Response>? = nil) {
        self.breaker = breaker
        self.classify = classify ?? RequestSemantics<Request, Response>.classifier()
    }

    /// Calls `next` if the breaker lets the call pass.
    ///
    /// - Throws: ``BreakerOpen``, without calling `next`; the error of `next`.
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

    /// `BreakerFilter`.
    public var description: String { "BreakerFilter" }
}

extension ResponseClass {
    /// Whether it is a failure; `nil` for what says nothing.
    @usableFromInline
    var countsAsFailure: Bool? { self == .ignorable ? nil : isFailure }
}
