#if Hub
import HTTPTypes
import Hummingbird
import SluiceJSON
import SluiceStore

extension HubRoutes {
    /// The tokens of users.
    var tokenOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/tokens",
                id: "listTokens",
                role: .admin,
                summary: "The tokens of users, without their texts",
                result: .json("Tokens"),
                hasClientMethod: true
            ) { _, _ in .json(.array(try await tokens.list().map(\.json))) },
            Operation(
                method: .post,
                path: "/tokens",
                id: "createToken",
                role: .admin,
                summary: "Creates a token; its text is in this answer alone",
                body: "TokenRequest",
                status: .created,
                result: .json("NewToken"),
                problems: [.conflict, .contentTooLarge, .unprocessableContent, .insufficientStorage],
                hasClientMethod: true
            ) { request, _ in
                let body = try await request.json(upTo: 16 << 10)
                guard let name = body["name"]?.string, let role = body["role"]?.string.flatMap({ Role(rawValue: $0) })
                else {
                    let roles = Role.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                    throw Problem(
                        .unprocessableContent,
                        "a token is {\"name\": \"…\", \"role\": …}, the role one of \(roles)"
                    )
                }
                let created = try await tokens.create(name: name, role: role)
                guard case .object(var object) = created.token.json else {
                    throw Problem(.internalServerError, "no token")
                }
                object["token"] = .string(created.text)
                return .json(.object(object), status: .created)
            },
            Operation(
                method: .delete,
                path: "/tokens/{token}",
                id: "revokeToken",
                role: .admin,
                summary: "Revokes a token and ends its sessions",
                status: .noContent,
                problems: [.notFound, .insufficientStorage],
                hasClientMethod: true
            ) { _, context in
                try await tokens.revoke(context.parameter("token"))
                return Response(status: .noContent)
            },
        ]
    }
}

extension StoredToken {
    /// The token as the API shows it, without its hash.
    fileprivate var json: JSON {
        ["name": .string(name), "role": .string(role), "created": .string(created.text)]
    }
}
#endif
