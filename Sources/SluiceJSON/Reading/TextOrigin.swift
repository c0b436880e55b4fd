/// The text that a strict text was translated from: JSON5, or members without braces around them.
///
/// Errors and positions refer to this text.
final class TextOrigin: Sendable {
    /// The original text, in UTF-8.
    let bytes: [UInt8]
    /// The NaNs and infinities that the translation writes as other numbers, by their offsets in the translation.
    let specials: [Int: Double]
    private let marks: [Mark]

    /// A place where the distance between an offset in the translation and one in the original changes.
    struct Mark {
        var translated: Int
        var original: Int
    }

    init(bytes: [UInt8], marks: [Mark], specials: [Int: Double] = [:]) {
        self.bytes = bytes
        self.marks = marks
        self.specials = specials
    }

    /// Returns the offset in the original of the byte at `offset` in the translation.
    /// - Complexity: O(log *n*) in the number of marks.
    func offset(_ offset: Int) -> Int {
        // The first mark after the offset.
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].translated <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        let limit = low < marks.count ? marks[low].original : bytes.count
        return min(marks[low - 1].original + offset - marks[low - 1].translated, limit)
    }

    /// Returns the line and column in the original of the byte at `offset` in the translation.
    func position(of offset: Int) -> JSONPosition {
        bytes.withUnsafeBufferPointer { JSONPosition(of: self.offset(offset), in: $0) }
    }

    /// Returns the error for a fault that was found in the translation.
    func error(for fault: Fault) -> JSONError {
        var fault = fault
        fault.offset = offset(fault.offset)
        return bytes.withUnsafeBufferPointer { fault.refusal(in: $0) }
    }
}
