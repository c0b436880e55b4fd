#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// A program that is linked with a plain static archive, of which the linker takes only the files that something refers to.
@Suite struct StaticArchiveTests {
    /// A program that imports SluiceJSON alone, and reads and writes what the coders treat specially.
    private static let program = #"""
        import Foundation
        import SluiceJSON

        struct Note: Codable {
            var day: Date
            var data: Data
            var link: URL
            var price: Decimal
            var isOpen: Bool
            var flags: [Bool]
            var names: [String: Bool]
            var none: Date?
            var rest: JSON
        }
        let text = """
            {"day":"2024-02-29T12:00:00Z","data":"AQID","link":"https://example.com/","price":1.10,"is_open":true,\
            "flags":[true,false],"names":{"a":true},"rest":{"x":[1,null]}}
            """
        var decoder = SluiceJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let note = try decoder.decode(Note.self, from: text)
        print(Int(note.day.timeIntervalSince1970), note.data.count, note.link, note.price, note.isOpen, note.flags)
        var encoder = SluiceJSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(note), as: UTF8.self))
        decoder.dateDecodingStrategy = .secondsSince1970
        print(try decoder.decode([Date].self, from: "[0]")[0].timeIntervalSince1970)
        print(try decoder.decode(JSON.self, from: "[1]"), try decoder.decode(Bool.self, from: "true"))
        """#

    @Test func theCodersKnowTheirTypes() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let objects = Tool.products.appendingPathComponent("SluiceJSON.build")
        let files = try FileManager.default.contentsOfDirectory(at: objects, includingPropertiesForKeys: nil)
            .map(\.path).filter { $0.hasSuffix(".o") }
        #expect(files.count > 10)
        let archive = folder.appendingPathComponent("libSluiceJSON.a").path
        let archived = try await Tool.compiler.run(["ar", "rcs", archive] + files)
        #expect(archived.status == 0, "\(archived.errors)")
        let source = folder.appendingPathComponent("main.swift")
        try Self.program.write(to: source, atomically: true, encoding: .utf8)
        let program = folder.appendingPathComponent("notes")
        let modules = Tool.products.appendingPathComponent("Modules").path
        let compiled = try await Tool.compiler.run([
            "swiftc", "-swift-version", "6", "-I", modules, "-o", program.path, source.path, archive,
        ])
        #expect(compiled.status == 0, "\(compiled.errors)")
        let outcome = try await Tool(program).run([])
        #expect(
            outcome.lines == [
                "1709208000 3 https://example.com/ 1.1 true [true, false]",
                #"{"data":"AQID","day":1709208000,"flags":[true,false],"isOpen":true,"link":"https://example.com/","#
                    + #""names":{"a":true},"price":1.1,"rest":{"x":[1,null]}}"#,
                "0.0",
                "[1] true",
            ],
            "\(outcome.errors)"
        )
    }
}
#endif
