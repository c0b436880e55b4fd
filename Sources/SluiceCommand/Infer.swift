#if Command
import ArgumentParser
import Foundation
import HTTPTypes
import SluiceConnect
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// `sluice infer`
struct Infer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a JSON Schema of items from samples.",
        discussion: """
            Reads JSON lines, an array of items, or one item, from a file or an HTTP address. The schema is for "item" of a \
            stream document. Every sample meets it, and a field is required if every sample has it.
            """
    )

    @Argument(help: "The file, or an address from http:// or https:// on; - is standard input.", completion: .file())
    var source: String

    @Flag(help: "Take an array as one item instead of a list of items.")
    var whole = false

    @Option(
        name: .customLong("allow"),
        help: """
            What may be reached over HTTP: example.com, example.com:8443, 192.0.2.1 or 10.0.0.0/8; repeatable. Names lead \
            to public addresses only, unless those are listed too.
            """
    )
    var allowed: [String] = []

    func validate() throws {
        for host in allowed {
            do { _ = try AllowedHost(host) } catch { throw ValidationError("--allow: \(error)") }
        }
    }

    func run() async throws {
        try await exiting {
            var samples = Samples(isWhole: whole)
            let file = DocumentFile(path: source)
            do {
                if let address {
                    let body = try await answer(of: address)
                    try samples.read(body)
                } else {
                    try file.forEachPiece { try samples.read($0) }
                }
                try samples.finish()
            } catch let error as JSONError {
                throw Failure(code: .badData, message: error.diagnostic(file: file.name))
            }
            guard samples.sampler.count > 0 else {
                throw Failure(
                    code: .badData,
                    message: "\(file.name): error: contains no items\n  hint: give JSON lines, an array, or one value"
                )
            }
            try Output.line(samples.sampler.schema.text(.pretty))
        }
    }

    /// The address, if the source is one.
    private var address: URL? {
        let lowercased = source.lowercased()
        guard lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") else { return nil }
        return URL(string: source)
    }

    private func answer(of address: URL) async throws -> [UInt8] {
        var settings = ConnectSettings()
        settings.allowedHosts = try allowed.map { try AllowedHost($0) }
        do {
            return try await settings.sample(of: address, maximumByteCount: JSONLimits.default.maximumByteCount)
        } catch let error as HTTPError {
            let code: ExitCode =
                switch error.code {
                case .badRequest: .usage
                case .badBody, .bodyTooLarge: .badData
                case .badStatus: error.response?.status.kind == .clientError ? .no : .unavailable
                default: .unavailable
                }
            throw Failure(code: code, message: "\(source): error: \(error.message)")
        } catch {
            throw Failure(code: .unavailable, message: "\(source): error: \(error)")
        }
    }
}

/// The samples in pieces of text. A single array is a list of samples.
private struct Samples {
    let isWhole: Bool
    private(set) var sampler = SchemaSampler()
    private var splitter = JSONTextSplitter(framing: .concatenated)
    /// The first value, as long as it is an array and the only one.
    private var array: [JSON]?

    init(isWhole: Bool) { self.isWhole = isWhole }

    mutating func read(_ piece: some Sequence<UInt8>) throws {
        splitter.append(piece)
        try take()
    }

    mutating func finish() throws {
        splitter.finish()
        try take()
        for element in array ?? [] { sampler.add(element) }
        array = nil
    }

    private mutating func take() throws {
        while let document = try splitter.next() {
            let value = try document.root.json()
            if let first = array {
                sampler.add(.array(first))
                array = nil
            } else if !isWhole, sampler.count == 0, case .array(let elements) = value {
                array = elements
                continue
            }
            sampler.add(value)
        }
    }
}
#endif
