#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// The documents lead to each other: no link is broken, and the index names every page.
@Suite struct LinkTests {
    /// Returns the targets of the relative links of a document, without their fragments.
    private static func links(of file: URL) throws -> [String] {
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1.prefix { $0 != "#" }) }
            .filter { !$0.isEmpty && !$0.contains("://") && !$0.hasPrefix("mailto:") }
    }

    private static func documents() throws -> [URL] {
        let root = Tool.root
        let pages = try FileManager.default.contentsOfDirectory(
            at: root.appendingPathComponent("docs"),
            includingPropertiesForKeys: nil
        )
        return pages.filter { $0.pathExtension == "md" }
            + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map(root.appendingPathComponent)
    }

    @Test func everyLinkLeadsToAFile() throws {
        var count = 0
        for file in try Self.documents() {
            for link in try Self.links(of: file) {
                count += 1
                let target = file.deletingLastPathComponent().appendingPathComponent(link)
                let isThere = FileManager.default.fileExists(atPath: target.standardizedFileURL.path)
                #expect(isThere, "\(file.lastPathComponent): \(link)")
            }
        }
        #expect(count > 100)
    }

    @Test func theIndexNamesEveryPage() throws {
        let index = Tool.root.appendingPathComponent("docs/README.md")
        let linked = Set(try Self.links(of: index))
        let pages = try Self.documents().filter { $0.deletingLastPathComponent().lastPathComponent == "docs" }
            .map(\.lastPathComponent)
        #expect(pages.count >= 30)
        #expect(pages.filter { $0 != "README.md" && !linked.contains($0) } == [])
        let readme = try Self.links(of: Tool.root.appendingPathComponent("README.md"))
        #expect(readme.contains("docs/README.md"))
    }

    /// The workflow runs scripts of the repository: each of them exists.
    @Test func theWorkflowRunsExistingScripts() throws {
        let workflow = Tool.root.appendingPathComponent(".github/workflows/ci.yml")
        let text = try String(contentsOf: workflow, encoding: .utf8)
        let scripts = text.matches(of: /- run: (bin\/\w+)/).map { String($0.1) }
        #expect(scripts.count >= 3)
        for script in scripts {
            #expect(FileManager.default.isExecutableFile(atPath: Tool.root.appendingPathComponent(script).path))
        }
    }
}
#endif
