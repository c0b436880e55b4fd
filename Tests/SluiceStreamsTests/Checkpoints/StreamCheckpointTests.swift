import Foundation
import SluiceExpressions
import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// The text of a checkpoint, what it says, and what is refused.
struct StreamCheckpointTests {
    private let second = StreamTime(nanoseconds: 1_000_000_000)

    private func run(_ text: String, to time: StreamTime) throws -> StreamRun {
        let run = try StreamRun(StreamDocument(parsing: text))
        run.advance(to: time)
        return run
    }

    @Test func isJSONThatSaysWhatItIsOf() throws {
        let run = try run(
            #"{"id": "a", "revision": 3, "source": {"interval": {"seconds": 1}}, "operators": [{"id": "sum", "count": {}}]}"#,
            to: StreamTime(nanoseconds: 2_500_000_000)
        )
        let checkpoint = run.checkpoint()
        let json = try JSON(parsing: checkpoint.text)
        #expect(json["schema"]?.string == "sluice.checkpoint/1")
        #expect(checkpoint.documentID == "a")
        #expect(checkpoint.revision == 3)
        #expect(checkpoint.time == StreamTime(nanoseconds: 2_500_000_000))
        #expect(checkpoint.outputs == 0)
        #expect(json["parts"]?["parts"]?["sum"] == ["states": ["last": [1], "state": 2]])
        #expect(json["parts"]?["parts"]?["source"]?["states"]?["timer"] == [[3_000_000_000, 3, 2_000_000_000]])
    }

