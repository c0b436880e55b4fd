/// A path from the root of a document to a value.
///
/// ```swift
/// let json: JSON = ["stream": [["value": 1]]]
/// let path: JSONPath = ["stream", 0, "operators", 1, "delay", "seconds"]
/// path.description   // stream[0].operators[1].delay.seconds
/// json[path]         // the value there, or nil
/// ```
public struct JSONPath: Sendable, Hashable {
    /// A step into an object or into an array.
    public enum Component: Sendable, Hashable {
        /// The member with this key.
        case key(String)
        /// The element at this index, from 0.
        case index(Int)
    }

    /// The steps, from the root on.
    public var components: [Component]

    /// Creates a path with these steps; without steps it is the path of the root.
    public init(_ components: [Component] = []) { self.components = components }

    /// A Boolean value that indicates whether this is the root's path.
    public var isEmpty: Bool { components.isEmpty }

    /// Returns the path of the member with this key of the value at this path.
    public func appending(_ key: String) -> JSONPath { JSONPath(components + [.key(key)]) }

    /// Returns the path of the element at this index of the value at this path.
    public func appending(_ index: Int) -> JSONPath { JSONPath(components + [.index(index)]) }
}

extension JSONPath: ExpressibleByArrayLiteral {
    /// Creates a path such as `["stream", 0]`.
    public init(arrayLiteral elements: Component...) { self.init(elements) }
}

extension JSONPath.Component: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Creates a step to the member with this key.
    public init(stringLiteral value: String) { self = .key(value) }
    /// Creates a step to the element at this index.
    public init(integerLiteral value: Int) { self = .index(value) }
}

extension JSONPath: CustomStringConvertible {
    /// The path as `stream[0].delay["odd key"]`: keys that aren't plain words are in brackets; the path of the root is
    /// empty.
    public var description: String {
        var text = ""
        for component in components {
            switch component {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where JSONPath.isPlain(key): text += text.isEmpty ? key : ".\(key)"
            case .key(let key): text += "[\(JSON.string(key))]"
            }
        }
        return text
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty
            && key.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}
