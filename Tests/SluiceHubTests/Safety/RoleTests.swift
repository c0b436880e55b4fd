#if Hub
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import Testing

@testable import SluiceHub

/// The rights of tokens, over all routes.
@Suite struct RoleTests {
    /// The role that each route needs; `nil` for one that needs no token. A route that is not listed needs at least
    /// `read` if it reads, and `edit` otherwise.
    static let roles: [String: Role?] = [
        "listStreams": .read, "createStream": .edit, "readStream": .read, "replaceStream": .edit,
        "deleteStream": .edit, "listRevisions": .read, "readRevision": .read, "planRevision": .read, "rollBack": .edit,
        "check": .read,
        "plan": .read, "picture": .read, "export": .read, "import": .edit, "readRun": .read, "startRun": .run,
        "stopRun": .run, "resumeRun": .run, "pauseRun": .run, "stepRun": .run, "resetRun": .run, "changeSpeed": .run,
        "readOutput": .read, "subscribe": .read, "subscribeToStream": .read, "readItems": .read, "readStates": .read,
        "listGroups": .read, "readGroup": .read,
        "createGroup": .edit, "deleteGroup": .edit, "giveStream": .edit, "takeStream": .edit,
        "subscribeToGroup": .read, "report": .run, "leave": .run, "health": nil, "metrics": .read, "overview": .read,
        "listWorkers": .read, "drainWorker": .run, "undrainWorker": .run,
        "catalog": .read, "schema": .read, "openAPI": .read, "logIn": nil, "logOut": .read,
        "listTokens": .admin, "createToken": .admin, "revokeToken": .admin, "postToWebhook": nil,
        "listSinks": .read, "retrySink": .run, "skipSink": .run, "listDeadLetters": .read, "readDeadLetter": .read,
        "resendDeadLetter": .run, "dropDeadLetter": .run, "acquireLease": .edit, "renewLease": .edit,
        "releaseLease": .edit,
        "callStore": .edit, "listStacks": .read, "createStack": .edit,
        "readStack": .read, "replaceStack": .edit, "deleteStack": .edit, "planStack": .read,
        "listStackRevisions": .read, "readStackRevision": .read, "rollBackStack": .edit,
    ]

    private func hub() async throws -> Hub {
        var settings = HubSettings()
        settings.token = TokenTests.token
        return try await Hub([Document.items("x", [1])], settings: settings)
    }

    @Test func everyRouteDeclaresItsRole() async throws {
        let hub = try await hub()
        let operations = hub.routes.operations
        #expect(Set(Self.roles.keys).subtracting(operations.map(\.id)).isEmpty)
        for operation in operations {
            if let role = Self.roles[operation.id] {
                #expect(operation.role == role, "\(operation.id)")
            } else {
                let role = try #require(operation.role, "\(operation.id) is open to all")
                #expect(role >= (operation.method == .get ? .read : .edit), "\(operation.id)")
            }
            #expect((operation.role == nil) == Access.isOpen(operation.method, operation.path), "\(operation.id)")
        }
    }

    @Test(arguments: Role.allCases)
    func eachRoleReachesItsRoutesAlone(_ role: Role) async throws {
        let hub = try await hub()
        let token = RandomToken.make()
        let headers = ["Authorization": "Bearer \(token)", "If-Match": "\"1\""]
        for operation in hub.routes.operations {
            // The route may revoke the token.
            let named = Access.NamedToken(name: "ada", role: role, hash: SHA256.hash(Array(token.utf8)))
            hub.routes.access.replaceTokens([named], reading: hub.routes.access.beginReading())
            guard operation.result != .events else { continue }
            let answer = try await hub.ask(operation.method, operation.example, "{}", headers)
            let isAllowed = operation.role.map { $0 <= role } ?? true
            #expect((answer.status == .forbidden) == !isAllowed, "\(operation.id): \(answer.status)")
            if operation.id != "logIn" { #expect(answer.status != .unauthorized, "\(operation.id)") }
        }
    }

    @Test func rolesIncludeEachOther() {
        #expect(Role.allCases == [.read, .run, .edit, .admin])
        #expect(Role.allCases == Role.allCases.sorted())
    }
}
#endif
