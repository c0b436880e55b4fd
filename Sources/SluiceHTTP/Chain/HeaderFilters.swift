#if HTTP
import HTTPTypes
import Sluice
import SluiceFilters

/// A filter that adds the fields of several providers in order, each for its own origins.
struct HeaderFilters: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let filters: [HeaderFilter]

    init(_ filters: [HeaderFilter]) { self.filters = filters }

    nonisolated(nonsending) func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        var request = request
        for filter in filters { request = try await filter.adding(to: request) }
        var response = try await next.process(request)
        response.noteSent(request)
        return response
    }

    var description: String { "HeaderFilter" }
}

extension HeaderFilters: ChainStage {
    var declaration: StageDeclaration {
        StageDeclaration(filters.first?.purpose == .attempt ? .attempt : .hop, adds: .unknown)
    }

    var stackRole: StackRole {
        if filters.contains(where: { $0.purpose == .user }) { return .credentials }
        return filters.first?.stackRole ?? .other
    }
}
#endif
