#if HTTP
package import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP

extension ConnectSettings {
    /// Returns the body of the answer of an address, which is requested once, under the rules of sources.
    ///
    /// - Throws: `HTTPError` for an address that is not allowed or can't be reached, for a status from 400, and for a body of
    ///   more than `maximumByteCount` bytes.
    package nonisolated(nonsending) func sample(
        of address: URL,
        maximumByteCount: Int,
        within seconds: Duration = .seconds(30),
        clock: any Clock<Duration> = .continuous
    ) async throws -> [UInt8] {
        let egress = Egress(allowedHosts, resolver: resolver, body: .whole(upTo: maximumByteCount))
        let chain = StatusFilter().andThen(RedirectFilter(.follow(atMost: 10)))
            .andThen(CallTimeoutFilter(seconds, of: .total, clock: clock)).andThen(egress)
        var request = TransportRequest(.get, address)
        request.headers[.accept] = "application/json, application/x-ndjson;q=0.9, */*;q=0.1"
        return try await chain.process(request).body.bytes ?? []
    }
}
#endif
