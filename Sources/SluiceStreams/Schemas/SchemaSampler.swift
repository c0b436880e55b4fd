public import SluiceJSON

/// An inference of a schema from samples of items.
///
/// ```swift
/// var sampler = SchemaSampler()
/// sampler.add(["id": 1, "name": "a"])
/// sampler.add(["id": 2, "name": nil])
/// sampler.schema["required"]   // ["id", "name"]
/// ```
///
/// Every sample meets the schema, and ``ItemSchema`` can read it. The order of its properties is that of their first
/// occurrence. Memory is bounded by the largest schema, whatever the samples are.
public struct SchemaSampler: Sendable {
    private var root = Place()
    /// The number of places so far.
    private var placeCount = 1
    /// The number of samples.
    public private(set) var count = 0

    /// The limits beyond which nothing more is said about an object.
    enum Limits {
        static let places = SchemaReader.Limits.schemas - 200
        static let depth = SchemaReader.Limits.depth - 2
        static let nameLength = 200
    }

    /// Creates an inference without samples.
    public init() {}

    /// Adds a sample.
    ///
    /// - Complexity: O(*n*) in the values of the sample.
    public mutating func add(_ sample: JSON) {
        count += 1
        root.add(sample, depth: 1, &placeCount)
    }

    /// The schema that all samples meet; without samples, it allows anything.
    public var schema: JSON { root.schema }
}

/// The values that were seen at one place of the samples.
private struct Place: Sendable {
    private var counts: [SchemaNode.Kind: Int] = [:]
    private var names: [String] = []
    private var members: [String: Place] = [:]
    /// A Boolean value that indicates whether objects had members that are not kept.
    private var isOpen = false
    /// The elements of arrays; empty or one, so that a place can contain places.
    private var elements: [Place] = []
    /// A Boolean value that indicates whether nothing is said about the values, since they are too deep.
    private var isUnknown = false
    private var total = 0

    mutating func add(_ value: JSON, depth: Int, _ placeCount: inout Int) {
        total += 1
        guard depth <= SchemaSampler.Limits.depth else {
            isUnknown = true
            return
        }
        let kind: SchemaNode.Kind
        switch value {
        case .null: kind = .null
        case .bool: kind = .boolean
        case .int: kind = .integer
        case .string: kind = .string
        case .array(let array):
            kind = .array
            addElements(array, depth, &placeCount)
        case .object(let object):
            kind = .object
            addMembers(object, depth, &placeCount)
        default: kind = .number
        }
        counts[kind, default: 0] += 1
    }

    private mutating func addElements(_ array: [JSON], _ depth: Int, _ placeCount: inout Int) {
        guard !array.isEmpty else { return }
        if elements.isEmpty {
            placeCount += 1
            elements.append(Place())
            // A place beyond the limit says nothing, and takes no more.
            if placeCount > SchemaSampler.Limits.places { elements[0].isUnknown = true }
        }
        if elements[0].isUnknown { return }
        for element in array { elements[0].add(element, depth: depth + 1, &placeCount) }
    }

    private mutating func addMembers(_ object: JSON.Object, _ depth: Int, _ placeCount: inout Int) {
        for member in object {
            if members[member.key] == nil {
                guard placeCount < SchemaSampler.Limits.places, !isOpen,
                    member.key.utf8.count <= SchemaSampler.Limits.nameLength
                else {
                    isOpen = true
                    continue
                }
                placeCount += 1
                names.append(member.key)
                members[member.key] = Place()
            }
            members[member.key]?.add(member.value, depth: depth + 1, &placeCount)
        }
    }

    var schema: JSON {
        if isUnknown || total == 0 { return [:] }
        var schema: JSON.Object = [:]
        var kinds = SchemaNode.Kind.allCases.filter { counts[$0] != nil }
        if kinds.contains(.number) { kinds.removeAll { $0 == .integer } }
        let types = kinds.map { JSON.string($0.rawValue) }
        schema["type"] = types.count == 1 ? types[0] : .array(types)
        if let objects = counts[.object] {
            var properties: JSON.Object = [:]
            for name in names { properties[name] = members[name]?.schema }
            schema["properties"] = .object(properties)
            let required = names.filter { members[$0]?.total == objects }
            if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
            if isOpen { schema["additionalProperties"] = true }
        }
        if let element = elements.first?.schema, element != [:] { schema["items"] = element }
        return .object(schema)
    }
}
