#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceStreams

/// A transport that puts secrets into the header fields of each request, and of each hop of a redirect, if they may be sent
/// to its URL.
///
/// Everything around it, such as caches, errors, and logs, has the names of secrets and not their values.
struct SecretTransport: Transport {
    typealias Input = TransportRequest
    typealias Output = TransportResponse

    let secrets: Secrets
    /// The id of the stream that sends the request.
    private let stream: String?
    private let egress: Egress
    /// The fields of the document, which alone refer to secrets; `nil` for all fields.
    private let fields: HTTPFields?

    /// - Parameter fields: The fields of the document, which alone refer to secrets; `nil` for all fields. Others, such as
    ///   `If-None-Match` and `Last-Event-ID`, have values of servers.
    init(_ secrets: Secrets, for stream: String?, over egress: Egress, fields: HTTPFields? = nil) {
        (self.secrets, self.stream, self.egress, self.fields) = (secrets, stream, egress, fields)
    }

    nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        guard request.headers.contains(where: { $0.value.utf8.contains(UInt8(ascii: "$")) }) else {
            return try await egress.process(request)
        }
        var sent = request
        var fields = HTTPFields()
        do throws(SecretsError) {
            for field in request.headers {
                var field = field
                if self.fields.map({ $0[values: field.name].contains(field.value) }) ?? true {
                    field.value = try secrets.text(field.value, to: request.url, for: stream)
                }
                fields.append(field)
            }
        } catch {
            throw HTTPError(.badRequest, error.description, request: request)
        }
        sent.headers = fields
        do { return try await egress.process(sent) } catch let error as HTTPError {
            throw HTTPError(
                error.code,
                secrets.redacted(error.message),
                request: request,
                response: error.response,
                timeout: error.timeout,
                isUnsent: error.isUnsent,
                isUnprocessed: error.isUnprocessed
            )
        }
    }
}

extension Secrets {
    /// Returns an error without values of secrets.
    func redacted(_ error: any Error) -> any Error {
        let text = "\(error)"
        let redacted = redacted(text)
        return redacted == text ? error : StreamError(message: redacted)
    }
}
#endif
