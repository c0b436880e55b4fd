#if HTTP
import Foundation
import SluiceJSON

/// A value that is being converted to fields: its encoded contents with leaves as text, before names are joined.
final class FormTree {
    /// The kind of a value.
    enum Content {
        /// Nothing was encoded.
        case nothing
        case null
        case text(String)
        case array([FormTree])
        case object(Object)
    }

    /// The members of an object; each key occurs once.
    struct Object {
        private(set) var members: [(key: String, value: FormTree)] = []
        private var places: [String: Int] = [:]

        /// Returns a new tree for the member with a key; a tree with containers in use stays, and gets a fault.
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

        /// Returns the tree for the member with a key, to be filled by containers: the existing one, or a new one.
        mutating func share(_ key: String) -> FormTree {
            let tree = if let place = places[key] { members[place].value } else { add(key) }
            tree.isShared = true
            return tree
        }

        /// Adds a member whose key is known to be new.
        mutating func append(_ key: String, _ tree: FormTree) { members.append((key, tree)) }
    }

    /// The maximum nesting depth of values.
    static let maximumDepth = 512

    var content: Content = .nothing
    /// A Boolean value that indicates whether the elements or members came in the order of a hash table.
    var isUnordered = false
    /// A Boolean value that indicates whether nested containers or super encoders were requested for the value, and so
    /// fill it together.
    var isShared = false
    /// The error of a value that was encoded in two contradictory ways.
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

    /// Returns a tree for the next element of this array; a value of another kind becomes an array.
    func element() -> FormTree {
        var elements = if case .array(let elements) = content { elements } else { [FormTree]() }
        content = .nothing
        let tree = FormTree()
        elements.append(tree)
        content = .array(elements)
        return tree
    }

    /// Returns the members of an object under their names, in the order in which they are written.
    func members(
        of object: Object,
        encoder: URLEncodedFormEncoder
    ) -> [(name: String, value: FormTree)] {
        let named = object.members.map { (name: encoder.keyEncodingStrategy.name(of: $0.key), value: $0.value) }
        guard isUnordered || encoder.order == .alphabetized else { return named }
        return sorted(named, by: \.name)
    }

    /// Returns the elements of an array, in the order in which they are written.
    func elements(of array: [FormTree]) -> [FormTree] {
        isUnordered ? sorted(array.map { (text: $0.sortText, tree: $0) }, by: \.text).map(\.tree) : array
    }

    /// Sorts elements by the Unicode scalars of a text; equal elements keep their order.
    private func sorted<Element>(_ elements: [Element], by text: (Element) -> String) -> [Element] {
        elements.enumerated().sorted { left, right in
            let (one, other) = (text(left.element).utf8, text(right.element).utf8)
            if one.lexicographicallyPrecedes(other) { return true }
            return left.offset < right.offset && !other.lexicographicallyPrecedes(one)
        }.map(\.element)
    }

    /// The text by which elements of a set are sorted.
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
    /// Returns the error of a value that was encoded in two contradictory ways.
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
#endif
