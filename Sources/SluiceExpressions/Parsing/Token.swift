/// A token of an expression's text.
struct Token {
    enum Kind: Equatable {
        case int(String)
        case uint(String)
        case double(String)
        case string(String)
        case bytes([UInt8])
        case identifier(String)
        /// A name in backquotes, which may only follow a dot.
        case quoted(String)
        case symbol(String)
        case end
    }

    var kind: Kind
    var offset: Int

    /// The token as errors show it.
    var shown: String {
        switch kind {
        case .int(let text), .uint(let text), .double(let text), .identifier(let text), .symbol(let text):
            "'\(text.shortened(to: 40))'"
        case .quoted(let text): "'`\(text.shortened(to: 40))`'"
        case .string: "a string"
        case .bytes: "bytes"
        case .end: "the end of the text"
        }
    }
}

/// An error that ends parsing: the first in the text.
struct SyntaxFault: Error {
    var code: CELError.Code = .syntax
    var message: String
    var offset: Int
    var hint: String?
}
