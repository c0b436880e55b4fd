#if Hub
import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON
import SluiceRuns

extension HubRoutes {
    /// The leases under which members of groups run streams with sinks.
    ///
    /// A member stores the requests of its deliveries. When the hub takes the stream back, it repeats them, with the secrets
    /// that they name. So a lease needs the role `edit`, which may store documents with the same requests.
    var leaseOperations: [Operation] {
        [
            Operation(
                method: .post,
                path: "/groups/{group}/streams/{id}/lease",
                id: "acquireLease",
                role: .edit,
                summary: "Gives a member the lease of a stream, or names its holder",
                body: "LeaseRequest",
                result: .json("Lease"),
                problems: [
                    .notFound, .contentTooLarge, .unprocessableContent, .serviceUnavailable, .insufficientStorage,
                ],
                schemas: Self.leaseSchemas
            ) { request, context in
                guard let member = try await request.json(upTo: 16 << 10)["member"]?.string else {
                    throw Problem(.unprocessableContent, "a request for a lease is {\"member\": \"…\"}")
                }
                let (group, id) = (try context.parameter("group"), try context.parameter("id"))
                return try .json(of: try await hub.acquireLease(of: id, in: group, by: member))
            },
            Operation(
                method: .put,
                path: "/groups/{group}/streams/{id}/lease/{lease}",
                id: "renewLease",
                role: .edit,
                summary: "Extends a lease, and reports the state of the stream",
                body: "LeasedReport",
                isBodyRequired: false,
                result: .json("Lease"),
                problems: [
                    .notFound, .preconditionFailed, .contentTooLarge, .unprocessableContent, .serviceUnavailable,
                ]
            ) { request, context in
                let (group, id) = (try context.parameter("group"), try context.parameter("id"))
                let body = try await request.bytes(upTo: LeasedReport.longest)
                var report: LeasedReport?
                if !body.isEmpty {
                    do { report = try SluiceJSONDecoder().decode(LeasedReport.self, from: body) } catch {
                        throw Problem(.unprocessableContent, "the report can't be read: \(error)")
                    }
                }
                return try .json(of: try await hub.renewLease(try lease(context), of: id, in: group, report))
            },
            Operation(
                method: .delete,
                path: "/groups/{group}/streams/{id}/lease/{lease}",
                id: "releaseLease",
                role: .edit,
                summary: "Ends a lease, so that another member can have it at once",
                status: .noContent,
                problems: [.notFound, .preconditionFailed, .serviceUnavailable, .insufficientStorage]
            ) { _, context in
                let (group, id) = (try context.parameter("group"), try context.parameter("id"))
                try await hub.releaseLease(try lease(context), of: id, in: group)
                return Response(status: .noContent)
            },
            Operation(
                method: .post,
                path: "/groups/{group}/streams/{id}/lease/{lease}/calls",
                id: "callStore",
                role: .edit,
                summary: "Reads what is stored of a stream, or stores what its run does, under a lease",
                body: "LeasedCall",
                result: .json("LeasedAnswer"),
                problems: [
                    .notFound, .conflict, .preconditionFailed, .contentTooLarge, .unprocessableContent,
                    .serviceUnavailable, .insufficientStorage,
                ]
            ) { request, context in
                // A commit has a checkpoint and a batch of outputs, as texts in JSON.
                let limit = 2 * (settings.limits.stateSize + settings.limits.backlogSize)
                let body = try await request.bytes(upTo: limit)
                let call: LeasedRequest
                do { call = try SluiceJSONDecoder().decode(LeasedRequest.self, from: body) } catch {
                    throw Problem(.unprocessableContent, "the call can't be read: \(error)")
                }
                let (group, id) = (try context.parameter("group"), try context.parameter("id"))
                let answer = try await hub.perform(call, under: try lease(context), of: id, in: group)
                return .json(bytes: ByteBuffer(bytes: answer))
            },
        ]
    }

    /// Returns the number of the lease that a path names.
    private func lease(_ context: HubRequestContext) throws -> Int {
        let text = try context.parameter("lease")
        guard let number = Int(text) else {
            throw Problem(.notFound, "there is no lease '\(Problem.shown(text))': it has a number")
        }
        return number
    }

    private static let leaseSchemas: JSON.Object = [
        "LeaseRequest": [
            "type": "object", "properties": ["member": ["type": "string"]], "required": ["member"],
        ],
        "Lease": [
            "type": "object",
            "properties": [
                "number": ["type": "integer"], "seconds": ["type": "number"], "reason": ["type": "string"],
                "cursor": ["type": "string"],
                "orders": [
                    "type": "array",
                    "items": [
                        "type": "object",
                        "properties": ["number": ["type": "integer"], "command": ["type": "object"]],
                        "required": ["number", "command"],
                    ],
                ],
            ],
            "required": ["seconds"],
        ],
        "LeasedCall": [
            "type": "object",
            "properties": ["write": ["type": "integer"], "call": ["type": "object"]],
            "required": ["call"],
        ],
        "LeasedAnswer": ["type": "object"], "LeasedReport": ["type": "object"],
    ]
}

extension Response {
    fileprivate static func json(of answer: LeaseAnswer) throws -> Response {
        .json(bytes: ByteBuffer(bytes: try SluiceJSONEncoder().bytes(answer)))
    }
}
#endif
