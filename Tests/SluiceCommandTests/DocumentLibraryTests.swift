#if Command
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCommand
@testable import SluiceStreams

/// The work of `check` is counted, not timed: it must not grow with the square of the number of documents.
struct DocumentLibraryTests {
    /// Files in memory, with a count of the accesses to each.
    private final class Files {
        var texts: [String: String] = [:]
        var reads: [String: Int] = [:]
        var lists: [String: Int] = [:]
        var warnings: [String] = []

        var reader: DocumentLibrary.Reader {
            DocumentLibrary.Reader(
                list: { [self] folder in
                    lists[folder, default: 0] += 1
                    return texts.keys.filter { $0.hasPrefix(folder + "/") }
                },
                read: { [self] path in
                    reads[path, default: 0] += 1
                    guard let text = texts[path] else { throw CocoaError(.fileNoSuchFile) }
                    return Array(text.utf8)
                },
                warn: { [self] in warnings.append($0) }
            )
        }

        /// Adds documents of which each refers to the next one.
        func addChain(_ folder: String, _ numbers: Range<Int>) {
            for number in numbers {
                texts["\(folder)/s\(number).json"] = #"{"id": "s\#(number)", "source": {"ref": "s\#(number + 1)"}}"#
            }
        }

        func given(_ paths: [String]) throws -> [(file: DocumentFile, document: StreamDocument)] {
            try paths.map { (DocumentFile(path: $0), try StreamDocument(parsing: texts[$0] ?? "")) }
        }
    }

    @Testing.Test func everyFileIsReadOnce() throws {
        let files = Files()
        files.addChain("/a", 0..<300)
        let given = try files.given((0..<200).map { "/a/s\($0).json" })
        let library = DocumentLibrary(given, reader: files.reader)
        for (file, document) in given {
            guard case .document = library.library(for: document, in: file).find("s299") else {
                Issue.record("a document in the folder was not found")
                return
            }
        }
        #expect(files.lists == ["/a": 1])
        #expect(files.reads == Dictionary(uniqueKeysWithValues: (200..<300).map { ("/a/s\($0).json", 1) }))
        #expect(files.warnings == [])
    }

    @Testing.Test func aFolderIsReadOnlyForReferences() throws {
        let files = Files()
        files.addChain("/a", 0..<3)
        files.texts["/a/plain.json"] = #"{"stream": []}"#
        let given = try files.given(["/a/plain.json"])
        let library = DocumentLibrary(given, reader: files.reader)
        _ = library.library(for: given[0].document, in: given[0].file)
        #expect(files.lists == [:] && files.reads == [:])
    }

    /// A reference leads to the given documents of all folders, and to the neighbors in its own folder.
    @Testing.Test func everyFolderHasALibraryOfItsOwn() throws {
        let files = Files()
        for folder in 0..<20 { files.addChain("/\(folder)", 0..<3) }
        let given = try files.given((0..<20).map { "/\($0)/s0.json" })
        let library = DocumentLibrary(given, reader: files.reader)
        for _ in 0..<3 {
            for (file, document) in given {
                guard case .document = library.library(for: document, in: file).find("s2") else {
                    Issue.record("a neighbor was not found")
                    return
                }
            }
        }
        #expect(Set(files.lists.values) == [1] && files.lists.count == 20)
        #expect(Set(files.reads.values) == [1] && files.reads.count == 40)
    }

    @Testing.Test func aFolderThatIsTooLargeIsReported() throws {
        let files = Files()
        files.addChain("/a", 10..<30)
        let given = try files.given(["/a/s10.json"])
        var limits = DocumentLibrary.Limits()
        limits.files = 5
        let library = DocumentLibrary(given, limits: limits, reader: files.reader)
        for _ in 0..<2 {
            let found = library.library(for: given[0].document, in: given[0].file)
            if case .document = found.find("s15") {} else { Issue.record("the fifth file was not read") }
            if case .none = found.find("s16") {} else { Issue.record("the sixth file was read") }
        }
        #expect(
            files.warnings == [
                """
                /a: warning: the folder holds 19 documents beside those given, and only the first 5 by name were read
                  hint: name the documents that references lead to as arguments, or move them to a smaller folder
                """
            ]
        )
    }

    @Testing.Test func theBytesOfAFolderAreBounded() throws {
        let files = Files()
        files.addChain("/a", 10..<30)
        let given = try files.given(["/a/s10.json"])
        var limits = DocumentLibrary.Limits()
        limits.bytes = 5 * #"{"id": "s11", "source": {"ref": "s12"}}"#.utf8.count
        let library = DocumentLibrary(given, limits: limits, reader: files.reader)
        _ = library.library(for: given[0].document, in: given[0].file)
        #expect(files.reads.count == 6)
        #expect(files.warnings.count == 1)
        #expect(
            files.warnings.first?.hasPrefix(
                "/a: warning: the folder holds more than \(limits.bytes) bytes of documents, and only the first 5 "
            ) == true
        )
    }

    /// The defect as it was reported: only the first 1,000 files beside a document were looked at.
    @Testing.Test func theLastOfManyFilesIsFound() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for number in 1000..<2100 {
            try Data(#"{"id": "s\#(number)", "stream": []}"#.utf8)
                .write(to: folder.appendingPathComponent("s\(number).json"))
        }
        let main = folder.appendingPathComponent("main.json").path
        try Data(#"{"source": {"ref": "s2099"}}"#.utf8).write(to: URL(fileURLWithPath: main))
        let outcome = try await Tool.sluice.run(["check", main, main])
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }

    @Testing.Test func aFileThatIsGivenTwiceIsReadOnce() {
        let files = DocumentFile.distinct(["a.json", "./a.json", "-", "b/../a.json", "b.json"])
        #expect(files.map(\.path) == ["a.json", "-", "b.json"])
    }
}
#endif
