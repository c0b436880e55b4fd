#if Command
/// Names for files of documents, each once: letters and digits, joined by dashes, so that no name leads elsewhere.
struct DocumentFileNames {
    private static let maximumBytes = 100
    private var taken: Set<String> = []

    /// A name that was not given before: `even-totals.json`, `even-totals-2.json`.
    ///
    /// - Parameter title: what people call the document; anything.
    mutating func name(for title: String) -> String {
        var base = ""
        for scalar in title.lowercased().unicodeScalars {
            let properties = scalar.properties
            let isKept = properties.isAlphabetic || properties.numericType != nil
            if isKept, base.utf8.count < Self.maximumBytes {
                base.unicodeScalars.append(scalar)
            } else if !isKept, base.last.map({ $0 != "-" }) ?? false {
                base += "-"
            }
        }
        if base.last == "-" { base.removeLast() }
        if base.isEmpty { base = "stream" }
        var (candidate, number) = (base, 1)
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = "\(base)-\(number)"
        }
        return candidate + ".json"
    }
}
#endif
