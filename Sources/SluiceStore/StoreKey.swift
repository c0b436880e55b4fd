import Foundation

extension String {
    /// The text in the one form that all equal texts have, so that what Swift holds equal is one key of a table too.
    var key: String { utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping }
}

extension Date {
    /// The milliseconds since 1970; the first or last there is for a date that lies beyond, 0 for one that is none.
    var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds.isNaN ? 0 : Int64(max(-0x1p62, min(milliseconds, 0x1p62)))
    }

    /// A date from milliseconds since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The date as a store keeps it.
    var stored: Date { Date(milliseconds: milliseconds) }
}
