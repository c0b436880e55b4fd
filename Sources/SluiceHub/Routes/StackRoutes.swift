#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import SluiceJSON
import SluiceStore
import SluiceStreams

extension HubRoutes {
    private var bodySize: Int { settings.limits.bodySize }

    /// Filter stacks, which sources and sinks name by their ids.
    var stackOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/stacks",
                id: "listStacks",
                role: .read,
                summary: "The heads of all filter stacks",
                result: .json("StackHeads"),
                schemas: Self.stackSchemas
            ) { _, _ in .json(await hub.stackHeads) },
            Operation(
                method: .post,
                path: "/stacks",
                id: "createStack",
                role: .edit,
                summary: "Stores a new filter stack",
                parameters: [.author],
                body: "Stack",
                status: .created,
                result: .json("StackHead"),
                problems: [.conflict, .contentTooLarge, .unprocessableContent, .insufficientStorage]
            ) { request, _ in
                let bytes = try await request.bytes(upTo: bodySize)
                return await created(try await hub.create(bytes, as: .stack, try request.stackOptions))
            },
            Operation(
                method: .get,
                path: "/stacks/{id}",
                id: "readStack",
                role: .read,
                summary: "The filter stack as its author wrote it",
                result: .json("Stack"),
                problems: [.notFound]
            ) { _, context in
                let stored = try hub.stored(context.parameter("id"), .stack)
                return .json(text: stored.text, revision: stored.revision)
            },
            Operation(
                method: .put,
                path: "/stacks/{id}",
                id: "replaceStack",
                role: .edit,
                summary: "Replaces a filter stack where it is used, or creates it",
                parameters: [.ifMatch, .ifNoneMatch, .author],
                body: "Stack",
                result: .json("StackHead"),
                problems: [
                    .created, .notFound, .conflict, .preconditionFailed, .contentTooLarge, .unprocessableContent,
                    .preconditionRequired, .insufficientStorage,
                ]
            ) { request, context in
                let id = try context.parameter("id")
                let options = try request.stackOptions
                if let none = request.headers[.ifNoneMatch] {
                    guard none == "*" else { throw Problem(.badRequest, "If-None-Match takes *") }
                    let bytes = try await request.bytes(upTo: bodySize)
                    return await created(try await hub.create(bytes, id: id, as: .stack, options))
                }
                let revision = try request.expectedRevision
                let bytes = try await request.bytes(upTo: bodySize)
                return await head(try await hub.replace(id, bytes, ifRevision: revision, as: .stack, options))
            },
            Operation(
                method: .delete,
                path: "/stacks/{id}",
                id: "deleteStack",
                role: .edit,
                summary: "Deletes a filter stack that no stream names",
                parameters: [.ifMatch, .author],
                status: .noContent,
                problems: [.notFound, .conflict, .preconditionFailed, .preconditionRequired, .insufficientStorage]
            ) { request, context in
                let id = try context.parameter("id")
                let options = try request.stackOptions
                try await hub.remove(id, ifRevision: request.expectedRevision, as: .stack, options)
                return Response(status: .noContent)
            },
            Operation(
                method: .post,
                path: "/stacks/{id}/plan",
                id: "planStack",
                role: .read,
                summary: "What putting a filter stack in place would do",
                body: "Stack",
                result: .json("StackPlan"),
                problems: [.notFound, .contentTooLarge, .unprocessableContent]
            ) { request, context in
                let bytes = try await request.bytes(upTo: bodySize)
                return .json(try await hub.stackPlan(context.parameter("id"), bytes).json)
            },
        ]
    }

    /// The routes of a filter stack's history.
    var stackRevisionOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/stacks/{id}/revisions",
                id: "listStackRevisions",
                role: .read,
                summary: "The history, the newest first",
                result: .json("Revisions"),
                problems: [.notFound]
            ) { _, context in try await history(of: context.parameter("id"), .stack) },
            Operation(
                method: .get,
                path: "/stacks/{id}/revisions/{revision}",
                id: "readStackRevision",
                role: .read,
                summary: "The text of a revision",
                result: .json("Stack"),
                problems: [.notFound]
            ) { _, context in
                try await revision(context.parameter("revision"), of: context.parameter("id"), .stack)
            },
            Operation(
                method: .post,
                path: "/stacks/{id}/rollback",
                id: "rollBackStack",
                role: .edit,
                summary: "Makes an older revision the newest",
                parameters: [.ifMatch, .author],
                body: "Rollback",
                result: .json("StackHead"),
                problems: [
                    .notFound, .conflict, .preconditionFailed, .contentTooLarge, .unprocessableContent,
                    .preconditionRequired, .insufficientStorage,
                ]
            ) { request, context in
                await head(try await rolledBack(context.parameter("id"), .stack, request))
            },
        ]
    }

    private func head(_ document: HubDocument) async -> Response {
        .json(await hub.stackHead(document), revision: document.stored.revision)
    }

    private func created(_ document: HubDocument) async -> Response {
        let id = document.id.addingPercentEncoding(withAllowedCharacters: .urlPathSegment) ?? document.id
        return .json(
            await hub.stackHead(document),
            status: .created,
            revision: document.stored.revision,
            headers: [.location: "/stacks/\(id)"]
        )
    }

    private static let stackSchemas: JSON.Object = [
        "Stack": [
            "type": "object",
            "description": "a filter stack: see docs/stacks.md",
            "examples": [["filters": [["retry": ["maxAttempts": 3]], ["timeout": ["seconds": 5]]]]],
        ],
        "StackHead": [
            "type": "object",
            "properties": [
                "id": ["type": "string"], "name": ["type": "string"], "description": ["type": "string"],
                "revision": ["type": "integer", "minimum": 1], "filters": ["type": "string"],
                "count": ["type": "integer", "minimum": 0], "streams": ["type": "array", "items": ["type": "string"]],
                "errors": ["type": "array", "items": ["$ref": "#/components/schemas/Error"]],
            ],
            "required": ["id", "revision", "count", "streams"],
        ],
        "StackHeads": ["type": "array", "items": ["$ref": "#/components/schemas/StackHead"]],
        "StackFinding": [
            "type": "object",
            "properties": [
                "rule": ["type": "string"], "message": ["type": "string"], "line": ["type": "integer", "minimum": 1],
                "column": ["type": "integer", "minimum": 1],
            ],
            "required": ["rule", "message"],
        ],
        "StackChange": [
            "type": "object",
            "properties": [
                "kept": ["type": "array", "items": ["type": "string"]],
                "reset": ["type": "array", "items": ["type": "string"]],
                "added": ["type": "array", "items": ["type": "string"]],
                "dropped": ["type": "array", "items": ["type": "string"]],
            ],
            "required": ["kept", "reset", "added", "dropped"],
        ],
        "StackPlan": [
            "type": "object",
            "properties": [
                "revision": ["type": "integer", "minimum": 1],
                "change": ["$ref": "#/components/schemas/StackChange"],
                "errors": ["type": "array", "items": ["$ref": "#/components/schemas/Error"]],
                "findings": ["type": "array", "items": ["$ref": "#/components/schemas/StackFinding"]],
                "dependents": ["type": "array", "items": ["$ref": "#/components/schemas/Dependent"]],
            ],
            "required": ["revision", "errors", "findings", "dependents"],
        ],
    ]
}

extension Request {
    /// The options of a write of a stack: what no longer runs with it is never kept.
    fileprivate var stackOptions: WriteOptions {
        get throws { WriteOptions(author: try writeOptions.author) }
    }
}
#endif
