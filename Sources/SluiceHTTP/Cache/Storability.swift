#if HTTP
import HTTPTypes

/// The rules for what a private cache may store (RFC 9111, 3).
enum Storability {
    /// Returns whether an answer with this status may be stored if it has no freshness information (RFC 9110, 15.1).
    static func isCacheableByDefault(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Returns whether this cache understands the caching rules of a status.
    private static func isUnderstood(_ status: Int) -> Bool {
        isCacheableByDefault(status) || [302, 303, 307, 400, 401, 403, 500, 502, 503, 504].contains(status)
    }

    /// Returns whether the answer to a request may be stored.
    ///
    /// A partial answer (206) can't be stored: see the conditions of 3.3 and 3.4. Neither can a 304, which is about
    /// another answer.
    static func isStorable(_ response: TransportResponse, to request: TransportRequest) -> Bool {
        guard request.method == .get, request.body == nil, !request.headers.contains(.range) else { return false }
        let status = response.status.code
        guard (200...599).contains(status), status != 206, status != 304 else { return false }
        // A refusal depends on the credentials, which may differ the next time.
        guard status != 401, status != 407 else { return false }
        // The answer belongs to another address or another user.
        guard !response.isRedirected, response.isForUser(of: request) else { return false }
        let directives = CacheControl(response.headers)
        if CacheControl(request.headers).noStore { return false }
        // 5.2.2.3: with must-understand, no-store applies only to caches that do not understand the status.
        if directives.mustUnderstand {
            guard isUnderstood(status) else { return false }
        } else if directives.noStore {
            return false
        }
        return directives.isPublic || directives.isPrivate || directives.maxAge != nil
            || response.headers.contains(.expires) || isCacheableByDefault(status)
    }
}
#endif
