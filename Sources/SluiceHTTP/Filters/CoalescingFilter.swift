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
/// Shared are GET and HEAD without a body whose address and fields are equal: by default all fields, so that nobody gets
/// what was meant for another. Where you know which fields the answers depend on, name them, with those for credentials
/// among them.
///
/// Each caller gets the whole answer. One whose body is longer than `maximumBodyBytes` cannot be kept for several: the
/// first caller reads it as it arrives, the others send requests of their own.
public struct CoalescingFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private struct Key: Hashable {
        let method: HTTPRequest.Method
        let url: String
        let fields: [[String]]
    }

    private let flights: SingleFlightFilter<TransportRequest, SharedResponse>
    private let maximumBodyBytes: Int

    /// The number of callers that wait for the answer to a request, the one that sent it included.
    var waitingCount: Int { flights.waitingCount }

    /// Makes a filter with calls of its own; copies share them.
    ///
    /// - Parameters:
    ///   - fields: the header fields in which equal requests are equal; `nil`, the default, is all of them.
    ///   - maximumBodyBytes: the longest body that is shared; 1 MiB by default.
    ///   - clock: measures the deadlines of the callers.
    public init(
        comparing fields: [HTTPField.Name]? = nil,
        maximumBodyBytes: Int = 1 << 20,
        clock: any Clock<Duration> = .continuous
    ) {
        let names = fields.map { Set($0) }
        self.maximumBodyBytes = max(maximumBodyBytes, 0)
        flights = SingleFlightFilter(
            key: { request -> Key? in
                guard request.method == .get || request.method == .head, request.body == nil else { return nil }
                let compared = (names ?? Set(request.headers.map(\.name))).sorted {
                    $0.canonicalName < $1.canonicalName
                }
                return Key(
                    method: request.method,
                    url: request.url.absoluteString,
                    fields: compared.map { [$0.canonicalName] + request.headers[values: $0] }
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
        guard request.method == .get || request.method == .head, request.body == nil else {
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
            try await SharedResponse(try await next.process(request), collecting: limit)
        }
    }

    /// `CoalescingFilter`.
    public var description: String { "CoalescingFilter" }
}

extension CoalescingFilter: StackStage {
    /// ``SluiceFilters/StackRole/singleFlight``.
    public var stackRole: StackRole { .singleFlight }
}
