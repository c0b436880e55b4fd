internal import Foundation

extension String {
    /// Calls `body` with the bytes where they stand in one piece, which they do but for strings of Objective-C.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }

    /// Whether the text starts with these code points.
    func hasScalarPrefix(_ part: String) -> Bool {
        withBytes { text in
            part.withBytes { part in text.has(part, at: 0) }
        }
    }

    /// Whether the text ends with these code points.
    func hasScalarSuffix(_ part: String) -> Bool {
        withBytes { text in
            part.withBytes { part in text.has(part, at: text.count - part.count)
            }
        }
    }

    /// How many code points there are.
    var scalarCount: Int {
        withBytes { bytes in
            var continuations = 0
            for byte in bytes { continuations &+= byte & 0xC0 == 0x80 ? 1 : 0 }
            return bytes.count - continuations
        }
    }

    /// Whether these code points stand somewhere, in time that is linear in both (Knuth, Morris, Pratt); the first byte
    /// is searched with `memchr`.
    func containsScalars(_ part: String) -> Bool {
        withBytes { text in part.withBytes { part in text.contains(part) } }
    }
}

extension UnsafeBufferPointer<UInt8> {
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
