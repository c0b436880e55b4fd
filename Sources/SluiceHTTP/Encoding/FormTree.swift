import Foundation
import SluiceJSON

/// A value on its way to fields: what it encoded, its leaves as text, names not put together yet.
final class FormTree {
    /// What a value is.
    enum Content {
        /// Nothing was encoded.
        case nothing
        case null
        case text(String)
        case array([FormTree])
        case object(Object)
    }

    /// The members of an object, each key once.
    struct Object {
        private(set) var members: [(key: String, value: FormTree)] = []
        private var places: [String: Int] = [:]

        /// Returns a new tree for the member with a key; one that containers were handed out for stays, and has a fault.
        mutating func add(_ key: String) -> FormTree {
            let tree = FormTree()
            if let place = places[key] {
                if members[place].value.isShared {
                    members[place].value.fault = .conflict(key)
                } else {
                    members[place].value = tree
                }
            } else {
                places[key] = members.count
                members.append((key, tree))
            }
            return tree
        }

        /// Returns the tree for the member with a key, to be filled by containers: the one that is there, or a new one.
        mutating func share(_ key: String) -> FormTree {
            let tree = if let place = places[key] { members[place].value } else { add(key) }
            tree.isShared = true
            return tree
        }

        /// Adds a member whose key is known to be new.
        mutating func append(_ key: String, _ tree: FormTree) { members.append((key, tree)) }
    }

    /// How deep values may lie in each other.
    static let maximumDepth = 512

    var content: Content = .nothing
    /// Whether the order in which elements or members came is that of a hash table.
    var isUnordered = false
    /// A Boolean value that indicates whether nested containers or super encoders were handed out for the value: they fill
    /// one value together.
    var isShared = false
    /// The error of a value that was encoded in two ways that contradict each other.
    var fault: EncodingError?

    init() {}

    init(_ value: some Encodable, encoder: URLEncodedFormEncoder) throws {
        try FormTreeEncoder(tree: self, options: encoder).set(value)
    }

    init(_ values: [String: any Encodable & Sendable], encoder: URLEncodedFormEncoder) throws {
        var object = Object()
        for (key, value) in values {
            let tree = object.add(key)
            try FormTreeEncoder(tree: tree, options: encoder).child(tree, FormKey(key)).set(value)
        }
        isUnordered = true
        content = .object(object)
    }

    /// Returns a tree for the member of this object with a key; a value of another kind becomes an object.
    ///
    /// - Parameter isShared: whether containers fill it, also several for the same key.
    func member(_ key: String, isShared: Bool = false) -> FormTree {
        var object = if case .object(let object) = content { object } else { Object() }
        content = .nothing
        defer { content = .object(object) }
        return isShared ? object.share(key) : object.add(key)
    }

    /// A tree for the next element of this array; what was no array becomes one.
    func element() -> FormTree {
        var elements = if case .array(let elements) = content { elements } else { [FormTree]() }
        content = .nothing
        let tree = FormTree()
        elements.append(tree)
        content = .array(elements)
        return tree
    }

    /// The members of an object under their names, in the order in which they are written.
    func members(
        of object: Object,
        encoder: URLEncodedFormEncoder
    ) -> [(name: String, value: FormTree)] {
        let named = object.members.map { (name: encoder.keyEncodingStrategy.name(of: $0.key), value: $0.value) }
        guard isUnordered || encoder.order == .alphabetized else { return named }
        return sorted(named, by: \.name)
    }

    /// The elements of an array, in the order in which they are written.
    func elements(of array: [FormTree]) -> [FormTree] {
        isUnordered ? sorted(array.map { (text: $0.sortText, tree: $0) }, by: \.text).map(\.tree) : array
    }

    /// Sorts by the scalars of a text; what is equal keeps its order.
    private func sorted<Element>(_ elements: [Element], by text: (Element) -> String) -> [Element] {
        elements.enumerated().sorted { left, right in
            let (one, other) = (text(left.element).utf8, text(right.element).utf8)
            if one.lexicographicallyPrecedes(other) { return true }
            return left.offset < right.offset && !other.lexicographicallyPrecedes(one)
        }.map(\.element)
    }

    /// What elements of a set are sorted by.
    private var sortText: String {
        switch content {
        case .nothing, .null: ""
        case .text(let text): text
        case .array(let elements): self.elements(of: elements).map(\.sortText).joined(separator: ",")
        case .object(let object):
            sorted(object.members, by: \.key).map { "\($0.key)=\($0.value.sortText)" }.joined(separator: "&")
        }
    }
}

extension EncodingError {
    /// The error of a value that was encoded in two ways that contradict each other.
    fileprivate static func conflict(_ key: String) -> EncodingError {
        .invalidValue(
            key,
            .init(
                codingPath: [FormKey(key)],
                debugDescription: "The value is encoded twice: by a container of its own, and as another value."
            )
        )
    }
}

/// A key with any name.
struct FormKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { self.init(stringValue: name) }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
