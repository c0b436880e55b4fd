#if Hub
import HTTPTypes
import Hummingbird

/// The cookie by which the hub knows a session of its page.
enum SessionCookie {
    /// Returns the name of a hub's cookie. Browsers send a cookie to every port of a host, so the name says the port: two
    /// hubs on one machine don't end each other's sessions. Under https the name begins with `__Host-`, which makes the
    /// browser refuse a cookie of that name from plain http or from another host.
    static func name(port: Int?, isSecure: Bool) -> String {
        (isSecure ? "__Host-" : "") + "sluice_session" + (port.map { "_\($0)" } ?? "")
    }

    /// Returns the session that a request comes from.
    static func id(of request: Request, named name: String) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name { return String(parts[1]) }
            }
        }
        return nil
    }

    /// Returns the field that sets the cookie: no script reads it, and no other site's page sends it.
    ///
    /// - Parameter id: the session; `nil` removes the cookie.
    static func field(_ id: String?, named name: String, isSecure: Bool) -> String {
        let age = id == nil ? 0 : SessionTable.lifetime
        return "\(name)=\(id ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }
}
#endif
