#if HTTP
import SluiceJSON

/// The paths of a redaction, prepared for matching in a document: keys and indices, `*` for any single one, `**` for
/// any number.
struct RedactedPaths {
    private typealias Pattern = ArraySlice<String>
    private let patterns: [Pattern]
    /// A Boolean value that indicates whether a path names an index; if not, the names of elements are not computed.
    private let hasIndices: Bool

    init(_ paths: [String]) {
        patterns = paths.map { $0.lowercased().split(separator: ".").map(String.init)[...] }
        hasIndices = patterns.contains { $0.contains { Int($0) != nil } }
    }

    /// Returns whether the path of a single key matches.
    func match(_ key: String) -> Bool { Self.step(patterns, into: key).isEnd }

    /// Returns the values at the paths, except `null`, in the order of the text.
    ///
    /// The walk uses no recursion, since a document may be deeper than the stack allows.
    func values(in document: JSONDocument) -> [JSONNode] {
        var found: [JSONNode] = []
        var open: [(node: JSONNode, patterns: [Pattern])] = patterns.isEmpty ? [] : [(document.root, patterns)]
        while let (node, patterns) = open.popLast() {
            func visit(_ key: String, _ value: JSONNode) {
                let (isEnd, rest) = Self.step(patterns, into: key)
                if isEnd {
                    if !value.isNull { found.append(value) }
                } else if !rest.isEmpty, value.count > 0 {
                    open.append((value, rest))
                }
            }
            for member in node.members { visit(member.key.lowercased(), member.value) }
            for (index, element) in node.elements.enumerated() { visit(hasIndices ? "\(index)" : "", element) }
        }
        return found.sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
    }

    /// Returns the remaining patterns after a key, and whether one of them ends there.
    private static func step(_ patterns: [Pattern], into key: String) -> (isEnd: Bool, rest: [Pattern]) {
        var isEnd = false
        var rest: [Pattern] = []
        for pattern in patterns {
            var pattern = pattern
            while pattern.first == "**" {
                rest.append(pattern)
                pattern = pattern.dropFirst()
            }
            guard let first = pattern.first, first == "*" || first == key else { continue }
            pattern = pattern.dropFirst()
            if pattern.allSatisfy({ $0 == "**" }) { isEnd = true } else { rest.append(pattern) }
        }
        return (isEnd, rest)
    }
}

extension JSONNode {
    /// The strings in a value, at any depth.
    var strings: [String] {
        var strings: [String] = []
        var open = [self]
        while let node = open.popLast() {
            if let text = node.string { strings.append(text) }
            open += node.members.map(\.value)
            open += node.elements
        }
        return strings
    }
}
#endif
