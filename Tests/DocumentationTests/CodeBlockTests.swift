#if Command && OpenCombine && Server
import Foundation
import SluiceTestSupport
import Testing

/// Every code block of the README, the documents, and the public symbols compiles without a warning.
@Suite struct CodeBlockTests {
    #if canImport(FoundationNetworking)
    static let foundationNetworking = "import FoundationNetworking"
    #else
    static let foundationNetworking = ""
    #endif

    /// The modules that the blocks import.
    static let imports = """
        import Dispatch
        import Foundation
        \(foundationNetworking)
        import HTTPTypes
        import Sluice
        import SluiceClassic
        import SluiceClient
        import SluiceCombine
        import SluiceConnect
        import SluiceExpressions
        import SluiceFilters
        import SluiceHTTP
        import SluiceHub
        import SluiceJSON
        import SluiceServer
        import SluiceStore
        import SluiceStreams
        import SluiceTesting
        """

    /// The types and values that blocks about nodes, filters, and streams use, as their readers would have them.
    static let localNames = """
        struct Doubler: Node {
            func process(_ input: Int) async throws -> Int { input * 2 }
        }
        struct Person: Sendable { var name = "", photo = "", age = 0 }
        let users = AnyNode<String, Person> { Person(name: $0) }
        let backup = users
        let files = AnyNode<String, [Int]> { _ in [] }
        let photos = AnyNode<String, Data> { _ in Data() }
        let observer = Context<Int>()
        let user = Context<Person>()
        let everybody = Context<[Person]>()
        let model = StreamModel(stream: [StreamItem(value: 1)])
        let node = AnyNode<Int, Int> { $0 }
        struct Session: Sendable { func logIn() async throws {} }
        let session = Session()
        struct DiskRead: Sendable { func stop() {} }
        struct Disk: Sendable { func read(_ id: String, _ done: (Data) -> Void) -> DiskRead { DiskRead() } }
        let disk = Disk()
        func show<T>(_ value: T) {}
        func render(_ value: Int) -> Int { value }
        func makeReport() -> String { "" }
        struct Reading: Sendable { var id: Int, name: String, score: Double, isActive: Bool, tags: [String] }
        let chunks = AsyncStream<[UInt8]> { $0.finish() }
        struct UserEntry: Codable, Sendable { let name: String }
        """

    /// The types and values that blocks about requests use.
    static let requestNames = """
        extension UserEntry: RawMappable { typealias Raw = JSON }
        struct User: Sendable, DTOConvertible {
            let name: String
            func toDTO() throws -> UserEntry { UserEntry(name: name) }
            static func from(dto: UserEntry) throws -> User { User(name: dto.name) }
        }
        struct PhotoEntry: Codable, Sendable, RawMappable {
            typealias Raw = JSON
            let ref: String
        }
        let request = TransportRequest(.get, URL(string: "http://example.com/")!)
        enum UserRoute: URLRouteProvider {
            case users
            case user(String)
            func url() throws -> URL {
                let users = try URL(string: "http://example.com") + "/users"
                switch self {
                case .users: return users
                case .user(let name): return try users + ("/" + name)
                }
            }
        }
        """

    static let prelude = [imports, localNames, requestNames].joined(separator: "\n")

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
                // The code of apps.md is a program of its own: see AppBlockTests.
                .filter { ["swift", "md"].contains($0.pathExtension) && $0.lastPathComponent != "apps.md" }
        }
        return names + found.sorted { $0.path < $1.path }
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
