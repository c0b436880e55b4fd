public import SluiceJSON

/// A test that a document carries: what it gives, in marbles, for inputs in marbles.
public struct StreamTest: Sendable, Hashable {
    /// What it shows.
    public var name: String
    /// How many seconds one character of the marbles lasts.
    public var frame: Double
    /// The streams that stand in for those that the document refers to, by their names.
    public var inputs: [String: String]
    /// What single characters in the marbles stand for.
    public var values: [String: JSON]
    /// What the stream gives.
    public var expect: String
    /// Further members: `x-…`, and those that are not known.
    var kept: [KeptMember] = []
    /// The whole test as it stands in its text, where it can't be read.
    var unread: JSONSlice?

    /// Makes a test.
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
    /// Reads a test; one that can't be read is noted and kept as it stands.
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
