import Foundation
import SluiceJSON
import SluiceStreams
import Testing

/// The examples of docs/marbles.md.
@Suite struct MarblesDocumentTests {
    /// The lines of the blocks of a kind.
    private static func lines(_ kind: String) throws -> [String] {
        // Tests/SluiceStreamsTests/Marbles/MarblesDocumentTests.swift
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "docs/marbles.md"), encoding: .utf8)
        var (lines, isInside) = ([String](), false)
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") { isInside = line == "```\(kind)" } else if isInside { lines.append(line) }
        }
        return lines
    }

    private static func pairs(_ kind: String) throws -> [(String, String)] {
        try lines(kind).map { line in
            let parts = line.components(separatedBy: "⇒")
            try #require(parts.count == 2, "\(line)")
            // The text before the arrow is padded; a trailing space would matter only after a duration.
            let text = parts[0].replacing(/[ ]+$/, with: "")
            return (text, parts[1].trimmingCharacters(in: .whitespaces))
        }
    }

    @Test func theDiagramsDoWhatIsSaid() throws {
        let pairs = try Self.pairs("times")
        #expect(pairs.count >= 10)
        for (text, events) in pairs {
            #expect(short(try Marbles(parsing: text).events).joined(separator: " ") == events, "\(text)")
        }
    }

    @Test func canonicalTextIsAsSaid() throws {
        let pairs = try Self.pairs("canonical")
        #expect(pairs.count >= 5)
        for (text, canonical) in pairs { #expect(try Marbles(parsing: text).text == canonical) }
    }

    @Test func theComparisonIsAsSaid() throws {
        let lines = try Self.lines("comparison")
        let events = try lines.prefix(2).map { try Marbles(parsing: String($0.dropFirst(10))).events }
        try #require(events.count == 2)
        let comparison = MarbleComparison(expected: events[0], actual: events[1])
        #expect(comparison.description == lines.joined(separator: "\n"))
    }

    @Test func theTunnelIsAsShown() throws {
        var picture = PictureSamples.stages
        picture.rows = Array(picture.rows.prefix(3))
        #expect(picture.tunnel(width: 64, at: PictureSamples.at(5)) == (try Self.lines("tunnel")))
    }
}
