#if Hub
import HTTPTypes

/// The names of fields that the hub reads and that have no constant elsewhere, made once.
extension HTTPField.Name {
    static let host = HTTPField.Name("Host")
    static let fetchSite = HTTPField.Name("Sec-Fetch-Site")
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")
    static let forwardedScheme = HTTPField.Name("X-Forwarded-Proto")
    static let author = HTTPField.Name("X-Sluice-Author")
    static let lastEventID = HTTPField.Name("Last-Event-ID")
}
#endif
