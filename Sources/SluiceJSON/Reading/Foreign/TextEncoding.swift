/// The encodings of JSON texts, recognized as RFC 4627 describes: by a byte order mark, or by the zero bytes around the
/// first character, which is always ASCII.
enum TextEncoding: Equatable {
    case utf8
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)

    /// Detects the encoding of a text and the length of its byte order mark.
    /// - Complexity: O(1).
    @inline(__always)
    static func detect(_ text: UnsafeRawBufferPointer) -> (encoding: TextEncoding, markLength: Int) {
        guard text.count >= 2, text[0] == 0 || text[1] == 0 || text[0] >= 0xFE else { return (.utf8, 0) }
        return detectWide(text)
    }

    @inline(never)
    private static func detectWide(_ text: UnsafeRawBufferPointer) -> (encoding: TextEncoding, markLength: Int) {
        // Beyond the end of the text, use a value that no pattern contains.
        func byte(_ index: Int) -> UInt8? { index < text.count ? text[index] : nil }
        switch (text[0], text[1], byte(2), byte(3)) {
        case (0, 0, 0xFE, 0xFF): return (.utf32(isBigEndian: true), 4)
        case (0xFF, 0xFE, 0, 0): return (.utf32(isBigEndian: false), 4)
        case (0xFE, 0xFF, _, _): return (.utf16(isBigEndian: true), 2)
        case (0xFF, 0xFE, _, _): return (.utf16(isBigEndian: false), 2)
        case (0, 0, 0, .some): return (.utf32(isBigEndian: true), 0)
        case (1..., 0, 0, 0): return (.utf32(isBigEndian: false), 0)
        case (0, 1..., _, _): return (.utf16(isBigEndian: true), 0)
        case (1..., 0, _, _): return (.utf16(isBigEndian: false), 0)
        default: return (.utf8, 0)
        }
    }

    /// Returns a text in UTF-8, without its byte order mark.
    /// - Throws: ``JSONError`` where the bytes are not valid in the encoding; its offset is in the UTF-8 before that
    ///   place.
    /// - Complexity: O(*n*) in the number of bytes.
    func utf8(_ text: UnsafeRawBufferPointer, markLength: Int) throws(JSONError) -> [UInt8] {
        let content = UnsafeRawBufferPointer(rebasing: text[markLength...])
        var result: [UInt8] = []
        switch self {
        case .utf8:
            return Array(content)
        case .utf16(let isBigEndian):
            result.reserveCapacity(content.count / 2 + content.count / 8)
            var index = 0
            while index + 1 < content.count {
                let unit = TextEncoding.unit(content, index, 2, isBigEndian)
                index += 2
                if unit < 0x80 {
                    result.append(UInt8(truncatingIfNeeded: unit))
                } else if unit & 0xF800 != 0xD800 {
                    TextEncoding.append(unit, to: &result)
                } else {
                    guard unit < 0xDC00, index + 1 < content.count else { throw invalid("UTF-16", result) }
                    let low = TextEncoding.unit(content, index, 2, isBigEndian)
                    guard low & 0xFC00 == 0xDC00 else { throw invalid("UTF-16", result) }
                    index += 2
                    TextEncoding.append(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF, to: &result)
                }
            }
            guard index == content.count else { throw invalid("UTF-16", result) }
        case .utf32(let isBigEndian):
            result.reserveCapacity(content.count / 4)
            var index = 0
            while index + 3 < content.count {
                let unit = TextEncoding.unit(content, index, 4, isBigEndian)
                guard unit <= 0x10FFFF, unit & 0xFFFF_F800 != 0xD800 else { throw invalid("UTF-32", result) }
                TextEncoding.append(unit, to: &result)
                index += 4
            }
            guard index == content.count else { throw invalid("UTF-32", result) }
        }
        return result
    }

    private static func unit(
        _ content: UnsafeRawBufferPointer,
        _ index: Int,
        _ width: Int,
        _ isBigEndian: Bool
    ) -> UInt32 {
        var value: UInt32 = 0
        for place in 0..<width {
            value = value << 8 | UInt32(content[isBigEndian ? index + place : index + width - 1 - place])
        }
        return value
    }

    private static func append(_ scalar: UInt32, to result: inout [UInt8]) {
        if let scalar = Unicode.Scalar(scalar), let bytes = UTF8.encode(scalar) { result.append(contentsOf: bytes) }
    }

    private func invalid(_ name: String, _ before: [UInt8]) -> JSONError {
        before.withUnsafeBufferPointer { before in
            Fault(.unsupportedEncoding, before.count, "the bytes here are not valid \(name)").refusal(in: before)
        }
    }
}
