import Foundation

/// A line of a table: a name, and values below each other.
func columns(_ name: String, _ values: String...) -> String {
    ([name.padding(toLength: 24, withPad: " ", startingAt: 0)] + values.map { $0.leftPadded(14) }).joined()
}

/// Returns the median, or a value that is no number if there are no values.
func median(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }

extension String {
    func leftPadded(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
