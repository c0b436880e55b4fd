#if HTTP
public import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
public import SluiceHTTP
import SluiceJSON

/// A client of a hub's API: its streams, their runs, its groups.
///
/// ```swift
/// let hub = HubClient(URL(string: "http://127.0.0.1:8080/")!)
/// let head = try await hub.create(#"{"name": "Ticks", "source": {"interval": {"seconds": 1}}}"#)
/// print(head.id, head.revision)                    // 6C2A9D0E-… 1
/// try await hub.replace(head.id, with: #"{"source": {"interval": {"seconds": 2}}}"#, at: head.revision)
/// ```
///
/// Every method throws `HTTPError` if the hub is unavailable, does not answer within ``timeout``, or returns an error.
/// Idempotent requests are attempted up to three times. An edit is sent once, so that it can't conflict with itself.
/// Canceling the task ends the exchange. Redirects are not followed, so that the token is sent only to the hub.
public struct HubClient: Sendable {
    /// The address of the hub.
    public let url: URL
    /// The longest time of an attempt; 30 seconds.
    public static let timeout = Duration.seconds(30)
    /// The largest size of an answer in bytes; 64 MiB.
    public static let maximumAnswerBytes = 64 << 20

    private let headers: HTTPFields
    private let patient: AnyNode<TransportRequest, TransportResponse>
    private let single: AnyNode<TransportRequest, TransportResponse>
    /// The node that sends the requests under a lease: once, and for a short time.
    let brief: AnyNode<TransportRequest, TransportResponse>
    /// The node that sends the requests for events.
    let events: AnyNode<TransportRequest, TransportResponse>

    /// Creates a client; it sends nothing before its first use.
    ///
    /// - Parameters:
    ///   - url: the address of the hub: `http://127.0.0.1:8080/`.
    ///   - token: the token of the hub, if it has one. Over `http` it can be read by others on the network.
    ///   - author: the author of writes, for the history: up to 100 characters.
    ///   - transport: sends the requests; its answers should be streamed.
    ///   - clock: measures the time of attempts and the waits between them.
    public init(
        _ url: URL,
        token: String? = nil,
        author: String? = nil,
        transport: some Transport = HTTPTransport(body: .streamed),
        clock: any Clock<Duration> = .continuous
    ) {
        self.url = url
        var headers: HTTPFields = [.accept: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        if let author { headers[.author] = String(author.prefix(100)) }
        self.headers = headers
        let timeout = CallTimeoutFilter(Self.timeout, of: .attempt, clock: clock)
        let once = timeout.andThen(StatusFilter(accepting: 200..<300, maximumErrorBytes: Self.maximumAnswerBytes))
            .andThen(BodyFilter(upTo: Self.maximumAnswerBytes))
        single = AnyNode(once.andThen(transport))
        patient = AnyNode(RetryFilter.http(clock: clock).andThen(once).andThen(transport))
        let short = CallTimeoutFilter(Self.leaseTimeout, of: .attempt, clock: clock)
        brief = AnyNode(
            short.andThen(StatusFilter(accepting: 200..<300, maximumErrorBytes: Self.maximumAnswerBytes))
                .andThen(BodyFilter(upTo: Self.maximumAnswerBytes)).andThen(transport)
        )
        events = AnyNode(timeout.andThen(StatusFilter()).andThen(transport))
    }

    /// Returns a request to the hub.
    ///
    /// - Parameters:
    ///   - path: the segments of the path, unescaped.
    ///   - query: the query items.
    func request(
        _ method: HTTPRequest.Method,
        _ path: [String],
        query: [URLQueryItem] = [],
        headers extra: HTTPFields = [:],
        body: [UInt8]? = nil
    ) throws -> TransportRequest {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let base = components?.percentEncodedPath ?? ""
        let root = base.hasSuffix("/") ? String(base.dropLast()) : base
        components?.percentEncodedPath = ([root] + path.map(Self.escaped)).joined(separator: "/")
        components?.queryItems = query.isEmpty ? nil : query
        components?.fragment = nil
        guard let address = components?.url, address.host?.isEmpty == false else {
            throw HTTPError(
                .badRequest,
                "'\(url)' is not a hub's URL: it must begin with http:// or https://",
                request: nil
            )
        }
        var fields = headers
        for field in extra { fields[field.name] = field.value }
        if body != nil { fields[.contentType] = "application/json" }
        return TransportRequest(method, address, headers: fields, body: body.map { .bytes($0) })
    }

    /// Sends a request and returns the answer.
    nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        let isEdit = request.headers.contains(.ifMatch) || request.headers.contains(.ifNoneMatch)
        do {
            return try await (isEdit ? single : patient).process(request)
        } catch let error as HTTPError {
            if let conflict = ConflictError(error) { throw conflict }
            if let refusal = DocumentError(error) { throw refusal }
            throw error
        }
    }

    /// Sends a request and decodes the answer.
    nonisolated(nonsending) func send<Answer: Decodable>(
        _ request: TransportRequest,
        as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        try Self.decode(type, of: try await send(request), to: request)
    }

    /// Decodes the body of an answer.
    static func decode<Answer: Decodable>(
        _ type: Answer.Type,
        of response: TransportResponse,
        to request: TransportRequest
    ) throws -> Answer {
        do {
            return try SluiceJSONDecoder().decode(type, from: response.body.bytes ?? [])
        } catch {
            let place = (error as? DecodingError)?.jsonError ?? error as? JSONError
            let reason = "the hub's answer can't be read: \(place.map { "\($0)" } ?? "\(error)")"
            throw HTTPError(.badBody, reason, request: request, response: response, place: place, cause: error)
        }
    }

    /// Returns a segment of a path, with every character escaped that is not unreserved.
    static func escaped(_ part: String) -> String {
        if part == "." || part == ".." { return String(repeating: "%2E", count: part.utf8.count) }
        let digits = Array("0123456789ABCDEF")
        var text = ""
        for byte in part.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                text.append(Character(UnicodeScalar(byte)))
            default: text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return text
    }
}

extension HTTPField.Name {
    /// The field `X-Sluice-Author`: the author of a write.
    static let author: HTTPField.Name = {
        guard let name = HTTPField.Name("X-Sluice-Author") else { preconditionFailure("it is a name") }
        return name
    }()
}
#endif
