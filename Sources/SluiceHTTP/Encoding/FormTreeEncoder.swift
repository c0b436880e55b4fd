#if HTTP
import Foundation
import SluiceJSON

/// An encoder that fills a tree with an encoded value.
struct FormTreeEncoder: Encoder {
    let tree: FormTree
    let options: URLEncodedFormEncoder
    var codingPath: [any CodingKey] = []
    var depth = 0

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    /// Returns an encoder for a value nested in this one.
    func child(_ tree: FormTree, _ key: any CodingKey) -> FormTreeEncoder {
        FormTreeEncoder(tree: tree, options: options, codingPath: codingPath + [key], depth: depth + 1)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        switch tree.content {
        case .object: break
        case .nothing: tree.content = .object(FormTree.Object())
        default: conflict("keyed")
        }
        return KeyedEncodingContainer(KeyedFormContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch tree.content {
        case .array: break
        case .nothing: tree.content = .array([])
        default: conflict("unkeyed")
        }
        return UnkeyedFormContainer(encoder: self)
    }

    /// Notes that a container was requested for a value of another kind.
    private func conflict(_ kind: String) {
        let text = "The value asks for a container that is \(kind), after it was encoded in another way."
        tree.fault = tree.fault ?? .invalidValue(tree, .init(codingPath: codingPath, debugDescription: text))
        tree.content = kind == "keyed" ? .object(FormTree.Object()) : .array([])
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleFormContainer(encoder: self) }

    /// Sets the tree to a value: leaves become text here, and other values encode themselves.
    func set<Value: Encodable>(_ value: Value) throws {
        guard depth <= FormTree.maximumDepth else {
            throw fault(value, "The values lie more than \(FormTree.maximumDepth) deep in each other.")
        }
        switch value {
        case let value as String: text(value)
        case let value as Bool: text(options.boolEncodingStrategy.text(value))
        case let value as Double: try number(value)
        case let value as Float: try number(value)
        case let value as any FixedWidthInteger: text("\(value)")
        case let value as Date: try date(value)
        case let value as Data: try data(value)
        case let value as URL: text(value.absoluteString)
        case let value as Decimal:
            guard value.isFinite else { throw fault(value, "There is no text for the number \(value).") }
            text("\(value)")
        case let value as JSON: try json(value)
        default: try other(value)
        }
    }

    private func other(_ value: some Encodable) throws {
        try value.encode(to: self)
        switch (value, tree.content) {
        case (is any HashOrdered, .object), (is any HashOrderedElements, .array): tree.isUnordered = true
        case (is any HashOrdered, .array):
            throw fault(value, "A form has names: a dictionary's keys must be strings or integers.")
        default: break
        }
    }

    private func text(_ text: String) { tree.content = .text(text) }

    private func number(_ value: some BinaryFloatingPoint & CustomStringConvertible & Encodable) throws {
        guard value.isFinite else { throw fault(value, "There is no text for the number \(value).") }
        text(value.description)
    }

    private func date(_ date: Date) throws {
        switch options.dateEncodingStrategy {
        case .deferredToDate: try date.encode(to: self)
        case .secondsSince1970: try number(date.timeIntervalSince1970)
        case .millisecondsSince1970: try number(1000 * date.timeIntervalSince1970)
        case .iso8601: text(date.formatted(Date.ISO8601FormatStyle()))
        case .formatted(let formatter): text(formatter.string(from: date))
        case .custom(let write): text(try write(date))
        }
    }

    private func data(_ data: Data) throws {
        switch options.dataEncodingStrategy {
        case .deferredToData: try data.encode(to: self)
        case .base64: text(data.base64EncodedString())
        case .custom(let write): text(try write(data))
        }
    }

    private func json(_ json: JSON) throws {
        switch json {
        case .null: tree.content = .null
        case .bool(let value): text(options.boolEncodingStrategy.text(value))
        case .int(let value): text("\(value)")
        case .unsigned(let value): text("\(value)")
        case .double(let value): try number(value)
        case .number(let number): text(number.description)
        case .string(let value): text(value)
        case .array(let elements):
            tree.content = .array([])
            for (index, element) in elements.enumerated() {
                try child(tree.element(), FormKey(intValue: index)).set(element)
            }
        case .object(let members):
            var object = FormTree.Object()
            for (key, value) in members {
                let member = FormTree()
                try child(member, FormKey(key)).set(value)
                object.append(key, member)
            }
            tree.content = .object(object)
        }
    }

    private func fault(_ value: Any, _ text: String) -> EncodingError {
        .invalidValue(value, .init(codingPath: codingPath, debugDescription: text))
    }
}

/// A type whose members come in the order of a hash table, which differs from process to process.
private protocol HashOrdered {}
extension Dictionary: HashOrdered {}

/// A type whose elements come in the order of a hash table.
private protocol HashOrderedElements {}
extension Set: HashOrderedElements {}

struct KeyedFormContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FormTreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func member(_ key: any CodingKey) -> FormTreeEncoder {
        encoder.child(encoder.tree.member(key.stringValue), key)
    }

    /// Returns an encoder for the member with a key, which several containers may fill.
    private func shared(_ key: any CodingKey) -> FormTreeEncoder {
        encoder.child(encoder.tree.member(key.stringValue, isShared: true), key)
    }

    func encodeNil(forKey key: Key) { member(key).tree.content = .null }
    func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).set(value) }
    func encode(_ value: Int128, forKey key: Key) throws { try member(key).set(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key).set(value) }

    private func set(_ value: (some Encodable)?, _ key: Key) throws {
        if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }

    // The standard library's implementations drop nil values; here a strategy decides.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try set(value, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        shared(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { shared(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { shared(FormKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { shared(key) }
}

struct UnkeyedFormContainer: UnkeyedEncodingContainer {
    let encoder: FormTreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { if case .array(let elements) = encoder.tree.content { elements.count } else { 0 } }

    private func element() -> FormTreeEncoder {
        let index = count
        return encoder.child(encoder.tree.element(), FormKey(intValue: index))
    }

    func encodeNil() { element().tree.content = .null }
    func encode(_ value: some Encodable) throws { try element().set(value) }
    func encode(_ value: Int128) throws { try element().set(value) }
    func encode(_ value: UInt128) throws { try element().set(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        element().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
    func superEncoder() -> any Encoder { element() }
}

struct SingleFormContainer: SingleValueEncodingContainer {
    let encoder: FormTreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.tree.content = .null }
    func encode(_ value: some Encodable) throws {
        if case .nothing = encoder.tree.content {
        } else {
            let text = "The value is encoded as a single value, after it was encoded in another way."
            throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: text))
        }
        var inner = encoder
        inner.depth += 1
        try inner.set(value)
    }
    // Without these, the standard library's implementations refuse such numbers.
    func encode(_ value: Int128) throws { try encoder.set(value) }
    func encode(_ value: UInt128) throws { try encoder.set(value) }
}
#endif
