#if HTTP
import Foundation
import Testing

@testable import SluiceHTTP

@Suite struct StageNameTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The picture of the stages in `docs/http.md`.
    private static var picture: [String] {
        func line(_ label: String, _ bars: Int, _ open: String, _ text: String, _ fill: Character, _ close: String)
            -> String
        {
            let left =
                label.padding(toLength: 14, withPad: " ", startingAt: 0)
                + String(repeating: "│  ", count: bars)
            let right = String(repeating: " │", count: bars)
            let width = 110 - left.count - open.count - close.count - right.count
            return left + open + text + String(repeating: fill, count: max(width - text.count, 0)) + close + right
        }
        let titles = [" a call ", " a hop: again for each redirect ", " an attempt: again for each retry "]
        let lines = zip(StageScope.allCases, titles).enumerated().map { depth, element in
            let names = StageName.ordered.filter { $0.scope == element.0 }.map(\.description)
            var texts = [""]
            for name in names {
                let last = texts[texts.count - 1]
                let longer = last.isEmpty ? name : "\(last) → \(name)"
                if longer.count > 90 - 4 * depth {
                    texts.append("→ \(name)")
                } else {
                    texts[texts.count - 1] = longer
                }
            }
            let rows = texts.enumerated().map { index, text in
                line(index == 0 ? "per \(element.0)" : "", depth, "│ ", text, " ", " │")
            }
            return [line("", depth, "┌", element.1, "─", "┐")] + rows
        }
        return lines.flatMap { $0 } + (0..<3).reversed().map { line("", $0, "└", "", "─", "┘") }
    }

    /// Compares the picture with the declarations; `SLUICE_UPDATE_DOCS=1` updates it.
    @Test func referencePageHasThePicture() throws {
        let url = Self.root.appending(path: "docs/http.md")
        var lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
        let first = try #require(lines.firstIndex { $0.contains("┌ a call ") })
        let end = try #require(lines[first...].firstIndex { $0.hasPrefix("```") })
        if ProcessInfo.processInfo.environment["SLUICE_UPDATE_DOCS"] != nil {
            lines.replaceSubrange(first..<end, with: Self.picture)
            try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(Array(lines[first..<end]) == Self.picture, "SLUICE_UPDATE_DOCS=1 updates it")
        }
    }

    /// A name that is declared but not listed would have no position.
    @Test func everyDeclarationIsListed() throws {
        let folder = Self.root.appending(path: "Sources/SluiceHTTP")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var declared: [String] = []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            declared += text.matches(of: /static let \w+ = StageName\(\s*"(\w+)"/).map { String($0.1) }
        }
        #expect(StageName.declared.map(\.description).sorted() == declared.sorted(), "run bin/generate")
        #expect(StageName.ordered.count == declared.count)
    }

    @Test func aStageFollowsItsDeclaredNeighbor() {
        let names: [StageName] = [
            StageName("a", .call), StageName("x", .hop), StageName("y", .hop), StageName("z", .attempt),
            StageName("v", .hop, inside: "u"), StageName("u", .hop, inside: "x"), StageName("b", .call),
        ]
        #expect(StageName.ordering(names) == ["a", "b", "x", "u", "v", "y", "z"])
    }
}
#endif
