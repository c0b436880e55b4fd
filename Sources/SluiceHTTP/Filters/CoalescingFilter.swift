#if HTTP
import Foundation
public import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that sends equal concurrent requests as one.
///
/// ```swift
/// let node = CoalescingFilter().andThen(HTTPTransport())
/// async let one = node.process(request)
/// async let other = node.process(request)  // one request answers both
/// ```
///
/// GET and HEAD are shared by default. Requests are equal if their method, address, fields, body, and user are equal:
/// by default all fields, so that no user gets an answer that was meant for another. If you know the fields on which
/// the answers depend, name them. The credentials identify the user (Authorization, Proxy-Authorization, Cookie,
/// X-API-Key, and the fields of stages that add credentials); `partition` replaces them.
///
/// Put it inside the stages that add fields. An answer or an error is not shared if a stage further inside added
/// credentials to its request.
///
/// Each caller gets the whole answer. An answer whose body is longer than `maximumBodyBytes` can't be shared: the first
/// caller reads it as it arrives, and the others send requests of their own.
public struct CoalescingFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private struct Key: Hashable {
        let method: HTTPRequest.Method
        let url: String
        let fields: [[String]]
        let body: [UInt8]?
        let user: [String]
    }

    private let flights: SingleFlightFilter<TransportRequest, SharedResponse>
    private let methods: Set<HTTPRequest.Method>
    private let maximumBodyBytes: Int

    /// The number of callers that are waiting for the answer to a request, including the one that sent it.
    var waitingCount: Int { flights.waitingCount }

    /// Makes a filter with calls of its own; copies share them.
    ///
    /// - Parameters:
    ///   - methods: the methods of requests that are shared; GET and HEAD by default. Only requests whose body is in
    ///     memory are shared.
    ///   - fields: the header fields that are compared; `nil`, the default, is all of them.
    ///   - partition: a closure that returns the user of a request, or `nil` for an anonymous one; by default the
    ///     credentials identify the user.
    ///   - maximumBodyBytes: the longest body that is shared; 1 MiB by default.
    ///   - clock: the clock for the deadlines of the callers.
    public init(
        methods: Set<HTTPRequest.Method> = [.get, .head],
        comparing fields: [HTTPField.Name]? = nil,
        partition: (@Sendable (TransportRequest) -> String?)? = nil,
        maximumBodyBytes: Int = 1 << 20,
        clock: any Clock<Duration> = .continuous
    ) {
        let names = fields.map { Set($0) }
        self.maximumBodyBytes = max(maximumBodyBytes, 0)
        self.methods = methods
        flights = SingleFlightFilter(
            key: { request -> Key? in
                let compared = (names ?? Set(request.headers.map(\.name))).sorted {
                    $0.canonicalName < $1.canonicalName
                }
                return Key(
                    method: request.method,
                    url: request.url.absoluteString,
                    fields: compared.map { [$0.canonicalName] + request.headers[values: $0] },
                    body: request.body?.bytes,
                    user: partition.map { $0(request).map { [$0] } ?? [] } ?? request.identity
                )
            },
            clock: clock
        )
    }

    /// Calls `next`, or waits for the call of another caller.
    ///
    /// - Throws: the error of the shared call; ``SluiceFilters/DeadlineError`` when the deadline of this call has
    ///   passed.
    /// - Cancellation: this call ends immediately; the request continues while others wait for it.
    /// - Executor: `next` runs in a task of its own.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        guard methods.contains(request.method), request.body == nil || request.body?.bytes != nil else {
            return try await next.process(request)
        }
        let shared = try await flights.process(request, next: Collecting(next: next, limit: maximumBodyBytes))
        if let response = try shared.take() { return response }
        return try await next.process(request)
    }

    private struct Collecting<Next: Node<TransportRequest, TransportResponse>>: Node {
        let next: Next
        let limit: Int

        nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> SharedResponse {
            let response: TransportResponse
            do {
                response = try await next.process(request)
            } catch let error as HTTPError where !error.isForUser(of: request) || error.response?.setsCookies == true {
                return SharedResponse(forOne: error)
            }
            // A stage inside identified a user that is not part of the key.
            guard response.isForUser(of: request) else { return SharedResponse(forOne: response) }
            return try await SharedResponse(response, collecting: limit)
        }
    }

    /// The description `CoalescingFilter`.
    public var description: String { "CoalescingFilter" }
}

extension CoalescingFilter: ChainStage {
    /// The declaration: per hop; needs every field.
    public var declaration: StageDeclaration { StageDeclaration(.hop, needs: .all) }
    /// The role ``SluiceFilters/StackRole/singleFlight``.
    public var stackRole: StackRole { .singleFlight }
}

extension StageName {
    /// The single flight of equal concurrent calls.
    public static let deduplication = StageName("deduplication", .hop)
}

extension Filter where Self == CoalescingFilter {
    /// A filter that sends equal concurrent requests once, for the stage `deduplication`; see `CoalescingFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.deduplication, .coalescing)
    /// ```
    public static var coalescing: Self { CoalescingFilter() }
}
#endif