    @Test func isCodable() throws {
        let run = try run(#"{"source": {"interval": {"seconds": 1}}}"#, to: second)
        let text = try SluiceJSONEncoder().text(run.checkpoint())
        let read = try SluiceJSONDecoder().decode(StreamCheckpoint.self, from: text)
        #expect(read.text == run.checkpoint().text)
        let encoded = try JSONEncoder().encode(run.checkpoint())
        // Foundation's coder has the members in an order of its own.
        let other = try JSONDecoder().decode(StreamCheckpoint.self, from: encoded)
        #expect(try StreamRun(run.document, from: other).checkpoint().text == run.checkpoint().text)
    }

    @Test func whatNobodyHasTakenIsSaved() throws {
        let text = #"{"source": {"values": [1, 2.5, "x"]}}"#
        let run = try run(text, to: .zero)
        #expect(run.next()?.value == 1)
        let checkpoint = try StreamCheckpoint(parsing: run.checkpoint().text)
        #expect(checkpoint.outputs == 1)
        #expect(checkpoint.isEnded)
        let other = try StreamRun(StreamDocument(parsing: text), from: checkpoint)
        #expect([other.next(), other.next()].map { $0?.value } == [2.5, "x"])
        #expect(other.next()?.isLast == true)
        #expect(other.outputs == 4)
        #expect(other.nextDue == nil)
    }

    @Test func namesAndTestsMayDiffer() throws {
        let run = try run(#"{"name": "a", "source": {"interval": {"seconds": 1}}}"#, to: second)
        let other = try StreamDocument(
            parsing: #"{"name": "b", "source": {"interval": {"seconds": 1}}, "tests": [{"expect": "-0"}]}"#
        )
        #expect(try StreamRun(other, from: run.checkpoint()).time == second)
    }

    @Test func anotherStreamIsRefused() throws {
        let run = try run(#"{"source": {"interval": {"seconds": 1}}}"#, to: second)
        let other = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 2}}}"#)
        #expect(
            throws: StreamError(message: "the checkpoint is of another document, or of another revision of it")
        ) { try StreamRun(other, from: run.checkpoint()) }
    }

    @Test func anotherStreamThatIsReferredToIsRefused() throws {
        let document = try StreamDocument(parsing: #"{"source": {"ref": "a"}}"#)
        let library = { (seconds: Int) in
            StreamLibrary([
                try StreamDocument(parsing: #"{"name": "a", "source": {"interval": {"seconds": \#(seconds)}}}"#)
            ])
        }
        let run = try StreamRun(document, in: library(1))
        run.advance(to: second)
        #expect(throws: Never.self) { try StreamRun(document, from: run.checkpoint(), in: library(1)) }
        #expect(throws: StreamError.self) { try StreamRun(document, from: run.checkpoint(), in: library(2)) }
    }

    @Test func anotherVersionIsRefused() {
        #expect(
            throws: StreamError(
                message:
                    #"the checkpoint is of the schema "sluice.checkpoint/2", this program reads sluice.checkpoint/1"#
            )
        ) { try StreamCheckpoint(parsing: #"{"schema": "sluice.checkpoint/2"}"#) }
        #expect(throws: StreamError(message: "this is no checkpoint")) { try StreamCheckpoint(parsing: "{}") }
        #expect(throws: StreamError(message: #"the checkpoint has no "document""#)) {
            try StreamCheckpoint(parsing: #"{"schema": "sluice.checkpoint/1"}"#)
        }
    }

    @Test func whatIsNoStateIsRefusedByItsPath() throws {
        let text = #"{"source": {"interval": {"seconds": 1}}, "operators": [{"id": "sum", "count": {}}]}"#
        let saved = try run(text, to: second).checkpoint().text
        let broken = saved.replacing(#""last":[0],"state":1"#, with: #""last":[0],"state":-1"#)
        #expect(broken != saved)
        #expect(throws: StreamError(path: "sum", message: "expected a count, found -1")) {
            try StreamRun(StreamDocument(parsing: text), from: StreamCheckpoint(parsing: broken))
        }
    }

    /// As deep as documents may be.
    @Test func theDeepestStateCanBeReadAgain() throws {
        var stream = #"{"timer": {"seconds": 90}}"#
        var deepest: (document: StreamDocument, text: String)?
        for _ in 0..<40 {
            stream = #"{"source": {"timer": {"seconds": 1}}, "operators": [{"flatMap": {"to": \#(stream)}}]}"#
            guard let document = try? StreamDocument(parsing: stream), document.errors == nil else { break }
            deepest = (document, stream)
        }
        let document = try #require(deepest?.document)
        let run = try StreamRun(document)
        for second in 1...50 { run.advance(to: StreamTime(nanoseconds: Int64(second) * 1_000_000_000)) }
        let text = run.checkpoint().text
        #expect(try StreamRun(document, from: StreamCheckpoint(parsing: text)).checkpoint().text == text)
    }

    /// The state of code: a type that nobody knows how to write.
    private struct Unknown: Sendable { var count = 0 }

    @Test func theStateOfCodeIsToldOfByItsPath() throws {
        let code = Flow<Int>.interval(.seconds(1))
            .scan(Unknown()) { state, _ in Unknown(count: state.count + 1) }
            .map { CELValue.int(Int64($0.count)) }
        var library = StreamLibrary()
        library.add(code, as: "code")
        let run = try StreamRun(StreamDocument(parsing: #"{"source": {"ref": "code"}}"#), in: library)
        run.advance(to: second)
        let checkpoint = try StreamCheckpoint(parsing: run.checkpoint().text)
        #expect(checkpoint.unsavedPaths == ["source.ref.state"])
        let error = StreamError(path: "source.ref.state", message: "the state of code cannot be saved")
        #expect(throws: error) { try checkpoint.check() }
        #expect(throws: error) { try StreamRun(run.document, from: checkpoint, in: library) }
        #expect(throws: StreamError.self) { try run.edit(to: StreamDocument(parsing: #"{"source": {"never": {}}}"#)) }
        run.advance(to: StreamTime(nanoseconds: 2_000_000_000))
        #expect([run.next(), run.next()].map { $0?.value } == [1, 2])
    }

    /// Damaged states are refused or run: nothing traps.
    @Test func damagedStatesDoNoHarm() throws {
        let documents = try DiagramTests.blocks.prefix(200).map { try Diagram($0.lines).documents() }
        var random = Seeded(seed: 88)
        let wrong: [JSON] = [
            nil, true, 0, -1, 1, 7, .int(.max), .int(.min), .int(.max / 4), 1e300, "", "x", [], [1], [[]], [[0, 0]],
            [[5, 5]], [["a", 1, 2]], .object([:]), ["map": 1], ["flat": [["list": 3]]],
        ]
        var (refused, ran) = (0, 0)
        for (document, library) in documents {
            let run = try StreamRun(document, in: library)
            for _ in 0..<4 {
                guard let due = run.nextDue else { break }
                run.advance(to: due)
                let json = try JSON(parsing: run.checkpoint().text)
                for _ in 0..<5 {
                    let damaged = damage(json, with: wrong, &random)
                    do {
                        let limits = StreamLimits(eventsPerInstant: 10_000, heldItems: 10_000)
                        let checkpoint = try StreamCheckpoint(parsing: damaged.text())
                        let other = try StreamRun(document, from: checkpoint, in: library, limits: limits)
                        for _ in 0..<30 {
                            guard let due = other.nextDue else { break }
                            other.advance(to: due)
                            while other.next() != nil {}
                        }
                        _ = other.checkpoint().text
                        other.close()
                        ran += 1
                    } catch {
                        refused += 1
                    }
                }
            }
        }
        #expect(refused > 100)
        #expect(ran > 100)
    }

    /// The value with one of its parts replaced, or left out.
    private func damage(_ json: JSON, with wrong: [JSON], _ random: inout Seeded) -> JSON {
        let stops = Int.random(in: 0..<12, using: &random) == 0
        switch json {
        case .object(var object) where !object.isEmpty && !stops:
            // The heads are damaged less often than the states.
            let keys = object.map(\.key)
            let key =
                keys.contains("parts") && Int.random(in: 0..<4, using: &random) > 0
                ? "parts" : keys.randomElement(using: &random) ?? ""
            guard let value = object[key] else { return json }
            object[key] = Int.random(in: 0..<20, using: &random) == 0 ? .none : damage(value, with: wrong, &random)
            return .object(object)
        case .array(var elements) where !elements.isEmpty && !stops:
            let index = Int.random(in: elements.indices, using: &random)
            elements[index] = damage(elements[index], with: wrong, &random)
            return .array(elements)
        default: return wrong.randomElement(using: &random) ?? nil
        }
    }
}
