#if Hub
import Hummingbird
import SluiceJSON
import SluiceStore

/// The history of a document, of any kind.
extension HubRoutes {
    /// Returns the revisions of a document, the newest first.
    func history(of id: String, _ kind: DocumentKind) async throws -> Response {
        if await hub.isOther(id, than: kind) { throw Problem.none(id, kind) }
        let history = try await hub.around.store.history(of: id)
        guard !history.isEmpty else { throw Problem.none(id, kind) }
        return .json(
            .array(
                history.map { revision in
                    var object: JSON.Object = ["revision": .int(Int64(revision.revision))]
                    object["time"] = revision.time.map { .string($0.text) }
                    object["author"] = revision.author.map(JSON.string)
                    object["name"] = revision.name.map(JSON.string)
                    object["isDeleted"] = .bool(revision.isRemoved)
                    return .object(object)
                }
            )
        )
    }

    /// Returns the text of a revision.
    func revision(_ number: String, of id: String, _ kind: DocumentKind) async throws -> Response {
        if await hub.isOther(id, than: kind) { throw Problem.none(id, kind) }
        guard let revision = Int(number), revision > 0,
            let stored = try await hub.around.store.revision(revision, of: id)
        else { throw Problem.noRevision(String(number.prefix(20)), of: id, kind) }
        return .json(text: stored.text, revision: stored.revision)
    }

    /// Returns the difference of a revision of a stream from the one before it, as a plan; the first one has no steps.
    func planned(_ number: String, of id: String) async throws -> JSON {
        if await hub.isOther(id, than: .stream) { throw Problem.none(id, .stream) }
        let store = hub.around.store
        guard let revision = Int(number), revision > 0, let new = try await store.revision(revision, of: id) else {
            throw Problem.noRevision(String(number.prefix(20)), of: id, .stream)
        }
        guard revision > 1, let old = try await store.revision(revision - 1, of: id) else {
            return ["keepsAll": true, "isEnded": false, "steps": []]
        }
        return try await hub.plan(id, from: Array(old.text.utf8), to: Array(new.text.utf8)).json
    }

    /// Makes an older revision the newest.
    func rolledBack(_ id: String, _ kind: DocumentKind, _ request: Request) async throws -> HubDocument {
        let expected = try request.expectedRevision
        guard let revision = try await request.json(upTo: settings.limits.bodySize)["revision"]?.int, revision > 0
        else {
            throw Problem(.unprocessableContent, "a rollback is {\"revision\": N}")
        }
        guard let stored = try await hub.around.store.revision(revision, of: id) else {
            throw Problem.noRevision("\(revision)", of: id, kind)
        }
        var options = try request.writeOptions
        if kind == .stack { options = WriteOptions(author: options.author) }
        return try await hub.replace(id, Array(stored.text.utf8), ifRevision: expected, as: kind, options)
    }
}

extension Problem {
    fileprivate static func noRevision(_ number: String, of id: String, _ kind: DocumentKind) -> Problem {
        Problem(.notFound, "the \(kind == .stream ? "stream" : "stack") '\(shown(id))' has no revision \(number)")
    }
}
#endif
