extension NodeDecoder {
    @inline(never)
    func mismatch(_ type: Any.Type) -> DecodingError {
        let found = index < 0 ? JSONNode.Kind.null : JSONNode(text: state.text, index: index).kind
        let message = "Expected \(NodeDecoder.name(type)), found \(found.phrase)."
        let context = context(message)
        // In Foundation, decoding null as a Boolean is a type mismatch, unlike for every other type.
        return found == .null && type != Bool.self ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    @inline(never)
    func unfit(_ type: Any.Type) -> DecodingError {
        let number = String(decoding: state.text.rawBytes(word).prefix(60), as: UTF8.self)
        return corrupted("The number \(number) does not fit into \(NodeDecoder.name(type)).")
    }

    @inline(never)
    func corrupted(_ message: String, _ underlying: (any Error)? = nil) -> DecodingError {
        .dataCorrupted(context(message))
    }

    @inline(never)
    func notFound(_ key: some CodingKey) -> DecodingError {
        .keyNotFound(key, context("The key \(JSON.string(key.stringValue)) is missing."))
    }

    func context(_ message: String) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath,
            debugDescription: message,
            underlyingError: DecodingPlace(text: state.text, index: max(index, 0), message: message)
        )
    }

    private static func name(_ type: Any.Type) -> String {
        switch type {
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "\(type)"
        }
    }
}

/// The place in the text where a decoding failed. The line is counted only when it is read, since code that tries
/// several types throws many errors that are never read.
struct DecodingPlace: Error, CustomStringConvertible {
    let text: ParsedText
    let index: Int
    let message: String

    var error: JSONError {
        let node = JSONNode(text: text, index: index)
        var error = JSONError(.wrongType, message, at: node)
        error.snippet = node.snippet
        return error
    }

    var description: String { error.description }
}

extension DecodingError {
    /// The place in the text where this error occurred: path, line, column, and a piece of the text. It is nil if the
    /// error is not from ``SluiceJSONDecoder``, or is from a type's own code.
    ///
    /// ```swift
    /// do { _ = try SluiceJSONDecoder().decode([Int].self, from: "[1,\n true]") } catch let error as DecodingError {
    ///     error.jsonError?.line      // 2
    ///     error.jsonError?.column    // 2
    ///     error.jsonError?.snippet   // true
    /// }
    /// ```
    ///
    /// - Complexity: O(*n*) in the length of the text before the place.
    public var jsonError: JSONError? {
        let context: Context
        switch self {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return nil
        }
        if let error = context.underlyingError as? JSONError { return error }
        guard let place = context.underlyingError as? DecodingPlace else { return nil }
        var error = place.error
        switch self {
        case .keyNotFound: error.code = .missingKey
        case .dataCorrupted: error.code = .invalidValue
        default: error.code = .wrongType
        }
        return error
    }
}

extension JSONNode {
    /// The beginning of the value's text on one line, at most 60 characters.
    var snippet: String {
        let text = sourceText(limit: 240)
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        return line.count > 60 || line.utf8.count < text.utf8.count ? line.prefix(60) + "…" : String(line)
    }
}
