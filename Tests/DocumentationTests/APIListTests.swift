#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// The public API, as docs/api lists it. `bin/test api` checks that the lists are current.
@Suite struct APIListTests {
    /// Returns the lines of the lists, each with its module.
    private static func lines() throws -> [(module: String, line: String)] {
        let folder = Tool.root.appendingPathComponent("docs/api")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "txt" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
                (file.deletingPathExtension().lastPathComponent, String($0))
            }
        }
    }

    @Test func everyLibraryModuleHasAListAndAnOverview() throws {
        let sources = Tool.root.appendingPathComponent("Sources")
        // Neither the command, nor the libraries of the system, nor what the default traits leave out.
        let modules = Set(
            try FileManager.default.contentsOfDirectory(atPath: sources.path)
                .filter { $0.hasPrefix("Sluice") && !["SluiceCommand", "SluiceNATS"].contains($0) }
        )
        #expect(modules.count >= 14)
        #expect(Set(try Self.lines().map(\.module)) == modules)
        for module in modules {
            let page = sources.appendingPathComponent("\(module)/\(module).docc/\(module).md")
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.hasPrefix("# ``\(module)``\n\n"), "\(module)")
            #expect(text.contains("## Overview\n"), "\(module)")
        }
    }

    /// Types that conform to Error, directly or through another protocol, wherever they are nested.
    @Test func publicErrorsEndInError() throws {
        let errors = try Self.lines().compactMap { module, line in
            line.wholeMatch(of: /(.*): conforms to (?:\w+\.)?\w*Error/).map { String($0.1) }
        }
        #expect(errors.count >= 25)
        // The list may only shrink.
        let allowed = ["RawMappingError.ByConformance"]
        let others = errors.filter { !$0.hasSuffix("Error") && !$0.hasSuffix("Errors") }
        #expect(Set(others).subtracting(allowed) == [])
    }

    /// A method that takes values, and one of the same name that takes an array of them, are ambiguous.
    @Test func noMethodTakesBothValuesAndAnArray() throws {
        var parameters: [String: Set<String>] = [:]
        for (module, line) in try Self.lines() {
            guard let match = line.firstMatch(of: /^(.*\(_:\)): .*func .*\(_ \w+: ([^,()]*)\)/) else { continue }
            parameters["\(module) \(match.1)", default: []].insert(String(match.2))
        }
        #expect(parameters.count >= 200)
        let ambiguous = parameters.filter { _, types in
            types.contains { $0.hasSuffix("...") && types.contains("[\($0.dropLast(3))]") }
        }
        #expect(ambiguous.keys.sorted() == [])
    }
}
#endif
