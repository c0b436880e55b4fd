public import SluiceJSON

/// A test in a document: the expected events for given inputs, as marbles.
public struct StreamTest: Sendable, Hashable {
    /// The name of the test.
    public var name: String
    /// The number of seconds that one character of the marbles lasts.
    public var frame: Double
    /// The streams that replace those that the document refers to, by their names.
    public var inputs: [String: String]
    /// The values of single characters in the marbles.
    public var values: [String: JSON]
    /// The expected events of the stream.
    public var expect: String
    /// Further members: `x-…`, and unknown ones.
    var kept: [KeptMember] = []
    /// The whole test as it appears in its text, if it can't be read.
    var unread: JSONSlice?

    /// Creates a test.
    public init(
        name: String = "test",
        frame: Double = 0.001,
        inputs: [String: String] = [:],
        values: [String: JSON] = [:],
        expect: String
    ) {
        self.name = name
        self.frame = frame
        self.inputs = inputs
        self.values = values
        self.expect = expect
    }
}

extension DocumentReader {
    /// Reads a test; an unreadable one is reported and kept unchanged.
    mutating func test(_ node: JSONNode) -> StreamTest {
        let known = check.errors.count
        if let test = readTest(node), check.errors.count == known { return test }
        var test = StreamTest(expect: "")
        test.unread = JSONSlice(node)
        return test
    }

    private mutating func readTest(_ node: JSONNode) -> StreamTest? {
        let keys = ["name", "frame", "inputs", "values", "expect"]
        guard let fields = check.object(node, keys: keys, required: ["expect"]) else { return nil }
        let name = check.string(fields["name"]) ?? "test"
        let frame = check.double(fields["frame"], in: 1e-9...StreamTime.maximumSeconds) ?? 0.001
        var inputs: [String: String] = [:]
        if let node = fields["inputs"], check.expect(.object, node) {
            for member in node.members { inputs[member.key] = check.string(member.value) }
        }
        var values: [String: JSON] = [:]
        if let node = fields["values"], check.expect(.object, node) {
            for member in node.members { values[member.key] = value(member.value) }
        }
        guard let expect = check.string(fields["expect"]) else { return nil }
        var test = StreamTest(name: name, frame: frame, inputs: inputs, values: values, expect: expect)
        test.kept = fields.others.map { KeptMember(key: $0.key, value: JSONSlice($0.value)) }
        return test
    }
}
