#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import SluiceStreams

extension HubClient {
    /// Returns the entries of all streams, in order of creation.
    ///
    /// - Parameter text: the text to search for in names, descriptions, and ids; `nil` for all streams.
    nonisolated(nonsending) public func heads(search text: String? = nil) async throws -> [Head] {
        let query = text.map { [URLQueryItem(name: "search", value: $0)] } ?? []
        return try await send(request(.get, ["streams"], query: query))
    }

    /// Returns a document as its author wrote it, and its revision.
    ///
    /// - Parameters:
    ///   - id: The id of the stream or the filter stack.
    ///   - kind: The kind of the document.
    /// - Throws: `HTTPError` with status 404 if there is no such document.
    nonisolated(nonsending) public func document(_ id: String, as kind: Kind = .stream) async throws -> Document {
        let request = try request(.get, [kind.path, id])
        let response = try await send(request)
        guard let revision = response.headers[.eTag].flatMap(Self.revision) else {
            throw HTTPError(.badBody, "the answer has no ETag", request: request, response: response)
        }
        return Document(id: id, revision: revision, text: String(decoding: response.body.bytes ?? [], as: UTF8.self))
    }

    /// Returns the text of a document at a revision.
    nonisolated(nonsending) public func document(
        _ id: String,
        revision: Int,
        as kind: Kind = .stream
    )
        async throws -> Document
    {
        let response = try await send(request(.get, [kind.path, id, "revisions", "\(revision)"]))
        return Document(id: id, revision: revision, text: String(decoding: response.body.bytes ?? [], as: UTF8.self))
    }

    /// Stores a new document, which gets an id if it has none.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// let id = try await hub.create(#"{"stream": [{"value": 1}]}"#).id
    /// ```
    ///
    /// - Throws: ``DocumentError`` for an invalid document. If the connection breaks, the document may or may not be stored.
    @discardableResult
    nonisolated(nonsending) public func create(_ text: String, as kind: Kind = .stream) async throws -> Head {
        try await send(request(.post, [kind.path], body: Array(text.utf8)))
    }

    /// Stores a new document under an id.
    ///
    /// - Throws: ``ConflictError`` if the id exists; ``DocumentError`` for an invalid document.
    @discardableResult
    nonisolated(nonsending) public func create(
        _ text: String,
        id: String,
        as kind: Kind = .stream
    )
        async throws -> Head
    {
        try await send(request(.put, [kind.path, id], headers: [.ifNoneMatch: "*"], body: Array(text.utf8)))
    }

    /// Replaces the text of a document.
    ///
    /// - Parameters:
    ///   - id: The id of the stream or the filter stack.
    ///   - text: The new text.
    ///   - revision: The revision that the text edits. It is a conflict if the hub has another one.
    ///   - kind: The kind of the document. A stack is replaced wherever streams name it.
    /// - Throws: ``ConflictError``, with both texts and the effect of the edit on the hub's; ``DocumentError`` for an invalid
    ///   document.
    @discardableResult
    nonisolated(nonsending) public func replace(
        _ id: String,
        with text: String,
        at revision: Int,
        as kind: Kind = .stream
    )
        async throws -> Head
    {
        let headers: HTTPFields = [.ifMatch: Self.tag(revision)]
        return try await send(request(.put, [kind.path, id], headers: headers, body: Array(text.utf8)))
    }

    /// Removes a document. Its history is kept.
    ///
    /// - Throws: ``ConflictError`` if the hub has another revision; `HTTPError` with status 409 for a filter stack that
    ///   streams name.
    nonisolated(nonsending) public func delete(_ id: String, at revision: Int, as kind: Kind = .stream) async throws {
        _ = try await send(request(.delete, [kind.path, id], headers: [.ifMatch: Self.tag(revision)]))
    }

    /// Returns the revisions of a document, the newest first.
    nonisolated(nonsending) public func history(of id: String, as kind: Kind = .stream) async throws -> [Revision] {
        try await send(request(.get, [kind.path, id, "revisions"]))
    }

    /// Stores the text of an older revision as a new one.
    ///
    /// - Parameters:
    ///   - id: The id of the stream or the filter stack.
    ///   - older: The revision to restore.
    ///   - revision: The current revision.
    ///   - kind: The kind of the document.
    /// - Throws: ``ConflictError`` if the hub has another revision.
    @discardableResult
    nonisolated(nonsending) public func rollback(
        _ id: String,
        to older: Int,
        at revision: Int,
        as kind: Kind = .stream
    ) async throws -> Head {
        let body = JSON.object(["revision": JSON(older)]).bytes()
        let headers: HTTPFields = [.ifMatch: Self.tag(revision)]
        return try await send(request(.post, [kind.path, id, "rollback"], headers: headers, body: body))
    }

    /// Returns the errors of a document; empty if it is valid. The document is not stored.
    nonisolated(nonsending) public func check(_ text: String) async throws -> [Issue] {
        struct Answer: Decodable { let errors: [Issue] }
        return try await send(request(.post, ["check"], body: Array(text.utf8)), as: Answer.self).errors
    }

    /// Returns the effect of replacing a stream's text. The text is not stored.
    nonisolated(nonsending) public func plan(of id: String, replacedWith text: String) async throws -> Plan {
        try await send(request(.post, ["streams", id, "plan"], body: Array(text.utf8)))
    }

    /// Returns the revision in the form of ETag and If-Match: `"4"`.
    static func tag(_ revision: Int) -> String { "\"\(revision)\"" }

    /// Returns the revision of an ETag; `nil` if it has no revision.
    static func revision(_ tag: String) -> Int? {
        let text = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        guard text.count > 2, text.first == "\"", text.last == "\"" else { return nil }
        return Int(text.dropFirst().dropLast())
    }
}
#endif
