package import Foundation

extension String {
    /// The text in the one form that all equal texts share, so that texts that are equal in Swift are one key of a table
    /// too.
    package var key: String { utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping }
}

extension Date {
    /// The milliseconds since 1970, limited to what a store can hold; 0 for an invalid date.
    package var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds.isNaN ? 0 : Int64(max(-0x1p62, min(milliseconds, 0x1p62)))
    }

    /// Makes a date from milliseconds since 1970.
    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The date as a store keeps it: to the millisecond.
    package var stored: Date { Date(milliseconds: milliseconds) }
}
