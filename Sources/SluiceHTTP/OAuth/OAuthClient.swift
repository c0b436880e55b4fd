#if HTTP
public import Foundation
import HTTPTypes
public import Sluice
import SluiceFilters
import SluiceJSON

/// A program as an authorization server knows it, and the addresses of that server (RFC 6749).
///
/// ```swift
/// let client = OAuthClient(
///     "warehouse", secret: "s3cret",
///     tokenEndpoint: URL(string: "https://login.example.com/oauth/token")!,
///     scopes: ["stock.read"]
/// )
/// ```
public struct OAuthClient: Sendable {
    /// The place of the client's secret in a request for tokens.
    public enum Authentication: Sendable, Hashable {
        /// The field `Authorization` with the scheme Basic; every server supports it.
        case basic
        /// The fields `client_id` and `client_secret` of the body.
        case body
    }

    /// The identifier of the client.
    public var id: String
    /// The secret of the client; `nil` for a public client, such as an app.
    public var secret: String?
    /// The address that issues tokens.
    public var tokenEndpoint: URL
    /// The address at which a user logs in; only the authorization code needs it.
    public var authorizationEndpoint: URL?
    /// The address to which the user's browser returns; only the authorization code needs it.
    public var redirect: URL?
    /// The requested scopes; none requests what the server grants by default.
    public var scopes: [String]
    /// The identifier of the authorization server; if it is set, the answer to a login must be from that issuer
    /// (RFC 9207).
    public var issuer: String?
    /// Further parameters of requests for tokens, such as `audience` or `resource`.
    public var parameters: [String: String] = [:]
    /// The place of the secret in a request for tokens; the field `Authorization` by default.
    public var authentication = Authentication.basic
    /// The node that sends requests for tokens.
    public var transport: AnyNode<TransportRequest, TransportResponse>

    /// Makes a client.
    public init(
        _ id: String,
        secret: String? = nil,
        tokenEndpoint: URL,
        authorizationEndpoint: URL? = nil,
        redirect: URL? = nil,
        scopes: [String] = [],
        transport: some Transport = HTTPTransport(body: .whole(upTo: 1 << 20))
    ) {
        self.id = id
        self.secret = secret
        self.tokenEndpoint = tokenEndpoint
        self.authorizationEndpoint = authorizationEndpoint
        self.redirect = redirect
        self.scopes = scopes
        self.transport = AnyNode(transport)
    }

    /// The scopes as one parameter; empty without any.
    var scope: [String: String] { scopes.isEmpty ? [:] : ["scope": scopes.joined(separator: " ")] }

    /// Requests tokens.
    ///
    /// - Throws: ``OAuthError`` when the server refuses; ``HTTPError``, without the request and its secrets, when it can't
    ///   be reached, or answers with another status; `CancellationError`.
    nonisolated(nonsending) func token(_ grant: [String: String], at now: Date) async throws -> OAuthToken {
        guard Self.isSecret(tokenEndpoint) else {
            throw OAuthError(OAuthError.insecureEndpoint, "\(tokenEndpoint) must be an https address")
        }
        var fields = parameters.merging(grant) { $1 }
        var request = TransportRequest(.post, tokenEndpoint)
        request.headers = [.accept: "application/json", .contentType: URLEncodedFormEncoder.contentType]
        if let secret, authentication == .basic {
            // Both parts are encoded as in forms first (2.3.1).
            let pair = try [id, secret].map { try Self.encoder.text(["x": $0]).dropFirst(2) }.joined(separator: ":")
            request.headers[.authorization] = "Basic " + Data(pair.utf8).base64EncodedString()
        } else {
            fields["client_id"] = id
            fields["client_secret"] = secret
        }
        request.body = .bytes(Array(try Self.encoder.text(fields).utf8))
        // The key of the call that needs the token is not that of this request.
        var context = CallContext.current
        context.idempotencyKey = nil
        // No call may be able to cancel the request, and later ones wait for it.
        let limit = ContinuousClock.now + Self.timeLimit
        context.deadline = min(context.deadline ?? limit, limit)
        let sent = request
        let response: TransportResponse
        do {
            response = try await withCallContext(context) {
                try await transport.process(sent).whole(upTo: 1 << 20, for: sent)
            }
        } catch let error as HTTPError {
            throw error.withoutRequest
        }
        return try Self.token(response, at: now)
    }

    private static func token(_ response: TransportResponse, at now: Date) throws -> OAuthToken {
        let json = try? JSON(parsing: response.body.bytes ?? [])
        if response.status.kind == .successful {
            guard let token = json?["access_token"]?.string, !token.isEmpty else {
                throw OAuthError(OAuthError.invalidResponse, "the answer has no access_token")
            }
            if let type = json?["token_type"]?.string, type.lowercased() != "bearer" {
                throw OAuthError(OAuthError.invalidResponse, "tokens of the type \(type) are not supported")
            }
            let seconds = json?["expires_in"].flatMap { $0.double ?? $0.string.flatMap { Double($0) } }
            return OAuthToken(
                token,
                expires: seconds.map { now.addingTimeInterval(min(max($0, 0), 3_155_760_000)) },
                refreshToken: json?["refresh_token"]?.string,
                scope: json?["scope"]?.string
            )
        }
        if [400, 401, 403].contains(response.status.code), let code = json?["error"]?.string {
            throw OAuthError(code, json?["error_description"]?.string)
        }
        throw HTTPError(
            .badStatus,
            "the authorization server answered \(response.status.code)",
            request: nil,
            response: response.withoutRequest
        )
    }

    /// The longest time of a request for tokens.
    private static let timeLimit = Duration.seconds(60)

    /// Returns whether secrets may be sent to an address.
    static func isSecret(_ url: URL) -> Bool {
        switch url.scheme?.lowercased() {
        case "https": true
        case "http": url.host(percentEncoded: false).map { HostName($0).isLoopback } == true
        default: false
        }
    }

    private static let encoder = URLEncodedFormEncoder()
}

extension HTTPError {
    /// The error without its request, which has secrets; its message names the address.
    fileprivate var withoutRequest: HTTPError {
        HTTPError(
            code,
            description,
            request: nil,
            response: response?.withoutRequest,
            timeout: timeout,
            place: place,
            cause: (cause as? HTTPError).map { $0.withoutRequest as any Error } ?? cause,
            isUnsent: isUnsent,
            isUnprocessed: isUnprocessed
        )
    }
}

extension TransportResponse {
    /// The answer without what it knows of its request, which has secrets.
    fileprivate var withoutRequest: TransportResponse {
        TransportResponse(status: status, headers: headers, body: body)
    }
}
#endif
