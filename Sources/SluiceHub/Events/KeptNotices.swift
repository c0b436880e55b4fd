#if Hub
import NIOCore

/// The newest notices of a kind, up to a number and a size.
struct KeptNotices {
    private let limit: Int
    private let size: Int
    /// The notices, the oldest first; those before `start` were dropped.
    private var list: [Notice] = []
    private var start = 0
    /// The number of the last that was dropped.
    private var forgotten: UInt64 = 0
    /// The bytes that the notices take.
    private(set) var byteCount = 0
    /// The limit because of which notices were dropped; `nil` where none were.
    private(set) var exceeded: String?

    /// A Boolean value that indicates whether some were dropped.
    var isCut: Bool { forgotten > 0 }

    var notices: ArraySlice<Notice> { list[start...] }

    /// - Parameters:
    ///   - limit: the most notices that are kept.
    ///   - size: the most bytes that they have in all.
    init(limit: Int, size: Int = .max) { (self.limit, self.size) = (limit, size) }

    /// Returns a Boolean value that indicates whether all after the one with this number are here.
    func reaches(_ number: UInt64) -> Bool { number >= forgotten }

    /// Drops all, up to a number.
    mutating func clear(after number: UInt64) {
        (list, start, byteCount, exceeded) = ([], 0, 0, nil)
        forgotten = number
    }

    /// Appends a notice; the oldest are dropped where there are too many.
    ///
    /// - Parameter share: The most bytes that they take for now, because all runs keep many.
    /// - Complexity: O(1) on average.
    mutating func append(_ notice: Notice, share: Int = .max) {
        list.append(notice)
        byteCount += notice.size
        while list.count - start > limit {
            exceeded = "\(limit) events"
            drop()
        }
        let most = min(size, share)
        while byteCount > most {
            exceeded = "\(most) bytes"
            drop()
        }
        guard start > 64, start > list.count / 2 else { return }
        list.removeFirst(start)
        start = 0
    }

    private mutating func drop() {
        let notice = list[start]
        forgotten = notice.number
        byteCount -= notice.size
        // The bytes are released at once, not when the list is compacted.
        list[start] = Notice.dropped
        start += 1
    }
}
#endif
