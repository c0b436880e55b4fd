import Foundation
import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

/// Every case of the answers from outside, cut between two instants: the state as text, read into a new run, gives what
/// the run would have given.
///
/// A sample of them; `SLUICE_CHECKPOINT_SCALE=100` makes it all, each at every instant.
struct CheckpointOracleTests {
    @Test func aRunThatIsCutAnywhereGivesTheSame() throws {
        try OracleSample(name: "checkpoints").check { document, library, end, isWanted in
            try CutRun(document, library, end: end).problem(isWanted)
        }
    }

    /// A stage that changes nothing, put in between two instants at any place, and taken out, changes nothing.
    @Test func aRunThatIsEditedAnywhereGivesTheSame() throws {
        var random = Seeded(seed: 9)
        try OracleSample(name: "edits").check { document, library, end, isWanted in
            let place = Int.random(in: 0...document.pipeline.operators.count, using: &random)
            var pipeline = document.pipeline
            pipeline.operators.insert(try Operator(parsing: #"{"replaceNil": {"value": null}}"#), at: place)
            let other = StreamDocument(name: document.name, pipeline: pipeline)
            let adding = try CutRun(document, library, end: end, edited: other).problem(isWanted)
            if adding.problem != nil { return adding }
            let removing = try CutRun(other, library, end: end, edited: document).problem(isWanted)
            return (adding.cuts + removing.cuts, removing.problem)
        }
    }
}

extension CheckpointOracleTests {
    /// A stage that changes nothing, put into any pipeline of a document, within a stage too, and taken out.
    @Test func aRunThatIsEditedWithinGivesTheSame() throws {
        var random = Seeded(seed: 10)
        try OracleSample(name: "edits within").check { document, library, end, isWanted in
            let others = try Self.insertions(JSON(parsing: document.text)).compactMap { json in
                let other = try? StreamDocument(parsing: json.text())
                return (try? other?.flow(in: library)) == nil ? nil : other
            }
            guard let other = others.randomElement(using: &random) else { return (0, nil) }
            let adding = try CutRun(document, library, end: end, edited: other).problem(isWanted)
            if adding.problem != nil { return adding }
            let removing = try CutRun(other, library, end: end, edited: document).problem(isWanted)
            return (adding.cuts + removing.cuts, removing.problem)
        }
    }

    /// Every edit of a document whose completion an edit at time 8 once lost.
    @Test func aWindowThatReadsAnotherStreamFirstKeepsItsCompletion() throws {
        let text = try String(contentsOf: OracleFiles.samples.appending(path: "edits.sample.jsonl"), encoding: .utf8)
        for line in text.split(separator: "\n") {
            let item = try OracleFiles.anyCase(JSON(parsing: String(line)))
            let (document, library) = try item.documents()
            let others = try Self.insertions(JSON(parsing: document.text)).map {
                try StreamDocument(parsing: $0.text())
            }
            #expect(others.count > 10)
            for other in others {
                #expect(try CutRun(document, library, end: item.end, edited: other).problem().problem == nil)
                #expect(try CutRun(other, library, end: item.end, edited: document).problem().problem == nil)
            }
        }
    }

    /// A stream that ends at the instant of the edit makes the stage around subscribe to the next one then.
    @Test func aStreamThatAnEditBeginsAndEndsIsFollowedByTheNext() throws {
        let text = try String(contentsOf: OracleFiles.samples.appending(path: "edits.sample.jsonl"), encoding: .utf8)
        for line in text.split(separator: "\n") {
            let item = try OracleFiles.anyCase(JSON(parsing: String(line)))
            let (document, library) = try item.documents()
            let old = #""prepend":{"source":{"ref":"h0"}}"#
            let other = try StreamDocument(
                parsing: document.text.replacing(old, with: #""prepend":{"source":{"values":[1]}}"#)
            )
            #expect(other != document)
            let run = try StreamRun(document, in: library)
            while let due = run.nextDue, due < item.end {
                run.advance(to: due)
                if run.isEnded { break }
                let edited = try StreamRun(document, from: run.checkpoint(), in: library)
                try edited.edit(to: other)
                edited.advance(to: item.end)
                while edited.next() != nil {}
                #expect(edited.isEnded, "edited at \(due)")
            }
        }
    }

    /// Returns a document with a stage that changes nothing at each place of each pipeline.
    private static func insertions(_ json: JSON) -> [JSON] {
        switch json {
        case .object(let object):
            return object.flatMap { key, value -> [JSON] in
                var others = insertions(value)
                if key == "operators", case .array(let items) = value {
                    for place in 0...items.count {
                        var longer = items
                        longer.insert(["replaceNil": ["value": nil]], at: place)
                        others.append(.array(longer))
                    }
                }
                return others.map { other in
                    var changed = object
                    changed[key] = other
                    return .object(changed)
                }
            }
        case .array(let items):
            return items.indices.flatMap { index in
                insertions(items[index]).map { other in
                    var changed = items
                    changed[index] = other
                    return .array(changed)
                }
            }
        default: return []
        }
    }
}

extension CheckpointOracleTests {
    /// Whatever a stream is edited to, the run that comes of it can be saved and goes on exactly.
    @Test func aRunThatIsEditedToAnyOtherCanBeSaved() throws {
        var last: (document: StreamDocument, library: StreamLibrary)?
        try OracleSample(name: "other edits").check { document, library, end, isWanted in
            defer { last = (document, library) }
            guard let last else { return (1, nil) }
            return try CutRun(document, library, end: end).problem(isWanted, editing: last.document, in: last.library)
        }
    }
}

/// The cases of the answers from outside, or a sample of them.
struct OracleSample {
    /// In how many hundredths of the cases, and of the instants of each, runs are cut.
    private static let scale = ProcessInfo.processInfo.environment["SLUICE_CHECKPOINT_SCALE"].flatMap(Int.init) ?? 8

    /// The differences to report.
    let name: String

    /// Checks each case.
    ///
    /// - Parameter problem: given the document, those to which it refers, when it ends, and whether a cut is wanted;
    ///   answers how many there were, and what is wrong.
    func check(
        _ problem: (StreamDocument, StreamLibrary, StreamTime, () -> Bool) throws -> (cuts: Int, problem: String?)
    ) throws {
        var random = Seeded(seed: 8)
        var (cases, cuts) = (0, 0)
        var failures: [String] = []
        for file in OracleFiles.forOtherTests {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard Int.random(in: 0..<100, using: &random) < Self.scale else { continue }
                cases += 1
                let item = try OracleFiles.anyCase(JSON(parsing: String(line)))
                let (document, library) = try item.documents()
                let (count, wrong) = try problem(document, library, item.end) {
                    Self.scale >= 100 || Bool.random(using: &random)
                }
                cuts += count
                if let wrong { failures.append("\(line)\n\(wrong)") }
            }
        }
        for failure in failures.prefix(20) { print("failed: \(failure)") }
        print("\(name): \(cases - failures.count) passed, \(failures.count) failed, \(cuts) cuts")
        #expect(cuts > 0)
        #expect(failures.isEmpty)
    }
}

/// A document that is run, cut between instants.
struct CutRun {
    private let document: StreamDocument
    private let library: StreamLibrary
    private let end: StreamTime
    /// The document to which it is edited where it is cut; `nil` to leave it unchanged.
    private let other: StreamDocument?

    init(
        _ document: StreamDocument,
        _ library: StreamLibrary = StreamLibrary(),
        end: StreamTime,
        edited other: StreamDocument? = nil
    ) {
        self.document = document
        self.other = other
        self.library = library
        self.end = end
    }

    /// Returns the difference, and the number of instants at which the run was cut: those for which `isWanted` returns
    /// `true`.
    func problem(_ isWanted: () -> Bool = { true }) throws -> (cuts: Int, problem: String?) {
        let whole = try StreamRun(document, in: library)
        let expected = events(of: whole)
        let run = try StreamRun(document, in: library)
        var (given, cuts): ([StreamEvent<JSON>], Int) = ([], 0)
        // Before it has begun, too.
        while true {
            if isWanted() {
                cuts += 1
                let text = run.checkpoint().text
                let other: StreamRun
                do { other = try StreamRun(document, from: StreamCheckpoint(parsing: text), in: library) } catch {
                    return (cuts, "at \(run.time): \(error)\n\(text)")
                }
                let again = other.checkpoint().text
                if let edited = self.other { try other.edit(to: edited) }
                if again != text { return (cuts, "at \(run.time) saved\n\(text)\nrestored\n\(again)") }
                let events = given + events(of: other)
                if events != expected {
                    return (cuts, "at \(run.time) expected \(show(expected)), got \(show(events))\n\(text)")
                }
            }
            guard let due = run.nextDue, due < end else { return (cuts, nil) }
            run.advance(to: due)
            while let event = run.next() { given.append(placeless(event)) }
        }
    }

    /// Returns the difference between a run that was edited to this document, at instants for which `isWanted` returns
    /// `true`, and one that was then saved and restored.
    func problem(
        _ isWanted: () -> Bool,
        editing old: StreamDocument,
        in oldLibrary: StreamLibrary
    ) throws -> (cuts: Int, problem: String?) {
        let run = try StreamRun(old, in: oldLibrary)
        var cuts = 1
        while let due = run.nextDue, due < end {
            run.advance(to: due)
            guard isWanted() else { continue }
            cuts += 1
            let edited = try StreamRun(old, from: run.checkpoint(), in: oldLibrary)
            let plan = try edited.edit(to: document, in: library)
            let text = edited.checkpoint().text
            let restored = try StreamRun(document, from: StreamCheckpoint(parsing: text), in: library)
            let again = restored.checkpoint().text
            if again != text { return (cuts, "at \(due) saved\n\(text)\nrestored\n\(again)\n\(plan)") }
            let (expected, given) = (events(of: edited), events(of: restored))
            if expected != given {
                return (cuts, "at \(due) expected \(show(expected)), got \(show(given))\n\(text)\n\(plan)")
            }
        }
        return (cuts, nil)
    }

    private func events(of run: StreamRun) -> [StreamEvent<JSON>] {
        var events: [StreamEvent<JSON>] = []
        while let due = run.nextDue, due < end {
            run.advance(to: due)
            while let event = run.next() { events.append(placeless(event)) }
        }
        while let event = run.next() { events.append(placeless(event)) }
        run.close()
        return events
    }

    /// Stages stand at other places after an edit.
    private func placeless(_ event: StreamEvent<JSON>) -> StreamEvent<JSON> {
        guard other != nil, case .failed(let error) = event.kind else { return event }
        return StreamEvent(time: event.time, kind: .failed(StreamError(message: error.message)))
    }

    private func show(_ events: [StreamEvent<JSON>]) -> String { events.map(\.line).joined(separator: " ") }
}
