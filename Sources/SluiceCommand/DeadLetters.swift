#if Command
import ArgumentParser
import Foundation
import SluiceClient
import SluiceHTTP
import SluiceJSON

/// `sluice dead-letters`
struct DeadLetters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "List, inspect, resend, and drop the deliveries that a stream's sinks have given up.",
        discussion: """
            Prints one JSON object a line: number, sink, output, and error; with --show everything, the outputs and the \
            last request included. A letter that is sent again gets a new request, and is removed when it is delivered.
            """
    )

    @OptionGroup var hub: HubArguments

    @Argument(help: "The id of the stream.")
    var stream: String

    @Option(help: "Print everything about the letter with this number.")
    var show: Int?

    @Option(help: "Send the letter with this number again; repeatable.")
    var resend: [Int] = []

    @Option(help: "Drop the letter with this number; repeatable.")
    var drop: [Int] = []

    func run() async throws {
        try await exiting {
            let client = try hub.client()
            do {
                for number in resend { try await client.resend(number, of: stream) }
                for number in drop { try await client.dropDeadLetter(number, of: stream) }
                if let show {
                    return try Output.line(Self.whole(try await client.deadLetter(show, of: stream)).description)
                }
                guard resend.isEmpty, drop.isEmpty else { return }
                var last = 0
                while let letters = try await Self.page(client, stream, after: last) {
                    for letter in letters { try Output.line(JSON.object(Self.head(letter)).description) }
                    last = letters.last?.number ?? .max
                }
            } catch let error as HubClient.DocumentError {
                throw Failure(code: .no, message: "dead-letters: error: \(error)")
            } catch let error as HTTPError { throw Failure(error) }
        }
    }

    /// Returns the next letters; `nil` where there are no more.
    private static func page(
        _ client: HubClient,
        _ stream: String,
        after number: Int
    ) async throws -> [HubClient.DeadLetter]? {
        let letters = try await client.deadLetters(of: stream, after: number)
        return letters.isEmpty ? nil : letters
    }

    private static func head(_ letter: HubClient.DeadLetter) -> JSON.Object {
        var object: JSON.Object = [
            "number": .int(Int64(letter.number)), "sink": .string(letter.sink), "output": .string(letter.output),
            "error": .string(letter.error),
        ]
        if letter.isResending { object["isResending"] = true }
        return object
    }

    private static func whole(_ letter: HubClient.DeadLetter) -> JSON {
        var object = head(letter)
        object["items"] = .array(letter.items)
        object["key"] = letter.key.map(JSON.string)
        object["request"] = letter.request
        return .object(object)
    }
}
#endif
