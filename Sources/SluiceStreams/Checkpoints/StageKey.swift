import SluiceJSON

/// The keys of the children of a stream in a saved run, which are always the same for the same document.
enum StageKey {
    /// The source of a stream.
    static let source = "source"
    /// The stream of an item's operators.
    static let item = "item"
    /// The stream that a reference leads to.
    static let reference = "ref"

    /// Returns the key of a stream among the sources of a stage.
    static func source(_ index: Int) -> String { "sources[\(index)]" }

    /// Returns the key of a shared stream at its place in a named document.
    static func shared(in document: String?, _ path: JSONPath) -> String {
        document.map { "\($0): \(path)" } ?? path.description
    }

    /// Returns the keys of operators: the id of an operator if it is unique, otherwise its position.
    static func keys(of operators: [Operator]) -> [String] {
        var counts: [String: Int] = [source: 1]
        for case let id? in operators.map(\.id) { counts[id, default: 0] += 1 }
        return operators.enumerated().map { index, item in
            if let id = item.id, counts[id] == 1 { return id }
            var key = "operators[\(index)]"
            while counts[key] != nil { key += "'" }
            return key
        }
    }
}
