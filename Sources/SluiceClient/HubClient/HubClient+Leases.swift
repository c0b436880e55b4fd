#if HTTP
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceRuns

/// The leases under which members of a group run streams with sinks. Each request is sent once, and takes at most half of
/// a lease.
extension HubClient {
    /// The longest time of a request under a lease.
    static let leaseTimeout = Duration.seconds(3)

    /// Asks for the lease of a stream.
    nonisolated(nonsending) func acquireLease(
        of id: String,
        in group: String,
        by member: String
    ) async throws -> LeaseAnswer {
        let body = JSON.object(["member": .string(member)]).bytes()
        return try await lease(request(.post, Self.path(group, id), body: body))
    }

    /// Extends a lease, and returns the commands that wait for its holder.
    ///
    /// - Parameter report: The state of the stream; `nil` before it is known.
    nonisolated(nonsending) func renewLease(
        _ number: Int,
        of id: String,
        in group: String,
        _ report: LeasedReport?
    ) async throws -> [LeasedOrder] {
        let text = try? report.map { try SluiceJSONEncoder().bytes($0) }
        let body = text.flatMap { $0.count <= LeasedReport.longest ? $0 : nil }
        let answer: LeaseAnswer = try await lease(request(.put, Self.path(group, id, "\(number)"), body: body))
        return answer.orders ?? []
    }

    /// Ends a lease.
    nonisolated(nonsending) func releaseLease(_ number: Int, of id: String, in group: String) async throws {
        _ = try await brief.process(request(.delete, Self.path(group, id, "\(number)")))
    }

    /// Performs a call of the store under a lease.
    nonisolated(nonsending) func call<Value: Codable & Sendable>(
        _ body: [UInt8],
        under number: Int,
        of id: String,
        in group: String
    ) async throws -> Value? {
        let answer: LeasedAnswer<Value> = try await lease(
            request(.post, Self.path(group, id, "\(number)", "calls"), body: body)
        )
        return answer.value
    }

    nonisolated(nonsending) private func lease<Answer: Decodable>(_ request: TransportRequest) async throws -> Answer {
        try Self.decode(Answer.self, of: try await brief.process(request), to: request)
    }

    private static func path(_ group: String, _ id: String, _ rest: String...) -> [String] {
        ["groups", group, "streams", id, "lease"] + rest
    }
}

extension HTTPError {
    /// A Boolean value that indicates whether the hub has answered that a lease is not valid any more.
    var endsLease: Bool { [404, 409, 412].contains(response?.status.code ?? 0) }

    /// The hub's reason, or that of the failure.
    var reason: String { problem?.detail ?? message }

    /// The reason for which the hub gives no lease, and what to do where a token has too few rights.
    var reasonForNoLease: String {
        let advice =
            response?.status == .forbidden
            ? "; start this member with a token of the role 'edit', and it runs the stream" : ""
        return "the hub gives no lease: \(reason)\(advice)"
    }
}
#endif
