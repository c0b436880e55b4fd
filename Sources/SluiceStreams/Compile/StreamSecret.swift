/// The name of a secret that a document refers to as `${secret:NAME}`.
package struct StreamSecret: Sendable, Hashable {
    /// The text with which a reference begins.
    static let opening = "${secret:"

    /// The name.
    package let name: String

    /// Creates the secret of a text that is one reference; `nil` for any other text.
    init?(reference text: String) {
        guard text.hasPrefix(Self.opening), text.hasSuffix("}") else { return nil }
        name = String(text.dropFirst(Self.opening.count).dropLast())
        guard Self.isName(name) else { return nil }
    }

    /// Returns a Boolean value that indicates whether a text can be the name of a secret.
    package static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
