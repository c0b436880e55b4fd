#if HTTP
import Foundation
import HTTPTypes
public import SluiceJSON

// Generated from the routes of the hub: `bin/generate --docs` updates this file.

extension HubClient {
    /// Sends `GET /tokens`: the tokens of users, without their texts.
    ///
    /// - Throws: `HTTPError` if the hub rejects the request.
    nonisolated(nonsending) public func listTokens() async throws -> JSON {
        try await send(request(.get, ["tokens"]))
    }

    /// Sends `POST /tokens`: creates a token; its text is in this answer alone.
    ///
    /// - Throws: `HTTPError` if the hub rejects the request.
    nonisolated(nonsending) public func createToken(_ body: JSON) async throws -> JSON {
        try await send(request(.post, ["tokens"], body: Array(body.text().utf8)))
    }

    /// Sends `DELETE /tokens/{token}`: revokes a token and ends its sessions.
    ///
    /// - Throws: `HTTPError` if the hub rejects the request.
    nonisolated(nonsending) public func revokeToken(_ token: String) async throws {
        _ = try await send(request(.delete, ["tokens", token]))
    }
}
#endif
