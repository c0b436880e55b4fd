#if SQLite
import SluiceRuns

/// Reads what ``ByteWriter`` has written. The file may be damaged, so nothing is taken for granted.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A Boolean value that indicates whether everything was read.
    var isAtEnd: Bool { position == bytes.count }

    mutating func unsigned() throws -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw Self.damage
    }

    mutating func signed() throws -> Int64 {
        let number = try unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func integer() throws -> Int { Int(try signed()) }

    /// Returns a count of things that each take a byte at least.
    mutating func count() throws -> Int {
        guard let count = Int(exactly: try unsigned()), count <= bytes.count - position else { throw Self.damage }
        return count
    }

    mutating func text() throws -> String {
        let count = try count()
        defer { position += count }
        guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else {
            throw Self.damage
        }
        return text
    }

    static var damage: StoreError { StoreError(.damaged(reason: "an entry of the log can't be read")) }
}

extension StoreError {
    /// A Boolean value that indicates whether something in the file can't be read.
    var isDamage: Bool {
        if case .damaged = kind { return true }
        return false
    }
}
#endif
