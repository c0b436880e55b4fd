import Foundation
import SluiceJSON

extension StreamDocument {
    /// Runs a test of the document in virtual time.
    ///
    /// ```swift
    /// let document = try StreamDocument(parsing: #"""
    ///     {"source": {"ref": "numbers"}, "operators": [{"filter": {"expression": "x % 2 == 0"}}],
    ///      "tests": [{"name": "evens", "inputs": {"numbers": "-1-2-|"}, "expect": "---2-|"}]}
    ///     """#)
    /// try document.outcome(of: document.tests[0]).isPassed   // true
    /// ```
    ///
    /// A test that doesn't end is ended after a million instants, or a gigabyte of values, and fails.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - library: The documents that references lead to, unless an input of the test replaces them.
    /// - Throws: `JSONErrors` if the document cannot run; ``MarbleError`` if a diagram of the test is invalid.
    public func outcome(of test: StreamTest, in library: StreamLibrary = StreamLibrary()) throws -> StreamTest.Outcome {
        try outcome(of: test, in: library, TestBudget())
    }

    /// Runs a test as ``outcome(of:in:)`` does, within a budget.
    func outcome(
        of test: StreamTest,
        in library: StreamLibrary,
        _ budget: TestBudget
    ) throws -> StreamTest.Outcome {
        let ids = sinkIDs
        let expected = try ExpectedEvents(test, sinks: ids)
        let inputs = try StreamTest.Inputs(test, frame: expected.frame, expected.values)
        let compiler = StreamCompiler(library: library.replacing(inputs.flows))
        let probe = Probe(onMark: { _, _ in })
        probe.isTracing = false
        // Each test compiles the whole document, which counts even if the run has nothing to do.
        let compilation = Result { try compiled(compiler, [:], probe).json }
        budget.spend(bytes: 0, instants: 1)
        let flow = try compilation.get()
        let sinks = Dictionary(zip(ids, compiler.compiledSinks)) { first, _ in first }
        var trials = expected.deliveries.map { delivery in
            SinkTrial(sinks[delivery.sink], limit: delivery.events.count + Self.surplus)
        }
        // A stream without an expected end runs for the length of the diagrams.
        let length = max(inputs.length, expected.length)
        let limit = expected.isEnded ? nil : length
        let engine = Engine(
            flow.beginning(atWallTime: test.now.flatMap(StreamTest.wallTime) ?? 0),
            limits: TestBudget.limits
        )
        defer { engine.close() }
        var (actual, passed) = ([StreamEvent<JSON>](), 0)
        func spend(_ instants: Int) -> Bool {
            budget.spend(bytes: probe.passedSize - passed, instants: instants)
            passed = probe.passedSize
            return budget.isSpent
        }
        engine.run.interruption = { spend(0) }
        let wanted = expected.stream.map { $0.events.count + Self.surplus } ?? 0
        var isOver = false
        while !isOver, !budget.isSpent {
            // One instant may have many events, and many sinks may evaluate each of them.
            while !isOver, !spend(0), let event = engine.next() {
                if case .reported = event.kind { continue }
                if let limit, event.time >= limit { break }
                if actual.count < wanted { actual.append(event) }
                for index in trials.indices { trials[index].take(event, budget) }
                isOver = event.isLast
            }
            // More events than expected are enough to fail.
            if actual.count >= wanted, trials.allSatisfy(\.isFull) { break }
            guard let due = engine.nextDue, limit.map({ due < $0 }) ?? true, !spend(1) else { break }
            engine.advance(to: due)
        }
        // A batch may be complete by its time.
        if let limit, !isOver, let last = limit.subtracting(StreamTime(nanoseconds: 1)) {
            for index in trials.indices { trials[index].advance(to: last, budget) }
        }
        let outcome = StreamTest.Outcome(
            test: test,
            frame: expected.frame,
            stream: expected.stream?.comparison(actual, before: length, frame: expected.frame),
            deliveries: zip(expected.deliveries, trials).map { delivery, trial in
                delivery.outcome(trial.events, before: length, frame: expected.frame)
            },
            isEndedEarly: budget.isSpent,
            notes: []
        )
        if outcome.isPassed { return outcome }
        var notes = inputs.notes(used: compiler.inputs.used, known: compiler.inputs.known)
        if let reason = budget.reason { notes.insert("the test was ended early: \(reason)", at: 0) }
        return StreamTest.Outcome(
            test: test,
            frame: outcome.frame,
            stream: outcome.stream,
            deliveries: outcome.deliveries,
            isEndedEarly: outcome.isEndedEarly,
            notes: notes
        )
    }

    /// The number of unexpected events that are enough to fail.
    private static let surplus = 100
}
