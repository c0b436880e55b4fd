#if Hub
import HTTPTypes

extension HTTPFields {
    /// Adds the fields that restrict browsers: nothing from another host, no inline script, no frames, and no use by
    /// another site's page.
    mutating func appendSecurityFields() {
        // A response with JSON begins with all of them; other routes set none but a stricter policy, which stays.
        if contains(.xContentTypeOptions) { return }
        if !contains(.contentSecurityPolicy) { append(policy) }
        append(contentsOf: others)
    }

    /// The fields of a response with JSON, those that restrict browsers included. They are made once, since adding them one by
    /// one to each response costs more than the rest of a short one.
    static let json: HTTPFields = {
        var fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        fields.appendSecurityFields()
        return fields
    }()
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
