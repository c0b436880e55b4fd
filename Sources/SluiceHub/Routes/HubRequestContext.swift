#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SluiceConnect
import SluiceJSON

/// The context of a request: its connection and its sender.
struct HubRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    /// The connection.
    let channel: any Channel
    /// The sender, as far as the middleware has checked a token.
    var identity = Identity.owner

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The address of the other end of the connection.
    private var peer: IPAddress? { channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) } }

    /// Returns the address by which the sender of a request is counted.
    func client(of request: Request, proxies: Proxies) -> String {
        let fields = HTTPField.Name.forwardedFor.map { request.headers[values: $0] } ?? []
        return proxies.client(peer: peer, forwarded: fields)?.client.description ?? ""
    }

    /// Returns whether the sender's browser speaks https, with the hub itself or with a proxy in front.
    func isSecure(_ request: Request, proxies: Proxies) -> Bool {
        if proxies.hasTLS { return true }
        guard let peer, proxies.includes(peer), let name = HTTPField.Name.forwardedScheme else { return false }
        return request.headers[name]?.lowercased() == "https"
    }

    /// Returns the name of the cookie that a request may have.
    func cookie(of request: Request, proxies: Proxies) -> String {
        SessionCookie.name(port: channel.localAddress?.port, isSecure: isSecure(request, proxies: proxies))
    }

    /// Returns a parameter of the path, unescaped.
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
    /// Returns the whole body.
    ///
    /// - Throws: ``Problem`` if it is longer than `limit` bytes.
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

    /// The author of a write, for the history.
    var author: String? {
        get throws {
            guard let name = HTTPField.Name.author, let author = headers[name] else { return nil }
            guard author.count <= 100 else { throw Problem(.badRequest, "X-Sluice-Author has up to 100 characters") }
            return author
        }
    }

    /// The options of a write.
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

    /// Returns the request with another author.
    func authored(by author: String) -> Request {
        guard let name = HTTPField.Name.author else { return self }
        var head = head
        head.headerFields[name] = author
        return Request(head: head, body: body)
    }

    /// The revision that an author wants to replace.
    ///
    /// - Throws: ``Problem``: 428 if the field is missing, 400 if it is not a revision.
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

    /// The id of the last event that a returning subscriber received.
    var lastEventID: String? { HTTPField.Name.lastEventID.flatMap { headers[$0] } }
}

extension Response {
    /// Makes a response with a JSON text.
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
        var fields = HTTPFields.json
        if !headers.isEmpty { fields.append(contentsOf: headers) }
        if let revision { fields.append(HTTPField(name: .eTag, value: "\"\(revision)\"")) }
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: bytes))
    }
}

extension Request {
    /// Returns a Boolean value that indicates whether the sender has the content with this tag (`If-None-Match`).
    func has(_ tag: String) -> Bool {
        headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
            .contains { $0.trimmingCharacters(in: .whitespaces) == tag }
    }
}

extension Response {
    /// Returns the list of all streams, unless the sender has it.
    ///
    /// - Parameter hub: the name of this process, whose versions are those of no other.
    static func list(_ text: HeadList.Text, of hub: String, to request: Request) -> Response {
        let tag = "\"\(hub)-\(text.version)\""
        if request.has(tag) {
            return Response(status: .notModified, headers: [.eTag: tag, .cacheControl: "no-store"])
        }
        return .json(bytes: text.bytes, headers: [.eTag: tag])
    }
}
#endif
