#if HTTP
import Foundation
import HTTPTypes

/// The rules of redirects (RFC 9110, 15.4).
enum Redirect {
    /// The maximum number of redirects for one request.
    static let maximum = 20

    /// Returns whether a status means that the answer is elsewhere.
    static func isRedirect(_ status: HTTPResponse.Status) -> Bool { [301, 302, 303, 307, 308].contains(status.code) }

    /// Returns the request that a redirect asks for; `nil` if the answer is not a redirect, or has no valid Location.
    ///
    /// - Parameters:
    ///   - isPrivate: a closure that returns whether other servers must not get a field, in addition to credentials and
    ///     the fields that stages added for certain origins.
    ///   - allowsDowngrade: whether the redirect may lead from https to http.
    static func request(
        after response: TransportResponse,
        to request: TransportRequest,
        isPrivate: (HTTPField.Name) -> Bool = { _ in false },
        allowsDowngrade: Bool = false
    ) -> TransportRequest? {
        let locations = Set(response.headers[values: .location])
        guard isRedirect(response.status), locations.count == 1, let location = locations.first, !location.isEmpty,
            let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
            let old = Address.origin(request.url), let new = Address.origin(url),
            old.first == new.first || new.first == "https" || allowsDowngrade
        else { return nil }
        var next = request
        next.url = url
        switch (response.status.code, request.method) {
        case (301, .post), (302, .post): next.method = .get
        case (303, let method) where method != .head: next.method = .get
        default: break
        }
        if next.method != request.method || response.status.code == 303 {
            next.body = nil
            next.headers.removeAll { $0.isOfBody }
        }
        if old != new {
            let bound = request.notes.bound
            next.headers.removeAll { $0.isOfServer || bound.contains($0) || isPrivate($0) }
        }
        return next
    }
}

extension HTTPField.Name {
    /// A Boolean value that indicates whether the field describes the body.
    fileprivate var isOfBody: Bool {
        canonicalName.hasPrefix("content-") || ["transfer-encoding", "trailer", "expect"].contains(canonicalName)
    }

    /// A Boolean value that indicates whether the field is only for the server to which the request was sent.
    fileprivate var isOfServer: Bool { isCredential || ["host", "origin"].contains(canonicalName) }
}
#endif
