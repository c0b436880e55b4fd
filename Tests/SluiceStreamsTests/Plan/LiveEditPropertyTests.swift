import SluiceJSON
import Testing

@testable import SluiceStreams

/// The properties of an edit of every parameter of every operator and source: their own examples, each parameter
/// changed in several ways. A new operator is included by its documentation.
struct LiveEditPropertyTests {
    /// An example, and the same with another argument.
    struct Pair: CustomStringConvertible, Sendable {
        let name: String
        let parameter: String
        let old: StreamDocument
        let new: StreamDocument
        let library: StreamLibrary
        /// The marbles that the operator reads; `nil` for a source.
        let input: String?
        var description: String { "\(name).\(parameter): \(old.text) → \(new.text)" }
    }

    /// The seconds by which inputs are late, so that nothing comes at the instant of the subscription.
    static let lateness = 5

    static let pairs: [Pair] = {
        var pairs: [Pair] = []
        for block in DiagramTests.blocks where block.file.contains("/Operators/") || block.file.contains("/Sources/") {
            guard let diagram = try? Diagram(block.lines), var made = try? LiveEditPropertyTests.late(diagram) else {
                continue
            }
            let library = made.library
            let isOperator = diagram.input != nil
            guard case .object = diagram.json, let member = diagram.json.object?.first else { continue }
            let parameters =
                isOperator ? OperatorKind.named[member.key]?.parameters : SourceKind.named[member.key]?.parameters
            for parameter in parameters ?? [] {
                for value in LiveEditPropertyTests.variants(of: member.value[parameter.name], parameter) {
                    guard case .object(var arguments) = member.value else { continue }
                    arguments[parameter.name] = value
                    made.stage = .object([member.key: .object(arguments)])
                    guard let new = try? made.document(), (try? new.flow(in: library)) != nil else { continue }
                    made.stage = diagram.json
                    guard let old = try? made.document() else { continue }
                    pairs.append(
                        Pair(
                            name: member.key,
                            parameter: parameter.name,
                            old: old,
                            new: new,
                            library: library,
                            input: diagram.input
                        )
                    )
                }
            }
        }
        return pairs
    }()

    /// A diagram with late inputs.
    private struct Late {
        var library: StreamLibrary
        let isOperator: Bool
        var stage: JSON

        func document() throws -> StreamDocument {
            var object: JSON.Object = [:]
            object["source"] = isOperator ? ["ref": "input"] : stage
            if isOperator { object["operators"] = [stage] }
            return try StreamDocument(parsing: JSON.object(object).text())
        }
    }

    private static func late(_ diagram: Diagram, by seconds: Int = lateness) throws -> Late {
        let idle = String(repeating: "-", count: seconds)
        var library = StreamLibrary()
        for (name, marbles) in diagram.others {
            library.add(try Diagram.document(name, marbles.contains("^") ? marbles : idle + marbles))
        }
        if let input = diagram.input { library.add(try Diagram.document("input", idle + input)) }
        return Late(library: library, isOperator: diagram.input != nil, stage: diagram.json)
    }

    /// Other values of an argument.
    private static func variants(of value: JSON?, _ parameter: Parameter) -> [JSON] {
        switch (parameter.form, value) {
        case (.seconds, let value?):
            guard let seconds = value.double else { return [] }
            return [seconds / 4, seconds / 2, seconds * 1.5, seconds * 3, seconds + 0.25].map { .double($0) }
        case (.seconds, nil): return [1, 2]
        case (.count, let value?):
            return [.int(Int64((value.int ?? 1) + 1)), .int(Int64(max(0, (value.int ?? 1) - 1)))]
        case (.count, nil): return [1, 2]
        case (.bool, let value): return [.bool(!(value?.bool ?? false)), .bool(value?.bool ?? false)]
        case (.choice(let choices), _): return choices.map { .string($0) }
        case (.expression, let value?): return value.string.map { [.string("(\($0))")] } ?? []
        case (.value, .int(let value)?): return [.int(value + 1)]
        case (.value, nil): return [7]
        case (.values, .array(let values)?): return [.array(values + [7])]
        case (.source, let value?):
            return [
                ["source": value, "operators": [["delay": ["seconds": 0.5]]]], value,
                ["source": value, "operators": [["map": ["expression": "x"]]]],
            ]
        case (.sources, .array(let sources)?): return [.array(sources.reversed()), .array(Array(sources.dropFirst()))]
        case (.operators, .array(let operators)?): return [.array(operators + [["replaceNil": ["value": nil]]])]
        default: return []
        }
    }

    // MARK: Runs

    private static let end = 60.0

