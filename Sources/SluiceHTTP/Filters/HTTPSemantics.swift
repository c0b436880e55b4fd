#if HTTP
import Foundation
import HTTPTypes

/// The names of OpenTelemetry's semantic conventions for HTTP clients (1.23 and later, stable).
enum HTTPSemantics {
    static let method = "http.request.method"
    static let originalMethod = "http.request.method_original"
    static let status = "http.response.status_code"
    static let resendCount = "http.request.resend_count"
    static let serverAddress = "server.address"
    static let serverPort = "server.port"
    static let errorType = "error.type"
    static let template = "url.template"
    static let fullURL = "url.full"
    static let duration = "http.client.request.duration"
    static let protocolVersion = "network.protocol.version"
    static let openConnections = "http.client.open_connections"
    static let connectionDuration = "http.client.connection.duration"
    static let activeRequests = "http.client.active_requests"
    static let waitingRequests = "sluice.client.waiting_requests"
    static let callDuration = "sluice.client.call.duration"
    /// The replacement for an unknown method, and for values beyond the limit of a metric.
    static let other = "_OTHER"

    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE", "QUERY",
    ]

    static func isKnown(_ method: HTTPRequest.Method) -> Bool { methods.contains(method.rawValue) }

    static func port(_ url: URL) -> Int? {
        if let port = url.port { return port }
        return switch url.scheme?.lowercased() {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// Returns the status of an answer, or of the answer within an error.
    static func status(_ result: Result<TransportResponse, any Error>) -> Int? {
        switch result {
        case .success(let response): response.status.code
        case .failure(let error): (error as? HTTPError)?.response?.status.code
        }
    }

    /// Returns a short name of the error: a status from 400, the kind of error, or a type; `nil` for a success.
    static func errorType(_ result: Result<TransportResponse, any Error>) -> String? {
        switch result {
        case .success(let response): StatusFilter.isError(response.status) ? "\(response.status.code)" : nil
        case .failure(let error as HTTPError):
            error.code == .badStatus
                ? error.response.map { "\($0.status.code)" } ?? error.code.description
                : error.timeout.map { "\(error.code).\($0.rawValue)" } ?? error.code.description
        case .failure(let error): String(reflecting: type(of: error))
        }
    }
}
#endif
