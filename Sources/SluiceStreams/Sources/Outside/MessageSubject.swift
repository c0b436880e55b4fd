/// The texts that NATS accepts as subjects and names.
package enum MessageSubject {
    /// Returns a Boolean value that indicates whether a text is a subject: tokens without blanks, separated by dots.
    ///
    /// - Parameter allowsWildcards: A Boolean value that indicates whether tokens may be `*`, and the last one `>`.
    package static func isValid(_ text: String, allowsWildcards: Bool = false) -> Bool {
        let tokens = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 1024, !tokens.isEmpty else { return false }
        for (index, token) in tokens.enumerated() {
            if token.isEmpty { return false }
            let isWildcard =
                token.elementsEqual("*".utf8) || (token.elementsEqual(">".utf8) && index == tokens.count - 1)
            if isWildcard, allowsWildcards { continue }
            let isPlain = token.allSatisfy { byte in
                byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "*") && byte != UInt8(ascii: ">")
            }
            if !isPlain { return false }
        }
        return true
    }

    /// Returns a Boolean value that indicates whether a text can be the name of a stream, a consumer, or a bucket.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}