    /// The events of a run until the end, its errors without their places.
    private func rest(of run: StreamRun, shifted seconds: Double = 0) throws -> [String] {
        run.advance(to: try #require(StreamTime(seconds: Self.end + seconds)))
        defer { run.close() }
        return try taken(from: run, shifted: seconds)
    }

    private func taken(from run: StreamRun, shifted seconds: Double = 0) throws -> [String] {
        let shift = try #require(StreamTime(seconds: seconds)).nanoseconds
        var lines: [String] = []
        while let event = run.next() {
            let time = StreamTime(nanoseconds: event.time.nanoseconds - shift)
            guard time.seconds <= Self.end else { continue }
            switch event.kind {
            case .value(let value): lines.append("\(time): \(value)")
            case .reported(let error): lines.append("\(time): reported \(error.message)")
            case .completed: lines.append("\(time): |")
            case .failed(let error): lines.append("\(time): # \(error.message)")
            }
        }
        return lines
    }

    /// The instants at which something happens in a run, and some between them.
    private func instants(of document: StreamDocument, _ library: StreamLibrary) throws -> [StreamTime] {
        let run = try StreamRun(document, in: library)
        var instants: [StreamTime] = []
        while let due = run.nextDue, due.seconds < Self.end / 2, instants.count < 40 {
            run.advance(to: due)
            instants.append(due)
            if let between = due.adding(StreamTime(nanoseconds: 300_000_000)) { instants.append(between) }
        }
        run.close()
        return instants.sorted()
    }

    @Test func thereAreManyPairs() {
        #expect(Self.pairs.count > 150)
        #expect(Set(Self.pairs.map(\.name)).count > 50)
    }

    /// An edit at the instant of the subscription equals having begun with the new document.
    @Test func anEditAtTheSubscriptionEqualsAnotherBeginning() throws {
        var count = 0
        for pair in Self.pairs {
            let run = try StreamRun(pair.old, in: pair.library)
            run.advance(to: .zero)
            let fresh = try StreamRun(pair.new, in: pair.library)
            fresh.advance(to: .zero)
            // What was given at that instant can't be taken back.
            guard try taken(from: run).isEmpty, try taken(from: fresh).isEmpty, !run.isEnded, !fresh.isEnded else {
                continue
            }
            let plan = try run.edit(to: pair.new)
            let (expected, given) = (try rest(of: fresh), try rest(of: run))
            #expect(expected == given, "\(pair)\n\(plan)")
            count += 1
        }
        #expect(count > 100)
    }

    /// An edit to the same document changes nothing.
    @Test func anEditToTheSameChangesNothing() throws {
        var seen: Set<String> = []
        for pair in Self.pairs where seen.insert(pair.old.text).inserted {
            let expected = try rest(of: StreamRun(pair.old, in: pair.library))
            for time in try instants(of: pair.old, pair.library) {
                let run = try StreamRun(pair.old, in: pair.library)
                run.advance(to: time)
                let before = run.checkpoint().text
                #expect(try run.edit(to: pair.old).isEmpty, "\(pair)")
                #expect(run.checkpoint().text == before, "\(pair)")
                let given = try rest(of: run)
                #expect(given == expected, "\(pair) at \(time)")
            }
        }
    }

    /// Old, new, and old again at one instant changes nothing where the plan keeps all.
    @Test func thereAndBackChangesNothing() throws {
        var count = 0
        for pair in Self.pairs {
            let expected = try rest(of: StreamRun(pair.old, in: pair.library))
            for time in try instants(of: pair.old, pair.library) {
                let run = try StreamRun(pair.old, in: pair.library)
                run.advance(to: time)
                let there = try run.edit(to: pair.new)
                guard there.keepsAll else { continue }
                let back = try run.edit(to: pair.old)
                guard back.keepsAll else { continue }
                let given = try rest(of: run)
                #expect(given == expected, "\(pair) at \(time)\n\(there)\n\(back)")
                count += 1
            }
        }
        #expect(count > 500)
    }

    /// The operators that remember a time from their subscription on, or say it.
    ///
    /// `retry` and `repeat` read their input again, which is late again.
    private static let timed: Set<String> = ["timestamp", "timeInterval", "measureInterval", "retry", "repeat"]

    /// After an edit with no timer armed and no state, the rest equals a new run whose input begins then.
    @Test func withoutATimerAndAStateTheRestIsANewRun() throws {
        var count = 0
        for pair in Self.pairs where !Self.timed.contains(pair.name) {
            guard let input = pair.input, pair.old.pipeline.references == ["input"],
                pair.new.pipeline.references == ["input"]
            else { continue }
            let fresh = try StreamRun(pair.old, in: pair.library)
            fresh.advance(to: .zero)
            let run = try StreamRun(pair.old, in: pair.library)
            let time = 2
            run.advance(to: try #require(StreamTime(seconds: Double(time))))
            guard try taken(from: run).isEmpty, !run.isEnded else { continue }
            let states = try Self.states(of: run)
            guard states == (try Self.states(of: fresh)), !states.contains("timer") else { continue }
            let plan = try run.edit(to: pair.new)
            let idle = String(repeating: "-", count: Self.lateness - time)
            let library = StreamLibrary([try Diagram.document("input", idle + input)])
            let expected = try rest(of: StreamRun(pair.new, in: library))
            let given = try rest(of: run, shifted: Double(time))
            #expect(given == expected, "\(pair)\n\(plan)")
            count += 1
        }
        #expect(count > 40)
    }

    /// Returns the saved state of the operator, with its nested streams, and only the names of armed timers.
    private static func states(of run: StreamRun) throws -> String {
        let checkpoint = try JSON(parsing: run.checkpoint().text)
        let parts = checkpoint["parts"]?["parts"]?.object ?? [:]
        let own = parts.filter { $0.key != StageKey.source }.map { "\($0.key): \($0.value)" }
        let shared = checkpoint["parts"]?["shared"].map { "\($0)" } ?? ""
        return (own + [shared]).joined(separator: "; ").replacing("\"timer\":[]", with: "")
    }

    // MARK: The plan

    /// An edit does exactly what the plan says: for random pairs of documents, at random instants.
    @Test func theEditDoesWhatThePlanSays() throws {
        var random = Seeded(seed: 13)
        var (kept, reset, dropped) = (0, 0, 0)
        let examples = Self.pairs.filter { $0.input != nil && $0.old.pipeline.references == ["input"] }
            .filter { !["share", "shareReplay"].contains($0.name) }
        for _ in 0..<400 {
            // Operators of both documents have the ids of their kinds.
            func document() throws -> StreamDocument {
                var operators: [Operator] = []
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let pair = try #require(examples.randomElement(using: &random))
                    let pipeline = Bool.random(using: &random) ? pair.old.pipeline : pair.new.pipeline
                    var item = try #require(pipeline.operators.first)
                    item.id = item.name
                    if !operators.contains(where: { $0.id == item.id }) { operators.append(item) }
                }
                return StreamDocument(pipeline: StreamPipeline(source: .reference("input"), operators: operators))
            }
            let library = StreamLibrary([
                try StreamDocument(parsing: #"{"name": "input", "source": {"interval": {"seconds": 1}}}"#)
            ])
            let (old, new) = (try document(), try document())
            guard (try? old.flow(in: library)) != nil, (try? new.flow(in: library)) != nil else { continue }
            let run = try StreamRun(old, in: library)
            run.advance(to: try #require(StreamTime(seconds: Double(Int.random(in: 0...12, using: &random)) / 2)))
            let before = try Self.parts(of: run)
            let wasEnded = run.isEnded
            let plan = try run.plan(to: new)
            #expect(try run.edit(to: new) == plan)
            #expect(plan.isEnded == wasEnded)
            if wasEnded { continue }
            let after = try Self.parts(of: run)
            for step in plan.steps {
                guard let id = step.id, (step.newPath ?? step.oldPath ?? "").count(where: { $0 == "." }) == 1 else {
                    continue
                }
                let isEnded = step.notes.contains(.ended)
                switch step.action {
                case .kept where isEnded: #expect(before[id] == nil && after[id] == nil, "\(plan)\n\(id)")
                case .kept:
                    #expect(before[id] != nil, "\(plan)\n\(id)")
                    // What begins gives its values at once: then the state has gone on.
                    if plan.keepsAll, !run.isEnded { #expect(after[id] == before[id], "\(plan)\n\(id)") }
                    kept += 1
                case .dropped:
                    #expect(after[id] == nil, "\(plan)\n\(id)")
                    dropped += 1
                case .reset, .added:
                    if isEnded { #expect(after[id] == nil, "\(plan)\n\(id)") }
                    reset += 1
                }
            }
            run.close()
        }
        #expect(kept > 10 && reset > 10 && dropped > 10)
    }

    /// The states of the operators of a run without their timers, by their ids.
    private static func parts(of run: StreamRun) throws -> [String: [String: JSON]] {
        let parts = try JSON(parsing: run.checkpoint().text)["parts"]?["parts"]?.object ?? [:]
        var states: [String: [String: JSON]] = [:]
        for (key, part) in parts {
            var own: [String: JSON] = [:]
            for (name, state) in part["states"]?.object ?? [:] where !name.hasPrefix("timer") {
                own[name] = timeless(state)
            }
            states[key] = own
        }
        return states
    }

    /// A state without the times that an edit of a duration moves.
    private static func timeless(_ state: JSON) -> JSON {
        guard case .object(let object) = state else { return state }
        var result: JSON.Object = [:]
        for (name, value) in object where !["due", "since", "duration", "waiting"].contains(name) {
            result[name] = value
        }
        return .object(result)
    }
}
