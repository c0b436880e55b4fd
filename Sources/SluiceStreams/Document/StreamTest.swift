public import SluiceJSON

/// A test in a document: for given inputs, the expected events of the stream, the expected deliveries of its sinks, or
/// both, as marbles.
public struct StreamTest: Sendable, Hashable {
    /// The name of the test.
    public var name: String
    /// The number of seconds that one character of the marbles lasts.
    public var frame: Double
    /// The streams that replace those that the document refers to, and the sources of the outside world, by their names.
    public var inputs: [String: Input]
    /// The values of single characters in the marbles.
    public var values: [String: JSON]
    /// The expected events of the stream; `nil` if they don't matter.
    public var expect: String?
    /// The expected deliveries, by the ids of the sinks.
    public var delivers: [String: String]
    /// The wall time at which the run begins, such as `2026-03-01T09:00:00Z`; `nil` for 1970-01-01T00:00:00Z.
    public var now: String?
    /// Further members: `x-…`, and unknown ones.
    var kept: [KeptMember] = []
    /// The whole test as it appears in its text, if it can't be read.
    var unread: JSONSlice?

    /// Creates a test.
    public init(
        name: String = "test",
        frame: Double = 0.001,
        inputs: [String: Input] = [:],
        values: [String: JSON] = [:],
        expect: String? = nil,
        delivers: [String: String] = [:],
        now: String? = nil
    ) {
        self.name = name
        self.frame = frame
        self.inputs = inputs
        self.values = values
        self.expect = expect
        self.delivers = delivers
        self.now = now
    }

    /// A stream that replaces another in a test: one diagram, or several for subscriptions that follow each other.
    ///
    /// ```swift
    /// let test = StreamTest(inputs: ["poll": "-a-b|", "request": ["-#", "--a"]], expect: "---a|")
    /// ```
    public struct Input: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
        /// The diagrams.
        public let diagrams: [String]
        /// A Boolean value that indicates whether each subscription takes the next diagram, and fails if no more is left.
        public let isSuccessive: Bool

        /// Creates an input that is the same for every subscription; one with a `^` is hot.
        public init(_ diagram: String) { (diagrams, isSuccessive) = ([diagram], false) }

        /// Creates an input of which the first subscription takes the first diagram, the second one the second, and so on.
        public init(successive diagrams: [String]) { (self.diagrams, isSuccessive) = (diagrams, true) }

        /// Creates an input that is the same for every subscription.
        public init(stringLiteral diagram: String) { self.init(diagram) }

        /// Creates an input with a diagram for each subscription.
        public init(arrayLiteral diagrams: String...) { self.init(successive: diagrams) }

        /// The input as it appears in a document.
        var json: JSON { isSuccessive ? .array(diagrams.map { .string($0) }) : .string(diagrams.first ?? "") }
    }
}

extension DocumentReader {
    /// Reads a test; an unreadable one is reported and kept unchanged.
    mutating func test(_ node: JSONNode) -> StreamTest {
        let known = check.errors.count
        if let test = readTest(node), check.errors.count == known { return test }
        var test = StreamTest()
        test.unread = JSONSlice(node)
        return test
    }

    private mutating func readTest(_ node: JSONNode) -> StreamTest? {
        let keys = ["name", "frame", "inputs", "values", "expect", "delivers", "now"]
        let isOfSinks = node.kind == .object && node["delivers"] != nil
        guard let fields = check.object(node, keys: keys, required: isOfSinks ? [] : ["expect"]) else { return nil }
        let name = check.string(fields["name"]) ?? "test"
        let frame = check.double(fields["frame"], in: 1e-9...StreamTime.maximumSeconds) ?? 0.001
        var inputs: [String: StreamTest.Input] = [:]
        if let node = fields["inputs"], check.expect(.object, node) {
            for member in node.members { inputs[member.key] = input(member.value) }
        }
        var values: [String: JSON] = [:]
        if let node = fields["values"], check.expect(.object, node) {
            for member in node.members { values[member.key] = value(member.value) }
        }
        var test = StreamTest(name: name, frame: frame, inputs: inputs, values: values)
        if let node = fields["expect"] {
            guard let expect = check.string(node) else { return nil }
            test.expect = expect
        }
        if let node = fields["delivers"], check.expect(.object, node) {
            for member in node.members { test.delivers[member.key] = check.string(member.value) }
        }
        guard test.expect != nil || isOfSinks else { return nil }
        if let node = fields["now"] {
            guard let now = check.string(node) else { return nil }
            guard StreamTest.wallTime(now) != nil else {
                check.note(at: node, "expected a time such as 2026-03-01T09:00:00Z")
                return nil
            }
            test.now = now
        }
        test.kept = fields.others.map { KeptMember(key: $0.key, value: JSONSlice($0.value)) }
        return test
    }

    private mutating func input(_ node: JSONNode) -> StreamTest.Input? {
        if node.kind == .array {
            return StreamTest.Input(successive: node.elements.compactMap { check.string($0) })
        }
        guard node.kind == .string else {
            check.note(.wrongType, at: node, "expected a diagram, or an array of diagrams")
            return nil
        }
        return check.string(node).map { StreamTest.Input($0) }
    }

    /// Reports the deliveries that tests expect of sinks that the document doesn't have.
    ///
    /// - Parameters:
    ///   - tests: The array of tests.
    ///   - ids: The ids of the sinks.
    mutating func checkDeliveries(_ tests: JSONNode?, of ids: [String]) {
        guard let tests, tests.kind == .array else { return }
        let known = Set(ids)
        for test in tests.elements {
            guard test.kind == .object, let delivers = test["delivers"], delivers.kind == .object else { continue }
            for member in delivers.members where !known.contains(member.key) {
                // The message and the hint are made only if the error is kept.
                check.note(
                    at: member.keyNode,
                    "there is no sink with the id \(JSON.string(member.key))",
                    hint: Self.hint(for: member.key, among: ids)
                )
            }
        }
    }

    /// Returns the sink that was probably meant, of the first few hundred, or the first ids.
    private static func hint(for id: String, among ids: [String]) -> String {
        if ids.isEmpty { return "the document has no sinks" }
        if let near = nearestName(to: id, among: Array(ids.prefix(200))) {
            return "did you mean \(JSON.string(near))?"
        }
        return "known: " + ids.prefix(20).joined(separator: ", ")
    }
}
