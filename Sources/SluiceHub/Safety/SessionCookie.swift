import HTTPTypes
import Hummingbird

/// The cookie by which the page is known where the hub has a token.
enum SessionCookie {
    static let name = "sluice_session"

    /// The session that a request comes from.
    static func id(of request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name { return String(parts[1]) }
            }
        }
        return nil
    }

    /// The field that sets the cookie: no script reads it, and no other site's page sends it.
    ///
    /// - Parameter id: the session; `nil` removes the cookie.
    static func field(_ id: String?, isSecure: Bool) -> String {
        let age = id == nil ? 0 : SessionTable.lifetime
        return "\(name)=\(id ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }
}
