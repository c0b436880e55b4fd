#if HTTP
package import HTTPTypes

extension HTTPResponse.Status {
    /// The status as text: `302 Found`, or `302` if the server gave no reason, as over HTTP/2.
    package var summary: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
}
#endif
