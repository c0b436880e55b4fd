// A missing value is no error here: `object(_:keys:required:)` reports missing keys.

extension JSONValidator {
    /// Returns a Boolean value that indicates whether the value is of this kind; records an error if not.
    @discardableResult
    public mutating func expect(_ kind: JSONNode.Kind, _ node: JSONNode) -> Bool {
        if node.kind == kind { return true }
        note(.wrongType, at: node, "expected \(kind.phrase), found \(node.kind.phrase)")
        return false
    }

    /// Returns the string, or nil with an error recorded.
    public mutating func string(_ node: JSONNode?) -> String? { checked(node, .string)?.string }

    /// Returns the Boolean value, or nil with an error recorded.
    public mutating func bool(_ node: JSONNode?) -> Bool? { checked(node, .bool)?.bool }

    /// Returns the elements of an array; empty if the value is missing or isn't an array.
    public mutating func elements(_ node: JSONNode?) -> [JSONNode] {
        checked(node, .array).map { Array($0.elements) } ?? []
    }

    /// Returns the value if it exists and is of this kind.
    private mutating func checked(_ node: JSONNode?, _ kind: JSONNode.Kind) -> JSONNode? {
        if let node, expect(kind, node) { node } else { nil }
    }

    /// Returns the whole number if it is in a range, or nil with an error recorded.
    public mutating func int(_ node: JSONNode?, in range: ClosedRange<Int> = Int.min...Int.max) -> Int? {
        guard let node = checked(node, .number) else { return nil }
        guard node.isWholeNumber else {
            note(at: node, "expected a whole number, found \(node.sourceText)")
            return nil
        }
        guard let value = node.int else {
            note(.numberOutOfRange, at: node, "the number \(node.sourceText) does not fit into 64 bits")
            return nil
        }
        guard range.contains(value) else {
            note(.numberOutOfRange, at: node, "the number \(value) is not \(JSONValidator.phrase(range))")
            return nil
        }
        return value
    }

    /// Returns the number as a double if it is in a range, or nil with an error recorded.
    public mutating func double(
        _ node: JSONNode?,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) -> Double? {
        guard let node = checked(node, .number) else { return nil }
        guard let value = node.double else {
            note(.numberOutOfRange, at: node, "the number \(node.sourceText) is beyond the largest double")
            return nil
        }
        guard range.contains(value) else {
            note(.numberOutOfRange, at: node, "the number \(node.sourceText) is not \(JSONValidator.phrase(range))")
            return nil
        }
        return value
    }

    /// Returns the string if it is one of these, or nil with an error recorded.
    public mutating func string(_ node: JSONNode?, oneOf values: [String]) -> String? {
        guard let node, let value = string(node) else { return nil }
        if values.contains(value) { return value }
        note(
            at: node,
            "\(JSON.string(value)) is not allowed here",
            hint: nearestName(to: value, among: values).map { "did you mean \(JSON.string($0))?" }
                ?? "one of: " + values.joined(separator: ", ")
        )
        return nil
    }

    /// Returns the value as ``JSON``.
    public mutating func json(_ node: JSONNode?) -> JSON? {
        guard let node else { return nil }
        do throws(JSONError) {
            return try node.json()
        } catch {
            note(error)
            return nil
        }
    }

    private static func phrase<Bound>(_ range: ClosedRange<Bound>) -> String where Bound: Comparable {
        if let range = range as? ClosedRange<Int> {
            if range.upperBound == .max { return "at least \(range.lowerBound)" }
            if range.lowerBound == .min { return "at most \(range.upperBound)" }
        }
        if let range = range as? ClosedRange<Double> {
            let lower = JSON.double(range.lowerBound)
            let upper = JSON.double(range.upperBound)
            if range.upperBound >= .greatestFiniteMagnitude { return "at least \(lower)" }
            if range.lowerBound <= -.greatestFiniteMagnitude { return "at most \(upper)" }
            return "from \(lower) to \(upper)"
        }
        return "from \(range.lowerBound) to \(range.upperBound)"
    }
}

extension JSONNode.Kind {
    /// The kind with its article: `a string`, `null`.
    var phrase: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
