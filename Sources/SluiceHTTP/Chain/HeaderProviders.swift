import HTTPTypes

/// The fields of several providers, asked one after the other.
struct HeaderProviders: HeaderProvider {
    let providers: [any HeaderProvider]

    func headers(for request: TransportRequest) async throws -> HTTPFields {
        var fields: HTTPFields = [:]
        for provider in providers {
            for field in try await provider.headers(for: request) { fields[field.name] = field.value }
        }
        return fields
    }
}
