#if HTTP
/// The domains under which anyone may register names, such as `com` and `co.uk`, as listed by publicsuffix.org.
///
/// ```swift
/// let list = PublicSuffixList(parsing: "com\nuk\nco.uk\n*.ck\n!www.ck")
/// print(list.isPublicSuffix("co.uk"), list.registrableDomain(of: "a.b.co.uk") ?? "")  // true b.co.uk
/// ```
///
/// A domain with a single label is a public suffix in every list, even the empty one.
public struct PublicSuffixList: Sendable {
    private let rules: Set<Substring>
    private let exceptions: Set<Substring>

    /// The empty list.
    public static let empty = PublicSuffixList(parsing: "")

    /// A Boolean value that indicates whether the list has no rules.
    var isEmpty: Bool { rules.isEmpty && exceptions.isEmpty }

    /// Makes a list from the text of `public_suffix_list.dat`: a rule per line, `//` for comments.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public init(parsing text: String) {
        var rules: Set<Substring> = []
        var exceptions: Set<Substring> = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard !line.hasPrefix("//"), let rule = line.split(whereSeparator: \.isWhitespace).first else { continue }
            let lower = rule.lowercased()[...]
            if lower.hasPrefix("!") { exceptions.insert(lower.dropFirst()) } else { rules.insert(lower) }
        }
        self.rules = rules
        self.exceptions = exceptions
    }

    /// Returns whether anyone may register names under a domain, which is given in lowercase, with or without the dot of
    /// the root at its end.
    public func isPublicSuffix(_ domain: String) -> Bool {
        let labels = Self.labels(of: domain)
        return suffixLength(labels) >= labels.count
    }

    private static func labels(of domain: String) -> [Substring] {
        let name = domain.hasSuffix(".") ? domain.dropLast() : domain[...]
        return name.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Returns the registrable domain, one label longer than the public suffix; `nil` for a public suffix.
    public func registrableDomain(of domain: String) -> String? {
        let labels = Self.labels(of: domain)
        let length = suffixLength(labels)
        return length < labels.count ? labels.suffix(length + 1).joined(separator: ".") : nil
    }

    /// Returns the number of labels in the public suffix of a domain.
    private func suffixLength(_ labels: [Substring]) -> Int {
        for count in stride(from: labels.count, to: 0, by: -1) {
            let suffix = labels.suffix(count).joined(separator: ".")[...]
            if exceptions.contains(suffix) { return count - 1 }
            if rules.contains(suffix) { return count }
            let parent = labels.suffix(count - 1).joined(separator: ".")
            if count > 1, rules.contains("*.\(parent)") { return count }
        }
        return 1
    }
}
#endif
