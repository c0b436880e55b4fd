import Foundation
import SluiceJSON
import SluiceStreams
import Testing

/// The streams that combine-magic ships are our examples: `Examples/combine-magic.json` as the program stores them, and
/// what the import makes of them, a file each.
@Suite struct ExamplesTests {
    private static var folder: URL {
        // Tests/SluiceStreamsTests/Import/ExamplesTests.swift
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appending(path: "Examples")
    }

    private static func imported() throws -> [StreamImport.Document] {
        let text = try String(contentsOf: folder.appending(path: "combine-magic.json"), encoding: .utf8)
        return try StreamImport(parsing: text).documents
    }

    private static func file(_ document: StreamImport.Document) -> URL {
        let name = (document.name ?? "").lowercased().replacing(" ", with: "-")
        return folder.appending(path: "combine-magic/\(name).json")
    }

    /// With SLUICE_WRITE_GOLDEN=1 the files are rewritten: review them then.
    @Test func theFilesAreWhatTheImportMakes() throws {
        let documents = try Self.imported()
        #expect(
            documents.map(\.name) == [
                "Serial Stream A", "Serial Stream B", "Filter Stream", "Drop Stream", "Map Stream", "Scan Stream",
                "Map then Scan", "Merge Stream", "FlatMap Stream", "Append Stream", "Zip Stream",
                "CombineLatest Stream",
            ]
        )
        for document in documents {
            let file = Self.file(document)
            if ProcessInfo.processInfo.environment["SLUICE_WRITE_GOLDEN"] != nil {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(document.text.utf8).write(to: file)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == document.text)
        }
        let folder = Self.folder.appending(path: "combine-magic").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == documents.count)
    }

    /// The sources run as they are: 1 2 3 4 a second apart, A B C D two seconds apart.
    @Test func theSourcesRun() throws {
        let sources = try Self.imported().prefix(2).map { try StreamDocument(parsing: $0.text) }
        let runs = try sources.map { try Marbles($0.virtualEvents(), frame: StreamTime(seconds: 1)).text }
        #expect(runs == [#"-'"1"''"2"''"3"'('"4"'|)"#.replacing("''", with: "' '"), "--A-B-C-(D|)"])
    }
}
