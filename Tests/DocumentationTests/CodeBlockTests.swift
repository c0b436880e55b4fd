#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// Every code block of the README, the documents, and the public symbols compiles without a warning.
@Suite struct CodeBlockTests {
    /// The page that shows the names of the prelude.
    static let examples = Tool.root.appendingPathComponent("docs/examples.md")

    /// The declarations that every block may use: the code of docs/examples.md.
    static let prelude: String = {
        let lines = ((try? blocks(of: examples)) ?? []).flatMap { $0.code.components(separatedBy: "\n") }
        #if canImport(FoundationNetworking)
        return lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        #else
        return lines.filter { !$0.hasPrefix("#") && $0 != "import FoundationNetworking" }.joined(separator: "\n")
        #endif
    }()

    /// The names that the prelude declares, at the beginning of a line.
    static let preludeNames: Set<String> = {
        let lines = (try? String(contentsOf: examples, encoding: .utf8))?.components(separatedBy: "\n") ?? []
        return Set(lines.compactMap { $0.firstMatch(of: /^(?:struct|enum|let|func) (\w+)/).map { String($0.1) } })
    }()

    struct Block {
        let place: String
        let code: String
    }

    /// The fenced Swift blocks of a text; in a source file, those of its doc comments.
    static func blocks(of file: URL) throws -> [Block] {
        let text = try String(contentsOf: file, encoding: .utf8)
        let isSource = file.pathExtension == "swift"
        var blocks: [Block] = []
        var open: (line: Int, code: [String])?
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            var line = line.trimmingPrefix { $0 == " " }
            if isSource {
                guard line.hasPrefix("///") else { continue }
                line = line.dropFirst(3)
                if line.hasPrefix(" ") { line = line.dropFirst() }
            }
            if line.hasPrefix("```swift") {
                open = (number + 1, [])
            } else if line.hasPrefix("```"), let block = open {
                let name = "\(file.lastPathComponent):\(block.line)"
                blocks.append(Block(place: name, code: block.code.joined(separator: "\n")))
                open = nil
            } else {
                open?.code.append(String(line))
            }
        }
        return blocks
    }

    static func files() -> [URL] {
        let names = ["README.md", "CONTRIBUTING.md"].map(Tool.root.appendingPathComponent)
        let folders = ["Sources", "docs"].map(Tool.root.appendingPathComponent)
        let found = folders.flatMap { folder in
            (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? [])
                .compactMap { $0 as? URL }
                // The code of apps.md is a program of its own: see AppBlockTests. That of examples.md is the prelude.
                .filter {
                    ["swift", "md"].contains($0.pathExtension)
                        && !["apps.md", "examples.md"].contains($0.lastPathComponent)
                }
        }
        return names + found.sorted { $0.path < $1.path }
    }

    /// Returns the names of the prelude that a block uses without declaring them.
    static func namesFromPrelude(_ block: Block) -> Set<String> {
        let code = block.code.components(separatedBy: "\n").map { $0.prefix { $0 != "/" } }.joined(separator: "\n")
        var declared = code.matches(of: /(?:struct|enum|class|let|var|func|in|for) (?:await |try )*(\w+)/)
            .map { String($0.1) }
        declared += code.matches(of: /_ (\w+):/).map { String($0.1) }
        declared += code.matches(of: /(\w+) in\b/).map { String($0.1) }
        let used = code.matches(of: /(?:^|[^.\w"])(\w+)(?![\w:"])/).map { String($0.1) }
        return Set(used).intersection(preludeNames).subtracting(declared)
    }

    /// A reader of an example finds the names that it doesn't declare: its page, or the overview of its module, leads there.
    @Test func everyPageWithNamesOfThePreludeShowsThem() throws {
        #expect(Self.preludeNames.count >= 20)
        var modules: Set<String> = []
        for file in Self.files() {
            let names = Set(try Self.blocks(of: file).flatMap(Self.namesFromPrelude))
            guard !names.isEmpty else { continue }
            if file.path.contains("/Sources/") {
                modules.insert(String(file.path.split(separator: "/Sources/")[1].prefix { $0 != "/" }))
            } else {
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(text.contains("](examples.md)"), "\(file.lastPathComponent) uses \(names.sorted())")
            }
        }
        for module in modules {
            let page = Tool.root.appendingPathComponent("Sources/\(module)/\(module).docc/\(module).md")
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains("`docs/examples.md`"), "\(module)")
        }
    }

    @Test func everyBlockCompiles() async throws {
        var sources = ["Prelude.swift": Self.prelude]
        var places: [String: String] = [:]
        for (number, block) in try Self.files().flatMap(Self.blocks).enumerated() {
            #if canImport(Combine)
            let code = block.code.replacing("import OpenCombine ", with: "import Combine ")
            #else
            let code = block.code
            #endif
            let lines = code.components(separatedBy: "\n")
            let imports = lines.filter { $0.hasPrefix("import ") }
            var body = lines.filter { !$0.hasPrefix("import ") }
            // Declarations that belong at the top of a file go there; all else is the body of a function.
            if !body.contains(where: { $0.hasPrefix("extension ") }) {
                body = ["func block\(number)() async throws {"] + body.map { "    " + $0 } + ["}"]
            }
            let name = "Block\(number).swift"
            places[name] = block.place
            let header = Self.prelude.components(separatedBy: "\n").filter { $0.hasPrefix("import ") }
            sources[name] = (Set(header + imports).sorted() + body).joined(separator: "\n")
        }
        #expect(places.count >= 30)
        let outcome = try await Tool.typecheck(sources, ["-parse-as-library"] + Tool.moduleFlags())
        // A block shows values without using them; any other warning is a fault.
        let errors = outcome.errors.components(separatedBy: "\n").filter {
            ($0.contains("error:") || $0.contains("warning:") && !$0.contains("no-usage")) && $0.hasPrefix("/")
        }
        for error in errors {
            let name = places.keys.first { error.contains("/\($0):") }
            Issue.record("\(name.flatMap { places[$0] } ?? "?"): \(error)")
        }
        #expect(outcome.status == 0)
    }
}
#endif
