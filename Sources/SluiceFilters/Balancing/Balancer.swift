public import Sluice

/// A load balancer that sends each call to one of several endpoints.
///
/// ```swift
/// let balancer = Balancer(.peakEWMA(), over: ["eu-1", "eu-2", "us-1"]) { host in
///     AnyNode<String, String>(host) { path in "\(host)\(path)" }
/// }
/// let text = try await balancer.process("/users")  // "eu-2/users", say
/// ```
///
/// An endpoint whose calls fail is taken out for a pause. Then a single call probes it, and no others are sent before
/// that one has ended. If all endpoints are out, calls are sent to all: a balancer never makes an outage worse. With
/// a ``SlowStart``, an endpoint that is new or returns gets its share of the calls slowly.
///
/// A ``RetryFilter`` or ``HedgeFilter`` around the balancer sends further attempts of a call to endpoints that the call
/// has not tried, as long as there are any.
///
/// Copies of a balancer share its endpoints and their statistics.
public struct Balancer<Request: Sendable, Response: Sendable>: Node, CustomStringConvertible {
    @usableFromInline let core: BalancerCore
    @usableFromInline let classify: Classifier<Request, Response>?
    private let following: Following?

    /// An object that ends the task that reads the sets when the last copy of the balancer is released.
    private final class Following: Sendable {
        let task: Task<Void, Never>
        init(_ task: Task<Void, Never>) { self.task = task }
        deinit { task.cancel() }
    }

    /// Creates a balancer over a list of endpoints.
    ///
    /// - Parameters:
    ///   - policy: The policy by which an endpoint is chosen.
    ///   - addresses: The endpoints; an address that comes twice counts once.
    ///   - accrual: The condition that takes an endpoint out.
    ///   - backoff: The time for which an endpoint stays out: at first, after a probe that failed, and so on.
    ///   - limits: The bounds within which endpoints are taken out.
    ///   - slowStart: The time in which a returning endpoint gets its full share; by default at once.
    ///   - classify: A closure that returns the class of a result; `nil`, the default, is
    ///     ``ResponseClass/of(_:)-(Result<Response,Error>)``.
    ///   - clock: The clock that measures all times.
    ///   - random: The random source for choices.
    ///   - connect: A closure that returns the node of an address. It is called once for each address, immediately.
    public init<Address: Hashable & Sendable, Endpoint: Node<Request, Response>>(
        _ policy: BalancingPolicy = .leastLoaded,
        over addresses: some Sequence<Address>,
        accrual: TripCondition = .averageSuccess().or(.consecutiveFailures()),
        backoff: Backoff = .exponential(from: .seconds(10), to: .seconds(300), jitter: .equal),
        limits: EjectionLimits = EjectionLimits(),
        slowStart: SlowStart = .none,
        classify: Classifier<Request, Response>? = nil,
        clock: any Clock<Duration> = .continuous,
        random: RandomSource = .system,
        connect: @escaping @Sendable (Address) -> Endpoint
    ) {
        core = .make(policy, accrual, backoff, limits, slowStart, clock, random, isAwaited: false)
        self.classify = classify ?? RequestSemantics<Request, Response>.classifier()
        following = nil
        Membership(core, connect).update(addresses)
    }

    /// Creates a balancer over a changing set of endpoints.
    ///
    /// Each element of `sets` is the complete set from then on. An endpoint that remains keeps its statistics; running
    /// calls on an endpoint that is removed continue. Calls wait for the first set. When the sequence ends or fails,
    /// the last set remains. The sequence is no longer read when the last copy of the balancer is released.
    ///
    /// - Parameters:
    ///   - policy: The policy by which an endpoint is chosen.
    ///   - sets: The addresses of the endpoints; one that comes twice in a set counts once.
    ///   - accrual: The condition that takes an endpoint out.
    ///   - backoff: The time for which an endpoint stays out, as for a list.
    ///   - limits: The bounds within which endpoints are taken out.
    ///   - slowStart: The time in which an endpoint that is new or returns gets its full share; by default at once.
    ///   - classify: A closure that returns the class of a result.
    ///   - clock: The clock that measures all times.
    ///   - random: The random source for choices.
    ///   - connect: A closure that returns the node of an address. It is called once for each new address, in the task
    ///     that reads `sets`.
    public init<Address: Hashable & Sendable, Sets: AsyncSequence & Sendable, Endpoint: Node<Request, Response>>(
        _ policy: BalancingPolicy = .leastLoaded,
        following sets: Sets,
        accrual: TripCondition = .averageSuccess().or(.consecutiveFailures()),
        backoff: Backoff = .exponential(from: .seconds(10), to: .seconds(300), jitter: .equal),
        limits: EjectionLimits = EjectionLimits(),
        slowStart: SlowStart = .none,
        classify: Classifier<Request, Response>? = nil,
        clock: any Clock<Duration> = .continuous,
        random: RandomSource = .system,
        connect: @escaping @Sendable (Address) -> Endpoint
    ) where Sets.Element: Sequence<Address> {
        let core = BalancerCore.make(policy, accrual, backoff, limits, slowStart, clock, random, isAwaited: true)
        self.core = core
        self.classify = classify ?? RequestSemantics<Request, Response>.classifier()
        let membership = Membership(core, connect)
        let task = Task {
            do {
                for try await set in sets { membership.update(set) }
            } catch {
                CallContext.log(.warning, "the balancer's endpoints cannot be followed any more: \(error)")
            }
            core.finish()
        }
        following = Following(task)
    }

    /// The endpoints with their statistics, in the order in which they were added.
    public var endpoints: [EndpointCounts] { core.endpoints.map(\.counts) }

    /// Sends the call to an endpoint.
    ///
    /// - Throws: ``NoEndpointsError``; the error of the endpoint.
    /// - Cancellation: cancels the endpoint's call; it says nothing about the endpoint, but its time counts. A call that is
    ///   canceled because its deadline has passed is a failure of the endpoint.
    @inlinable
    nonisolated(nonsending) public func process(_ input: Request) async throws -> Response {
        let sent: BalancerCore.Sent
        if let atOnce = core.send() {
            sent = atOnce
        } else {
            sent = try await core.waitAndSend()
        }
        // All endpoints of this balancer's core were created by its membership, which has the same types.
        let endpoint = unsafeDowncast(sent.endpoint, to: Endpoint<Request, Response>.self)
        do {
            let response = try await endpoint.node.process(input)
            core.end(sent, isFailure: isFailure(input, response))
            return response
        } catch {
            core.end(sent, isFailure: isFailure(input, error))
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
        (classify?(request, .failure(error)) ?? .of(error)).countsAsFailure ?? (core.isLate(error) ? true : nil)
    }

    /// A description such as `Balancer(peak EWMA, 3 endpoints)`.
    public var description: String { "Balancer(\(core.policy), \(core.endpoints.count) endpoints)" }
}

/// An error that indicates that there is no endpoint.
public struct NoEndpointsError: ClassifiedError, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The class ``ResponseClass/retryable(after:)``, since an endpoint may be added.
    public var responseClass: ResponseClass { .retryable() }

    /// The text `there is no endpoint to send the call to`.
    public var description: String { "there is no endpoint to send the call to" }
}

extension Balancer: StackStage {
    /// The role ``StackRole/balancer``.
    public var stackRole: StackRole { .balancer }
}
