import Foundation

/// The page `docs/filters-guide.md`.
struct GuidePage {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let file = root.appending(path: "docs/filters-guide.md")
    private static let begin = "<!-- simulated: begin -->\n"
    private static let end = "<!-- simulated: end -->"

    private let text: String

    struct Missing: Error { let what: String }

    init() throws { text = try String(contentsOf: Self.file, encoding: .utf8) }

    /// Returns the stack document of the recommended client.
    func document() throws -> String {
        guard let start = text.range(of: "```json\n{\n  \"schema\": \"sluice.stack/1\""),
            let end = text.range(of: "\n```", range: start.upperBound..<text.endIndex)
        else { throw Missing(what: "the document") }
        return String(text[start.lowerBound..<end.lowerBound].dropFirst("```json\n".count))
    }

    /// Returns the table of the simulator.
    func table() throws -> String { String(text[try tableRange()]) }

    /// Replaces the table of the simulator.
    func write(_ table: GuideTable) throws {
        var text = text
        text.replaceSubrange(try tableRange(), with: table.text)
        try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }

    private func tableRange() throws -> Range<String.Index> {
        guard let start = text.range(of: Self.begin), let end = text.range(of: Self.end) else {
            throw Missing(what: "the table")
        }
        return start.upperBound..<end.lowerBound
    }
}

/// A table with a row for each scenario and a column for each variant, in percent.
struct GuideTable {
    private let variants: [String]
    private var rows: [(name: String, shares: [Double])] = []

    init(variants: [String]) { self.variants = variants }

    mutating func add(_ name: String, _ shares: [Double]) { rows.append((name, shares)) }

    var text: String {
        var lines = ["| | " + variants.joined(separator: " | ") + " |"]
        lines.append("|---|" + variants.map { _ in "---|" }.joined())
        for row in rows {
            let cells = row.shares.map { String(format: "%.1f %%", $0 * 100) }
            lines.append("| \(row.name) | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns whether another text has the same rows and columns, and numbers within half a percent: another platform's
    /// logarithm may differ in its last digit.
    func agrees(with other: String) -> Bool {
        func cells(_ text: String) -> [String] {
            text.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let (mine, others) = (cells(text), cells(other))
        guard mine.count == others.count else { return false }
        return zip(mine, others).allSatisfy { mine, other in
            if mine == other { return true }
            guard mine.hasSuffix(" %"), other.hasSuffix(" %"), let one = Double(mine.dropLast(2)),
                let two = Double(other.dropLast(2))
            else { return false }
            return abs(one - two) <= 0.5
        }
    }
}
