import SluiceJSON

/// The keys of the parts of a stream in what is saved of a run: the same for the same document, always.
enum StageKey {
    /// The source of a stream.
    static let source = "source"
    /// The stream that the operators of an item make.
    static let item = "item"
    /// The stream that a reference leads to.
    static let reference = "ref"

    /// A stream among the sources of a stage.
    static func source(_ index: Int) -> String { "sources[\(index)]" }

    /// A stream that several read, at its place in the document of a name.
    static func shared(in document: String?, _ path: JSONPath) -> String {
        document.map { "\($0): \(path)" } ?? path.description
    }

    /// The keys of operators: the id of each that has one of its own, else its place.
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
