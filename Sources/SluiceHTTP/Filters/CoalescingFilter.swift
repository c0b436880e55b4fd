import Foundation
public import HTTPTypes
public import Sluice
public import SluiceFilters

/// Makes one request out of all equal ones that run at the same time.
///
/// ```swift
/// let node = CoalescingFilter().andThen(HTTPTransport())
/// async let one = node.process(request)
/// async let other = node.process(request)  // one request answers both
/// ```
///
/// GET and HEAD are shared by default. Requests are equal if their method, address, fields, body, and user are: by
/// default all fields, so that nobody gets an answer that was meant for another. If you know the fields that the answers
/// depend on, name them. The user is known by the credentials (Authorization, Proxy-Authorization, Cookie, X-API-Key, and
/// the fields of stages that add credentials); `partition` replaces them.
///
/// Put it inside of the stages that add fields. An answer to a request to which a stage further inside added credentials
/// is not shared.
///
/// Each caller gets the whole answer. One whose body is longer than `maximumBodyBytes` cannot be kept for several: the
/// first caller reads it as it arrives, the others send requests of their own.
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

    /// The number of callers that wait for the answer to a request, the one that sent it included.
    var waitingCount: Int { flights.waitingCount }

    /// Makes a filter with calls of its own; copies share them.
    ///
    /// - Parameters:
    ///   - methods: the methods of requests that are shared; GET and HEAD by default. Requests whose body is not in
    ///     memory are not.
    ///   - fields: the header fields in which equal requests are equal; `nil`, the default, is all of them.
    ///   - partition: the user of a request, `nil` for nobody; by default its credentials.
    ///   - maximumBodyBytes: the longest body that is shared; 1 MiB by default.
    ///   - clock: measures the deadlines of the callers.
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

    /// Calls `next`, or waits for the call of another.
    ///
    /// - Throws: the error of the shared call; ``SluiceFilters/DeadlineExceeded`` when the deadline of this call has
    ///   passed.
    /// - Cancellation: this call ends at once; the request goes on while others wait for it.
    /// - Executor: `next` runs in a task of its own.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        guard methods.contains(request.method), request.body == nil || request.body?.bytes != nil else {
            return try await next.process(request)
        }
        let shared = try await flights.process(request, next: Collecting(next: next, limit: maximumBodyBytes))
        if let response = shared.take() { return response }
        return try await next.process(request)
    }

    private struct Collecting<Next: Node<TransportRequest, TransportResponse>>: Node {
        let next: Next
        let limit: Int

        nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> SharedResponse {
            let response = try await next.process(request)
            // A stage inside identified a user whom the key does not hold.
            guard response.isForUser(of: request) else { return SharedResponse(forOne: response) }
            return try await SharedResponse(response, collecting: limit)
        }
    }

    /// `CoalescingFilter`.
    public var description: String { "CoalescingFilter" }
}

extension CoalescingFilter: ChainStage {
    /// Per hop; it needs every field.
    public var declaration: StageDeclaration { StageDeclaration(.hop, needs: .all) }
    /// ``SluiceFilters/StackRole/singleFlight``.
    public var stackRole: StackRole { .singleFlight }
}
