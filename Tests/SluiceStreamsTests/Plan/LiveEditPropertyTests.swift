import Foundation
import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// The properties of an edit of every parameter of every operator and source: their own examples, each parameter
/// changed in several ways. A new operator is included by its documentation.
struct LiveEditPropertyTests {
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
            case .reported(let error): lines.append("\(time): reported \(Self.cause(error))")
            case .completed: lines.append("\(time): |")
            case .failed(let error): lines.append("\(time): # \(Self.cause(error))")
            }
        }
        return lines
    }

    /// Returns the message of an error without the addition that names an edit as its cause.
    private static func cause(_ error: StreamError) -> String {
        error.message.components(separatedBy: "; the edit at ")[0]
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

    /// The kinds of operators and sources that have a parameter.
    private static let kinds: Set<String> = Set(
        OperatorKind.all.filter { !$0.parameters.isEmpty }.map { "operator \($0.name)" }
            + SourceKind.all.filter { !$0.parameters.isEmpty }.map { "source \($0.name)" }
    )

    /// The parameters that no edit changes here: those of references, which `RunPlanTests` changes, and those whose values
    /// have a form of their own: `ScheduleTests` changes a schedule.
    static let uncovered: Set<String> = [
        "source ref.id", "source ref.parameters", "source schedule.cron", "source schedule.zone",
    ]

    /// All parameters: `operator delay.seconds`.
    static let parameters: Set<String> = {
        var names: Set<String> = []
        for kind in OperatorKind.all { names.formUnion(kind.parameters.map { "operator \(kind.name).\($0.name)" }) }
        for kind in SourceKind.all { names.formUnion(kind.parameters.map { "source \(kind.name).\($0.name)" }) }
        return names
    }()

    /// Returns the parameters that a property has not tried and should have, and those that it has tried and lists.
    private static func faults(
        _ tried: Set<String>,
        but exceptions: (kinds: Set<String>, parameters: Set<String>),
        of prefix: String = ""
    ) -> Set<String> {
        let excepted = parameters.filter { parameter in
            exceptions.kinds.contains { parameter.hasPrefix("\($0).") } || exceptions.parameters.contains(parameter)
        }
        let wanted = parameters.subtracting(uncovered).filter { $0.hasPrefix(prefix) }
        return wanted.subtracting(tried).symmetricDifference(excepted.intersection(wanted))
    }

    /// Every parameter of every operator and source is changed, except for those of the list.
    @Test func everyParameterIsChanged() {
        #expect(Self.parameters.subtracting(Self.pairs.map(\.place)) == Self.uncovered)
    }

    /// An edit at the instant of the subscription equals having begun with the new document.
    @Test func anEditAtTheSubscriptionEqualsAnotherBeginning() throws {
        var tried: Set<String> = []
        for pair in Self.pairs {
            let run = try StreamRun(pair.old, in: pair.library)
            run.advance(to: .zero)
            let fresh = try StreamRun(pair.new, in: pair.library)
            fresh.advance(to: .zero)
            // Values of that instant can't be taken back.
            guard try taken(from: run).isEmpty, try taken(from: fresh).isEmpty, !run.isEnded, !fresh.isEnded else {
                continue
            }
            let plan = try run.edit(to: pair.new)
            let (expected, given) = (try rest(of: fresh), try rest(of: run))
            #expect(expected == given, "\(pair)\n\(plan)")
            tried.insert(pair.place)
        }
        #expect(Self.faults(tried, but: LiveEditExceptions.atTheSubscription) == [])
    }

    /// An edit at the instant at which a stage subscribes to a stream, later than the run itself, equals having begun with
    /// the new document.
    @Test(arguments: [
        #"{"source": {"timer": {"seconds": 1}}, "operators": [{"flatMap": {"to": STREAM}}]}"#,
        #"{"source": {"timer": {"seconds": 1}}, "operators": [{"switchMap": {"to": {"defer": {"source": STREAM}}}}]}"#,
        #"{"source": {"timer": {"seconds": 1}}, "operators": [{"ignoreOutput": {}}, {"append": {"source": STREAM}}]}"#,
        #"{"source": {"timer": {"seconds": 1}}, "operators": [{"map": {"expression": "1 / x"}}, {"catch": {"source": STREAM}}]}"#,
    ]) func anEditAtALaterSubscriptionEqualsAnotherBeginning(_ around: String) throws {
        var tried: Set<String> = []
        // A hot source begins with the run, and not with the subscription to it.
        for pair in Self.pairs where !pair.isOperator && pair.parameter != "hot" {
            func document(_ inner: StreamDocument) throws -> StreamDocument {
                let source = try #require(try JSON(parsing: inner.text)["source"])
                return try StreamDocument(parsing: around.replacing("STREAM", with: source.text()))
            }
            let second = try #require(StreamTime(seconds: 1))
            let new = try document(pair.new)
            let run = try StreamRun(document(pair.old), in: pair.library)
            run.advance(to: second)
            let fresh = try StreamRun(new, in: pair.library)
            fresh.advance(to: second)
            guard try taken(from: run).isEmpty, try taken(from: fresh).isEmpty, !run.isEnded, !fresh.isEnded else {
                continue
            }
            let plan = try run.edit(to: new)
            let (expected, given) = (try rest(of: fresh), try rest(of: run))
            #expect(expected == given, "\(pair)\n\(plan)")
            tried.insert(pair.place)
        }
        #expect(Self.faults(tried, but: LiveEditExceptions.atALaterSubscription, of: "source ") == [])
    }

    /// An edit to the same document changes nothing.
    @Test func anEditToTheSameChangesNothing() throws {
        var (seen, tried): (Set<String>, Set<String>) = ([], [])
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
                tried.insert(pair.kind)
            }
        }
        #expect(Self.kinds.subtracting(tried) == LiveEditExceptions.toTheSame)
    }

    /// Old, new, and old again at one instant changes nothing where the plan keeps all.
    @Test func thereAndBackChangesNothing() throws {
        var tried: Set<String> = []
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
                tried.insert(pair.place)
            }
        }
        #expect(Self.faults(tried, but: LiveEditExceptions.thereAndBack) == [])
    }

    /// The operators that remember a time from their subscription on, or say it.
    ///
    /// `retry` and `repeat` read their input again, which is late again.
    private static let timed: Set<String> = ["timestamp", "timeInterval", "measureInterval", "retry", "repeat"]

    /// After an edit with no timer armed and no state, the rest equals a new run whose input begins then: before the first
    /// item, and after each.
    @Test func withoutATimerAndAStateTheRestIsANewRun() throws {
        var (early, late): (Set<String>, Set<String>) = ([], [])
        for pair in Self.pairs where !Self.timed.contains(pair.name) {
            guard pair.input != nil, pair.old.pipeline.references == ["input"],
                pair.new.pipeline.references == ["input"], case .document(let input) = pair.library.find("input")
            else { continue }
            let fresh = try StreamRun(pair.old, in: pair.library)
            fresh.advance(to: .zero)
            let begun = try StreamRun(pair.new, in: pair.library)
            begun.advance(to: .zero)
            // Values of the subscription don't come again after an edit.
            guard try taken(from: fresh).isEmpty, try taken(from: begun).isEmpty, !begun.isEnded else { continue }
            let events = Array(try input.virtualEvents(until: StreamTime(seconds: Self.end)))
            let second: Int64 = 1_000_000_000
            for time in Set([2] + events.map { $0.time.nanoseconds / second }).sorted() {
                let run = try StreamRun(pair.old, in: pair.library)
                run.advance(to: StreamTime(nanoseconds: time * second))
                _ = try taken(from: run)
                guard !run.isEnded else { break }
                let states = try Self.states(of: run)
                guard states == (try Self.states(of: fresh)), !states.contains("timer") else { continue }
                let plan = try run.edit(to: pair.new)
                // The rest of the input.
                let rest = events.filter { $0.time.nanoseconds > time * second }
                    .map { event in
                        StreamEvent(
                            time: StreamTime(nanoseconds: event.time.nanoseconds - time * second),
                            kind: event.kind
                        )
                    }
                guard !rest.isEmpty else { break }
                let marbles = try Marbles(rest)
                let frame = JSON.double(marbles.frame.seconds)
                let source: JSON = ["marbles": ["text": .string(marbles.text), "frame": frame]]
                let named = JSON.object(["name": "input", "source": source])
                let library = StreamLibrary([try StreamDocument(parsing: named.text())])
                let expected = try self.rest(of: StreamRun(pair.new, in: library))
                let given = try self.rest(of: run, shifted: Double(time))
                #expect(given == expected, "\(pair) at \(time)\n\(plan)")
                if time == 2 { early.insert(pair.kind) } else { late.insert(pair.kind) }
            }
        }
        let operators = Self.kinds.filter { $0.hasPrefix("operator ") }
        #expect(operators.subtracting(early) == LiveEditExceptions.beforeTheFirstItem)
        #expect(operators.subtracting(late) == LiveEditExceptions.betweenItems)
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
                    // A source that begins emits its values at once: then the state has gone on.
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
