import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import SluiceStreams

extension HubClient {
    /// The heads of all streams, in the order in which they came to the hub.
    ///
    /// - Parameter text: what the name, the description or the id contains; `nil` for all streams.
    nonisolated(nonsending) public func heads(search text: String? = nil) async throws -> [Head] {
        let query = text.map { [URLQueryItem(name: "search", value: $0)] } ?? []
        return try await send(request(.get, ["streams"], query: query))
    }

    /// The document of a stream as its author wrote it, and its revision.
    ///
    /// - Throws: `HTTPError` with status 404 where there is none.
    nonisolated(nonsending) public func document(_ id: String) async throws -> Document {
        let request = try request(.get, ["streams", id])
        let response = try await send(request)
        guard let revision = response.headers[.eTag].flatMap(Self.revision) else {
            throw HTTPError(.badBody, "the answer has no ETag", request: request, response: response)
        }
        return Document(id: id, revision: revision, text: String(decoding: response.body.bytes ?? [], as: UTF8.self))
    }

    /// The text that a stream had at a revision.
    nonisolated(nonsending) public func document(_ id: String, revision: Int) async throws -> Document {
        let response = try await send(request(.get, ["streams", id, "revisions", "\(revision)"]))
        return Document(id: id, revision: revision, text: String(decoding: response.body.bytes ?? [], as: UTF8.self))
    }

    /// Stores a new document, which gets an id where it has none.
    ///
    /// ```swift
    /// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
    /// let id = try await hub.create(#"{"stream": [{"value": 1}]}"#).id
    /// ```
    ///
    /// - Throws: ``Refusal`` for a document that does not check. A connection that breaks leaves open whether it was stored.
    @discardableResult
    nonisolated(nonsending) public func create(_ text: String) async throws -> Head {
        try await send(request(.post, ["streams"], body: Array(text.utf8)))
    }

    /// Stores a new document under an id.
    ///
    /// - Throws: ``Conflict`` where there is one under that id; ``Refusal`` for a document that does not check.
    @discardableResult
    nonisolated(nonsending) public func create(_ text: String, id: String) async throws -> Head {
        try await send(request(.put, ["streams", id], headers: [.ifNoneMatch: "*"], body: Array(text.utf8)))
    }

    /// Puts another text in place of the one that the hub has.
    ///
    /// - Parameter revision: the one that the text is an edit of: the hub's, or it is a conflict.
    /// - Throws: ``Conflict``, with both texts and what the edit would do to the hub's; ``Refusal`` for a document that does
    ///   not check.
    @discardableResult
    nonisolated(nonsending) public func replace(_ id: String, with text: String, at revision: Int) async throws -> Head
    {
        let headers: HTTPFields = [.ifMatch: Self.tag(revision)]
        return try await send(request(.put, ["streams", id], headers: headers, body: Array(text.utf8)))
    }

    /// Removes a stream; its history stays.
    ///
    /// - Throws: ``Conflict`` where the hub's revision is another.
    nonisolated(nonsending) public func delete(_ id: String, at revision: Int) async throws {
        _ = try await send(request(.delete, ["streams", id], headers: [.ifMatch: Self.tag(revision)]))
    }

    /// The revisions of a stream, the newest first.
    nonisolated(nonsending) public func history(of id: String) async throws -> [Revision] {
        try await send(request(.get, ["streams", id, "revisions"]))
    }

    /// Makes the text of an older revision a new one.
    ///
    /// - Parameters:
    ///   - older: the revision whose text is wanted.
    ///   - revision: the hub's.
    /// - Throws: ``Conflict`` where the hub's revision is another.
    @discardableResult
    nonisolated(nonsending) public func rollback(
        _ id: String,
        to older: Int,
        at revision: Int
    ) async throws -> Head {
        let body = JSON.object(["revision": JSON(older)]).bytes()
        let headers: HTTPFields = [.ifMatch: Self.tag(revision)]
        return try await send(request(.post, ["streams", id, "rollback"], headers: headers, body: body))
    }

    /// What is wrong with a document; nothing where all is well. It is not stored.
    nonisolated(nonsending) public func check(_ text: String) async throws -> [Issue] {
        struct Answer: Decodable { let errors: [Issue] }
        return try await send(request(.post, ["check"], body: Array(text.utf8)), as: Answer.self).errors
    }

    /// What putting a text in place of the hub's would do. It is not stored.
    nonisolated(nonsending) public func plan(of id: String, replacedWith text: String) async throws -> Plan {
        try await send(request(.post, ["streams", id, "plan"], body: Array(text.utf8)))
    }

    /// `"4"`, as ETag and If-Match say it.
    static func tag(_ revision: Int) -> String { "\"\(revision)\"" }

    /// The revision that an ETag says; `nil` if it is none.
    static func revision(_ tag: String) -> Int? {
        let text = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        guard text.count > 2, text.first == "\"", text.last == "\"" else { return nil }
        return Int(text.dropFirst().dropLast())
    }
}
