#if Hub
import HTTPTypes

extension HTTPFields {
    /// Adds the fields that restrict browsers: nothing from another host, no inline script, no frames, and no use by
    /// another site's page.
    mutating func appendSecurityFields() {
        // A policy that is stricter stays. Nothing else here is said by a route, so that nothing is looked for.
        if !contains(.contentSecurityPolicy) { append(policy) }
        append(contentsOf: others)
    }
}

private let policy = HTTPField(
    name: .contentSecurityPolicy,
    value: "default-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "object-src 'none'"
)

private let others: [HTTPField] = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
].compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
#endif
