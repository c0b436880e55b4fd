#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import SluiceJSON
import SluiceStore
import SluiceStreams

extension HubRoutes {
    private var bodySize: Int { settings.limits.bodySize }

    /// Streams as they are stored.
    var streamOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/streams",
                id: "listStreams",
                role: .read,
                summary: "The heads of all streams",
                parameters: [
                    .init(
                        name: "search",
                        location: .query,
                        text: "only streams whose name, description, or id contains this text"
                    ),
                    .knownList,
                ],
                result: .json("Heads"),
                problems: [.notModified]
            ) { request, _ in
                guard let search = request.uri.queryParameters["search"] else {
                    return .list(await hub.list.text(of: hub), of: hub.around.bus.hub, to: request)
                }
                return .json(.array(await hub.heads(String(search))))
            },
            Operation(
                method: .post,
                path: "/streams",
                id: "createStream",
                role: .edit,
                summary: "Stores a new document",
                parameters: [.dependents, .author],
                body: "Document",
                status: .created,
                result: .json("Head"),
                problems: [.conflict, .contentTooLarge, .unprocessableContent, .insufficientStorage]
            ) { request, _ in
                let document = try await hub.create(try await request.bytes(upTo: bodySize), request.writeOptions)
                return await created(document)
            },
            Operation(
                method: .get,
                path: "/streams/{id}",
                id: "readStream",
                role: .read,
                summary: "The document as its author wrote it",
                result: .json("Document"),
                problems: [.notFound]
            ) { _, context in
                let stored = try hub.stored(context.parameter("id"))
                return .json(text: stored.text, revision: stored.revision)
            },
            Operation(
                method: .put,
                path: "/streams/{id}",
                id: "replaceStream",
                role: .edit,
                summary: "Replaces a document, or creates it",
                parameters: [.ifMatch, .ifNoneMatch, .dependents, .references, .author],
                body: "Document",
                result: .json("Head"),
                problems: [
                    .created, .notFound, .conflict, .preconditionFailed, .contentTooLarge, .unprocessableContent,
                    .preconditionRequired, .insufficientStorage,
                ]
            ) { request, context in
                let id = try context.parameter("id")
                if let none = request.headers[.ifNoneMatch] {
                    guard none == "*" else { throw Problem(.badRequest, "If-None-Match takes *") }
                    let bytes = try await request.bytes(upTo: bodySize)
                    return await created(try await hub.create(bytes, id: id, request.writeOptions))
                }
                let document = try await hub.replace(
                    id,
                    try await request.bytes(upTo: bodySize),
                    ifRevision: request.expectedRevision,
                    request.writeOptions
                )
                return await head(document)
            },
            Operation(
                method: .delete,
                path: "/streams/{id}",
                id: "deleteStream",
                role: .edit,
                summary: "Deletes a stream and its run",
                parameters: [.ifMatch, .dependents, .author],
                status: .noContent,
                problems: [.notFound, .conflict, .preconditionFailed, .preconditionRequired, .insufficientStorage]
            ) { request, context in
                let id = try context.parameter("id")
                try await hub.remove(id, ifRevision: request.expectedRevision, request.writeOptions)
                return Response(status: .noContent)
            },
        ]
    }

    /// The routes of a stream's history.
    var revisionOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/streams/{id}/revisions",
                id: "listRevisions",
                role: .read,
                summary: "The history, the newest first",
                result: .json("Revisions"),
                problems: [.notFound]
            ) { _, context in
                let id = try context.parameter("id")
                return try await history(of: id, .stream)
            },
            Operation(
                method: .get,
                path: "/streams/{id}/revisions/{revision}",
                id: "readRevision",
                role: .read,
                summary: "The text of a revision",
                result: .json("Document"),
                problems: [.notFound]
            ) { _, context in
                try await revision(context.parameter("revision"), of: context.parameter("id"), .stream)
            },
            Operation(
                method: .get,
                path: "/streams/{id}/revisions/{revision}/plan",
                id: "planRevision",
                role: .read,
                summary: "The changes of a revision: its difference from the one before it",
                result: .json("RevisionPlan"),
                problems: [.notFound]
            ) { _, context in
                .json(try await planned(context.parameter("revision"), of: context.parameter("id")))
            },
            Operation(
                method: .post,
                path: "/streams/{id}/rollback",
                id: "rollBack",
                role: .edit,
                summary: "Makes an older revision the newest",
                parameters: [.ifMatch, .dependents, .author],
                body: "Rollback",
                result: .json("Head"),
                problems: [
                    .notFound, .conflict, .preconditionFailed, .contentTooLarge, .unprocessableContent,
                    .preconditionRequired, .insufficientStorage,
                ]
            ) { request, context in
                await head(try await rolledBack(context.parameter("id"), .stream, request))
            },
        ]
    }

    /// The routes that check and describe documents, stored or not.
    var documentOperations: [Operation] {
        [
            Operation(
                method: .post,
                path: "/check",
                id: "check",
                role: .read,
                summary: "What is wrong with a document",
                body: "Document",
                result: .json("Check"),
                problems: [.contentTooLarge]
            ) { request, _ in
                let bytes = try await request.bytes(upTo: bodySize)
                var answer: JSON.Object = ["errors": .array(try await hub.check(bytes).map(\.json))]
                let fields = try await hub.fieldNames(bytes)
                let findings = try await hub.findings(bytes)
                if !findings.isEmpty { answer["findings"] = .array(findings.map(\.json)) }
                if !fields.isEmpty {
                    var object: JSON.Object = [:]
                    for (path, names) in fields.sorted(by: { $0.key < $1.key }) {
                        object[path] = .array(names.map { .string($0) })
                    }
                    answer["fields"] = .object(object)
                }
                return .json(.object(answer))
            },
            Operation(
                method: .post,
                path: "/streams/{id}/plan",
                id: "plan",
                role: .read,
                summary: "What putting a document in place would do",
                body: "Document",
                result: .json("Plan"),
                problems: [.notFound, .contentTooLarge, .unprocessableContent]
            ) { request, context in
                let bytes = try await request.bytes(upTo: bodySize)
                return .json(try await hub.plan(context.parameter("id"), bytes).json)
            },
            Operation(
                method: .post,
                path: "/picture",
                id: "picture",
                role: .read,
                summary: "The run of a document in virtual time",
                parameters: [
                    .init(
                        name: "format",
                        location: .query,
                        text: "json, or svg for a picture",
                        schema: ["type": "string", "enum": ["json", "svg"]]
                    )
                ],
                body: "PictureRequest",
                result: .json("Picture"),
                problems: [.contentTooLarge, .unprocessableContent]
            ) { request, _ in try await picture(request) },
            Operation(
                method: .get,
                path: "/export",
                id: "export",
                role: .read,
                summary: "All documents",
                result: .json("Documents")
            ) { _, _ in
                let texts = await hub.all.map(\.stored.text)
                return .json(text: "[" + texts.joined(separator: ",\n") + "]")
            },
            Operation(
                method: .post,
                path: "/import",
                id: "import",
                role: .edit,
                summary: "Adds documents, all or none",
                parameters: [.dependents, .author],
                body: "Documents",
                status: .created,
                result: .json("Heads"),
                problems: [.conflict, .contentTooLarge, .unprocessableContent, .insufficientStorage]
            ) { request, _ in
                let bytes = try await request.bytes(upTo: settings.limits.importSize)
                let documents = try await hub.importAll(bytes, request.writeOptions)
                var heads: [JSON] = []
                for document in documents { heads.append(await hub.head(document)) }
                return .json(.array(heads), status: .created)
            },
        ]
    }

    private func picture(_ request: Request) async throws -> Response {
        let bytes = try await request.bytes(upTo: bodySize)
        let root = try JSONDocument(parsing: bytes).root
        guard let node = root["document"] else {
            throw Problem(.unprocessableContent, "a picture is of {\"document\": …, \"until\": SECONDS}")
        }
        var limit: StreamTime?
        if let until = root["until"], !until.isNull {
            guard let seconds = until.double, let time = StreamTime(seconds: seconds) else {
                throw Problem(.unprocessableContent, "\"until\" is a number of seconds from 0")
            }
            limit = time
        }
        var skipped = 0
        if let after = root["after"], !after.isNull {
            guard let count = after.int, (0...PictureRun.skipped).contains(count) else {
                throw Problem(.unprocessableContent, "\"after\" is a number of marks from 0 to \(PictureRun.skipped)")
            }
            skipped = count
        }
        let format = request.uri.queryParameters["format"] ?? "json"
        guard format == "json" || format == "svg" else { throw Problem(.badRequest, "format is json or svg") }
        let run = try await hub.picture(Array(JSONSlice(node).text.utf8), until: limit, skipping: skipped)
        guard format == "svg" else { return .json(run.json) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "image/svg+xml", .cacheControl: "no-store",
                // It is a document of its own where it is opened: nothing in it runs or loads.
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            ],
            body: ResponseBody(byteBuffer: .init(string: run.picture.svg()))
        )
    }

    private func head(_ document: HubDocument) async -> Response {
        .json(await hub.head(document), revision: document.stored.revision)
    }

    private func created(_ document: HubDocument) async -> Response {
        let id = document.id.addingPercentEncoding(withAllowedCharacters: .urlPathSegment) ?? document.id
        return .json(
            await hub.head(document),
            status: .created,
            revision: document.stored.revision,
            headers: [.location: "/streams/\(id)"]
        )
    }
}

extension CharacterSet {
    /// The characters that need no percent encoding in a segment of a path.
    static let urlPathSegment = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
#endif
