import Foundation

extension String {
    /// The text in the one form that all equal texts have, so that what Swift holds equal is one key of a table too.
    var key: String { utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping }
}

extension Date {
    /// The milliseconds since 1970; the nearest there is for a date that lies too far off.
    var milliseconds: Int64 { Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? 0 }

    /// A date from milliseconds since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The date as a store keeps it.
    var stored: Date { Date(milliseconds: milliseconds) }
}
