import Foundation
import SluiceStreams
import Testing

/// Every block of marbles in the sources and the documents is a test.
struct DiagramTests {
    struct Block: CustomStringConvertible, Sendable {
        let file: String
        let line: Int
        let lines: [String]
        var description: String { "\(file):\(line)" }
    }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let blocks: [Block] = {
        var blocks: [Block] = []
        for folder in ["Sources/SluiceStreams", "docs"] {
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            for case let file as String in files ?? .init() where file.hasSuffix(".swift") || file.hasSuffix(".md") {
                let path = "\(folder)/\(file)"
                guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else { continue }
                var open: (line: Int, lines: [String])?
                for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    var content = line.trimmingCharacters(in: .whitespaces)
                    if content.hasPrefix("///") { content = String(content.dropFirst(3)) }
                    content = content.trimmingCharacters(in: .whitespaces)
                    if content == "```marbles" {
                        open = (number + 1, [])
                    } else if content.hasPrefix("```"), let block = open {
                        blocks.append(Block(file: path, line: block.line, lines: block.lines))
                        open = nil
                    } else {
                        open?.lines.append(content)
                    }
                }
            }
        }
        return blocks
    }()

    @Test(arguments: blocks) func holds(_ block: Block) throws {
        try expectDiagram(block.lines.joined(separator: "\n"))
    }

    @Test func thereAreSome() { #expect(Self.blocks.count >= 7) }
}
