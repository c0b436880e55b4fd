#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// The code of the README compiles as pasted into a new package.
@Suite struct ReadmeTests {
    private static let readme = Tool.root.appendingPathComponent("README.md")

    /// Returns the manifest of the README's package.
    private static func manifest() throws -> String {
        let text = try String(contentsOf: readme, encoding: .utf8)
        let start = try #require(text.range(of: "// swift-tools-version")).lowerBound
        let end = try #require(text.range(of: "\n```", range: start..<text.endIndex)).lowerBound
        return String(text[start..<end])
    }

    /// Each block is a whole program: its imports and names are shown, and nothing in it warns.
    @Test func everyBlockIsAProgram() async throws {
        let blocks = try CodeBlockTests.blocks(of: Self.readme)
        #expect(blocks.count >= 2)
        for block in blocks {
            let outcome = try await Tool.typecheck(
                ["main.swift": block.code],
                ["-warnings-as-errors"] + Tool.moduleFlags()
            )
            #expect(outcome.status == 0, "\(block.place): \(outcome.errors)")
        }
    }

    /// The manifest can be read, has the platforms of Sluice's own, and the products that the first block imports.
    @Test func theManifestHasWhatTheCodeNeeds() async throws {
        let manifest = try Self.manifest()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        let sources = folder.appendingPathComponent("Sources/hello")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try "".write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        let dump = try await Tool.compiler.run(["swift", "package", "--package-path", folder.path, "dump-package"])
        #expect(dump.status == 0, "\(dump.errors)")
        let own = try String(contentsOf: Tool.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let platforms = try #require(own.firstMatch(of: /platforms: \[\.macOS[^\]]*\]/)).0
        #expect(manifest.contains(platforms))
        let blocks = try CodeBlockTests.blocks(of: Self.readme)
        for name in blocks.flatMap({ $0.code.matches(of: /import (Sluice\w*)/).map(\.1) }) {
            #expect(manifest.contains(".product(name: \"\(name)\", package: \"sluice\")"), "\(name)")
        }
    }
}
#endif
