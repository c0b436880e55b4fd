import Sluice
import SluiceExpressions
import SluiceJSON

extension StreamTest {
    /// The streams that the inputs of a test give.
    struct Inputs {
        /// The streams, by their names.
        private(set) var flows: [String: Flow<CELValue>] = [:]
        /// The length of the longest diagram.
        private(set) var length = StreamTime.zero

        /// Reads the inputs of a test.
        ///
        /// - Throws: ``MarbleError`` for an invalid diagram.
        init(_ test: StreamTest, frame: StreamTime, _ values: JSON.Object) throws(MarbleError) {
            for (number, (name, input)) in test.inputs.sorted(by: { $0.key < $1.key }).enumerated() {
                var timelines: [Timeline<CELValue>] = []
                var isHot = false
                for (index, text) in input.diagrams.enumerated() {
                    let place = "the input \(JSON.string(name))" + (input.isSuccessive ? ", diagram \(index + 1)" : "")
                    isHot = isHot || text.contains("^")
                    if isHot, input.isSuccessive {
                        let hint = "a diagram begins with its subscription: leave out the ^"
                        throw MarbleError(message: "\(place): one of several diagrams can't be hot", hint: hint)
                    }
                    do throws(MarbleError) {
                        let kind: Marbles.Kind = isHot ? .hot : .cold
                        let marbles = try Marbles(parsing: text, kind, frame: frame, values: values)
                        timelines.append(try Timeline(marbles))
                        length = max(length, marbles.length)
                    } catch {
                        throw MarbleError(column: error.column, message: "\(place): \(error.message)", hint: error.hint)
                    }
                }
                if input.isSuccessive {
                    flows[name] = .successive(timelines, name: name)
                } else if let timeline = timelines.first {
                    flows[name] = isHot ? .hot(timeline, number: number) : .cold(timeline)
                }
            }
        }

        /// The number of inputs that replace nothing of which each has a note.
        static let notedInputs = 10
        /// The number of names with which a name that replaces nothing is compared.
        static let comparedNames = 300

        /// Returns notes on the inputs that replace nothing: one for each of the first, and one for all others.
        ///
        /// - Parameters:
        ///   - used: The names of the inputs that replace something.
        ///   - known: The names under which something could be replaced.
        func notes(used: Set<String>, known: Set<String>) -> [String] {
            let unused = flows.keys.filter { !used.contains($0) }.sorted()
            if unused.isEmpty { return [] }
            let known = Array(known.sorted().prefix(Self.comparedNames))
            var notes = unused.prefix(Self.notedInputs).map { name in
                let near = nearestName(to: name, among: known).map { "did you mean \(JSON.string($0))?" }
                let all =
                    known.isEmpty
                    ? "the stream reads nothing of the outside world"
                    : "known: " + known.prefix(20).joined(separator: ", ")
                return "the input \(JSON.string(name)) replaces nothing (\(near ?? all))"
            }
            let others = unused.count - notes.count
            if others > 0 { notes.append("\(others) more of the inputs replace nothing") }
            return notes
        }
    }
}

/// The names of a test's inputs that replaced something, and those that could have.
final class UsedInputs: Sendable {
    private let names: Locked<(used: Set<String>, known: Set<String>)> = Locked(([], []))

    var used: Set<String> { names.withLock { $0.used } }
    var known: Set<String> { names.withLock { $0.known } }

    func use(_ name: String) { _ = names.withLock { $0.used.insert(name) } }
    func know(_ name: String) { _ = names.withLock { $0.known.insert(name) } }
}

extension Flow<CELValue> {
    /// Returns a stream of which each subscription in a run plays the next recording from its start; one more fails.
    static func successive(_ timelines: [Timeline<CELValue>], name: String) -> Flow {
        let token = Token()
        return Flow { scope, sink in
            let counter = scope.run.common(token) { SubscriptionCount() }
            counter.count += 1
            guard counter.count <= timelines.count else {
                let diagrams = timelines.count == 1 ? "1 diagram" : "\(timelines.count) diagrams"
                let text = "the input \(JSON.string(name)) of the test has \(diagrams), and this is subscription "
                return sink.finish(.failed(StreamError(message: text + "\(counter.count)")))
            }
            Flow.cold(timelines[counter.count - 1]).subscribe(scope, sink)
        }
    }

    /// Returns a stream that ends with its first value, as the response to a request does.
    func answering() -> Flow {
        lift { _, sink in
            sink.receiving { (value: CELValue) in
                sink.receive(value)
                sink.finish(.completed)
            }
        }
    }
}

/// The number of subscriptions of an input in a run.
private final class SubscriptionCount {
    var count = 0
}
