#if Hub
import HTTPTypes

extension HTTPResponse.Status {
    /// The hub has no room for what is to be stored (RFC 4918).
    static var insufficientStorage: Self { .init(code: 507, reasonPhrase: "Insufficient Storage") }
}
#endif
