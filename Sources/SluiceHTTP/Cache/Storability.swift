import HTTPTypes

/// What may be stored (RFC 9111, 3), by a private cache.
enum Storability {
    /// Whether an answer with this status may be stored where nothing is said of its freshness (RFC 9110, 15.1).
    static func isCacheableByDefault(_ status: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether what the status asks of a cache is known here.
    private static func isUnderstood(_ status: Int) -> Bool {
        isCacheableByDefault(status) || [302, 303, 307, 400, 401, 403, 500, 502, 503, 504].contains(status)
    }

    /// Returns whether the answer to a request may be stored.
    ///
    /// A part of an answer (206) is not: see the conditions of 3.3 and 3.4. Nor is a 304, which is about another.
    static func isStorable(_ response: TransportResponse, to request: TransportRequest) -> Bool {
        guard request.method == .get, request.body == nil, !request.headers.contains(.range) else { return false }
        let status = response.status.code
        guard (200...599).contains(status), status != 206, status != 304 else { return false }
        // A refusal is about credentials, which may be others the next time.
        guard status != 401, status != 407 else { return false }
        // The answer is another address's, or another user's.
        guard !response.isRedirected, response.isForUser(of: request) else { return false }
        let directives = CacheControl(response.headers)
        if CacheControl(request.headers).noStore { return false }
        // 5.2.2.3: who says no-store to those who do not understand lets those store who do.
        if directives.mustUnderstand {
            guard isUnderstood(status) else { return false }
        } else if directives.noStore {
            return false
        }
        return directives.isPublic || directives.isPrivate || directives.maxAge != nil
            || response.headers.contains(.expires) || isCacheableByDefault(status)
    }
}
