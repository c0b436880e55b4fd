internal import Foundation
internal import SluiceJSON

extension String {
    /// Returns a Boolean value that indicates whether the text starts with these code points.
    func hasScalarPrefix(_ part: String) -> Bool {
        withBytes { text in
            part.withBytes { part in text.has(part, at: 0) }
        }
    }

    /// Returns a Boolean value that indicates whether the text ends with these code points.
    func hasScalarSuffix(_ part: String) -> Bool {
        withBytes { text in
            part.withBytes { part in text.has(part, at: text.count - part.count)
            }
        }
    }

    /// The number of code points.
    var scalarCount: Int {
        withBytes { bytes in
            var continuations = 0
            for byte in bytes { continuations &+= byte & 0xC0 == 0x80 ? 1 : 0 }
            return bytes.count - continuations
        }
    }

    /// Returns the number of code points before a byte.
    func scalarCount(before end: Int) -> Int64 {
        withBytes { bytes in
            var count: Int64 = 0
            for byte in bytes.prefix(end) { count &+= byte & 0xC0 == 0x80 ? 0 : 1 }
            return count
        }
    }

    /// Returns a Boolean value that indicates whether the text contains these code points, in time linear in both
    /// (Knuth, Morris, Pratt); the first byte is searched with `memchr`.
    func containsScalars(_ part: String) -> Bool {
        withBytes { text in part.withBytes { part in text.contains(part) } }
    }
}

extension Unicode.Scalar {
    /// A Boolean value that indicates whether the code point is white space (Unicode's `White_Space`).
    var isBlank: Bool {
        switch value {
        case 9...13, 32, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the byte at which a code point starts, and the end for the one after the last; nil beyond.
    func start(ofScalar wanted: Int64) -> Int? {
        var rest = wanted
        for index in indices where self[index] & 0xC0 != 0x80 {
            if rest == 0 { return index }
            rest -= 1
        }
        return rest == 0 ? count : nil
    }

    /// Returns the byte after the code point that starts at a byte.
    func end(ofScalarAt start: Int) -> Int {
        guard start < count else { return count }
        var end = start + 1
        while end < count, self[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    fileprivate func has(_ part: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        guard place >= 0, part.count <= count - place else { return false }
        guard let start = baseAddress, let other = part.baseAddress else { return part.isEmpty }
        return memcmp(start + place, other, part.count) == 0
    }

    fileprivate func contains(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = baseAddress, let first = part.first else { return part.isEmpty }
        guard part.count <= count else { return false }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: part.count) { fallback in
            fallback[0] = 0
            var length = 0
            for index in 1..<Swift.max(1, part.count) {
                while length > 0, part[index] != part[length] { length = fallback[length - 1] }
                if part[index] == part[length] { length += 1 }
                fallback[index] = length
            }
            length = 0
            var index = 0
            while index < count {
                if length == 0 {
                    guard let found = memchr(start + index, CInt(first), count - index) else { return false }
                    index = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - start
                }
                while length > 0, self[index] != part[length] { length = fallback[length - 1] }
                if self[index] == part[length] { length += 1 }
                index += 1
                if length == part.count { return true }
            }
            return false
        }
    }
}
