import Foundation

/// A place in a file that is followed: the file's identity, the byte, and a fingerprint of the file's beginning, which shows
/// that it is still the same content.
struct FilePlace: Sendable, Hashable {
    /// The identity of a file, which it keeps when it is renamed.
    struct Identity: Sendable, Hashable {
        let device: UInt64
        let inode: UInt64

        init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

        init(_ status: stat) {
            (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
        }
    }

    /// The number of bytes of a file's beginning that identify its content.
    static let headLength = 1024

    let file: Identity
    /// The number of bytes before the place.
    let offset: Int
    /// The hash of the first bytes before the place, up to ``headLength``.
    let head: UInt64

    /// The text that is stored as a position.
    var text: String { "\(file.device)-\(file.inode)-\(offset)-\(String(head, radix: 16))" }

    init(_ file: Identity, _ offset: Int, head: UInt64) { (self.file, self.offset, self.head) = (file, offset, head) }

    /// Reads the stored text; `nil` for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, let device = UInt64(parts[0]), let inode = UInt64(parts[1]),
            let offset = Int(parts[2]), offset >= 0, let head = UInt64(parts[3], radix: 16)
        else { return nil }
        self.init(Identity(device: device, inode: inode), offset, head: head)
    }

    /// Returns the hash of the beginning of a file (FNV-1a).
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
