#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// The code of docs/apps.md is one program, which compiles as shown. Without SwiftUI, declarations of the same shapes stand
/// for it.
@Suite struct AppBlockTests {
    static let page = Tool.root.appendingPathComponent("docs/apps.md")

    @Test func thePageIsOneProgram() async throws {
        let blocks = try CodeBlockTests.blocks(of: Self.page)
        #expect(blocks.count == 3)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #if !canImport(SwiftUI)
        let stub = Tool.root.appendingPathComponent("Tests/Support/SwiftUI/SwiftUI.swift").path
        let emitted = try await Tool.compiler.run([
            "swiftc", "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", "SwiftUI",
            "-emit-module-path", folder.appendingPathComponent("SwiftUI.swiftmodule").path, stub,
        ])
        #expect(emitted.status == 0, "\(emitted.errors)")
        #endif
        let sources = blocks.enumerated().map { ("App\($0).swift", $1.code) }
        let outcome = try await Tool.typecheck(
            Dictionary(uniqueKeysWithValues: sources),
            ["-parse-as-library", "-warnings-as-errors", "-I", folder.path] + Tool.moduleFlags()
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Views need little code for a tunnel, since the layout is computed.
    @Test func aViewWithATunnelIsShort() throws {
        let view = try #require(CodeBlockTests.blocks(of: Self.page).first { $0.code.contains("import SwiftUI") })
        #expect(view.code.components(separatedBy: "\n").count <= 42)
    }
}
#endif
