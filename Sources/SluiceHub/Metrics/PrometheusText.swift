#if Hub
/// Writes figures in Prometheus' text format, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""
    private var family = ""

    enum Kind: String {
        case counter, gauge, histogram
    }

    /// Begins a family of figures.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        family = name
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Writes a figure of the family.
    ///
    /// - Parameter suffix: the text after the family's name, in a histogram.
    mutating func sample(_ value: Double, _ labels: KeyValuePairs<String, String> = [:], suffix: String = "") {
        let labels = labels.map { #"\#($0.key)="\#(Self.escaped($0.value, quotes: true))""# }
        let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
        let number = Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        text += "\(family)\(suffix)\(list) \(number)\n"
    }

    /// Returns a text on one line, as the format requires.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += #"\\"#
            case "\n": escaped += #"\n"#
            case "\"" where quotes: escaped += #"\""#
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
#endif
