import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SluiceJSON

/// What the hub knows of a request beside itself.
struct HubRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    /// The connection.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Where a request comes from; behind a proxy that is trusted, as that says.
    func client(of request: Request, trustsProxy: Bool) -> String {
        let name = trustsProxy ? HTTPField.Name("X-Forwarded-For") : nil
        // The proxy has added the last; those before are anybody's word.
        let last = name.flatMap { request.headers[values: $0].last }?.split(separator: ",").last
        return last.map { $0.prefix(64).filter { $0 != " " } } ?? channel.remoteAddress?.ipAddress ?? ""
    }

    /// A parameter of the path, unescaped.
    func parameter(_ name: String) throws -> String {
        let value = try parameters.require(name)
        guard value.utf8.contains(UInt8(ascii: "%")) else { return value }
        guard let text = value.removingPercentEncoding else {
            throw Problem(.badRequest, "'\(value)' in the path is not percent-encoded UTF-8")
        }
        return text
    }
}

extension Request {
    /// The body, whole.
    ///
    /// - Throws: ``Problem`` for one that is longer than `limit` bytes.
    func bytes(upTo limit: Int) async throws -> [UInt8] {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit { throw Problem.tooLong(limit) }
        do {
            let buffer = try await body.collect(upTo: limit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem.tooLong(limit)
        }
    }

    /// The body as JSON.
    func json(upTo limit: Int) async throws -> JSON { try JSON(parsing: try await bytes(upTo: limit)) }

    /// Who writes, for the history.
    var author: String? {
        get throws {
            guard let name = HTTPField.Name("X-Sluice-Author"), let author = headers[name] else { return nil }
            guard author.count <= 100 else { throw Problem(.badRequest, "X-Sluice-Author has up to 100 characters") }
            return author
        }
    }

    /// What the request says about a write besides the document.
    var writeOptions: WriteOptions {
        get throws {
            let dependents = uri.queryParameters["dependents"]
            guard dependents == nil || dependents == "keep" else {
                throw Problem(.badRequest, "\"dependents\" must be \"keep\"")
            }
            let references = uri.queryParameters["references"]
            guard references == nil || references == "rewrite" else {
                throw Problem(.badRequest, "\"references\" must be \"rewrite\"")
            }
            return WriteOptions(
                author: try author,
                keepsDependents: dependents != nil,
                rewritesReferences: references != nil
            )
        }
    }

    /// The revision that an author wants to replace.
    ///
    /// - Throws: ``Problem``: 428 where nothing is said, 400 where it is no revision.
    var expectedRevision: Int {
        get throws {
            guard let field = headers[.ifMatch] else {
                let text = "say which revision this replaces: If-Match: \"4\", as the ETag of GET has it"
                throw Problem(.preconditionRequired, text)
            }
            let text = field.trimmingCharacters(in: .whitespaces)
            guard text.hasPrefix("\""), text.hasSuffix("\""), text.count > 2,
                let revision = Int(text.dropFirst().dropLast()),
                revision > 0
            else { throw Problem(.badRequest, "If-Match takes one revision in quotes: \"4\"") }
            return revision
        }
    }

    /// What a browser, or another reader of an event stream, has heard last, when it comes back.
    var lastEventID: String? { HTTPField.Name("Last-Event-ID").flatMap { headers[$0] } }
}

extension Response {
    /// A JSON text.
    static func json(
        _ json: JSON,
        status: HTTPResponse.Status = .ok,
        revision: Int? = nil,
        headers: HTTPFields = [:]
    ) -> Response {
        .json(text: json.description, status: status, revision: revision, headers: headers)
    }

    static func json(
        text: String,
        status: HTTPResponse.Status = .ok,
        revision: Int? = nil,
        headers: HTTPFields = [:]
    ) -> Response {
        .json(bytes: ByteBuffer(string: text), status: status, revision: revision, headers: headers)
    }

    static func json(
        bytes: ByteBuffer,
        status: HTTPResponse.Status = .ok,
        revision: Int? = nil,
        headers: HTTPFields = [:]
    ) -> Response {
        var fields = headers
        fields.append(contentsOf: jsonFields)
        if let revision { fields.append(HTTPField(name: .eTag, value: "\"\(revision)\"")) }
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: bytes))
    }
}

private let jsonFields = [
    HTTPField(name: .contentType, value: "application/json"), HTTPField(name: .cacheControl, value: "no-store"),
]
