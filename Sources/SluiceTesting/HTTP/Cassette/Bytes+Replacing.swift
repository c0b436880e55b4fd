#if HTTP
import Foundation

extension [UInt8] {
    /// Returns the bytes with each occurrence of `pattern`, which must not be empty, replaced.
    func replacing(_ pattern: [UInt8], with replacement: [UInt8]) -> [UInt8] {
        var places: [Int] = []
        withUnsafeBytes { bytes in
            pattern.withUnsafeBytes { pattern in
                guard let start = bytes.baseAddress, let first = pattern.baseAddress else { return }
                let last = bytes.count - pattern.count
                var next = 0
                while next <= last, let found = memchr(start + next, Int32(pattern[0]), last - next + 1) {
                    let place = UnsafeRawPointer(found) - start
                    let isPlace = memcmp(found, first, pattern.count) == 0
                    if isPlace { places.append(place) }
                    next = place + (isPlace ? pattern.count : 1)
                }
            }
        }
        if places.isEmpty { return self }
        var replaced: [UInt8] = []
        var end = 0
        for place in places {
            replaced += self[end..<place] + replacement
            end = place + pattern.count
        }
        return replaced + self[end...]
    }
}
#endif
