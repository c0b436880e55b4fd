#if Command
import ArgumentParser
import Foundation
import SluiceJSON
import SluiceStreams

/// `sluice draw`
struct Draw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a stream document as marbles: a row a stage, in an SVG file.",
        discussion: "Values of one origin have one color in all rows. The same document gives the same bytes."
    )

    @Argument(help: "The document; - is standard input.", completion: .file())
    var file: String

    @Option(name: .shortAndLong, help: "The file to write; - is standard output.", completion: .file())
    var output: String

    @Option(help: "How many seconds of the stream are drawn; without it, to its end, or as much as a picture shows.")
    var until: Double?

    @Flag(help: "Let the values travel when the picture is opened.")
    var animated = false

    func validate() throws {
        if let until, StreamTime(seconds: until) == nil {
            throw ValidationError("--until takes seconds from 0 to \(Int(StreamTime.maximumSeconds))")
        }
    }

    func run() async throws {
        try await exiting {
            let source = DocumentFile(path: file)
            let document = try source.read()
            let picture: MarblePicture
            do throws(JSONErrors) {
                let limit = until.flatMap(StreamTime.init(seconds:))
                let library = DocumentLibrary([(source, document)]).library(for: document, in: source)
                picture = try MarblePicture(document, in: library, until: limit)
            } catch {
                throw source.failure(error)
            }
            let data = Data(picture.svg(animated: animated).utf8)
            if output == "-" { return try Output.bytes(data) }
            do { try data.write(to: URL(fileURLWithPath: output)) } catch {
                throw Failure(
                    code: .usage,
                    message: "\(output): error: cannot be written: \(error.localizedDescription)"
                )
            }
        }
    }
}
#endif
