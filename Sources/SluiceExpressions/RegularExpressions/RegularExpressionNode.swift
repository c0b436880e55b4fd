/// A regular expression as it was written.
indirect enum RegularExpressionNode {
    case empty
    case set(ScalarSet)
    case assertion(Assertion)
    case sequence([RegularExpressionNode])
    case choice([RegularExpressionNode])
    case group(RegularExpressionNode, Int)
    case repetition(RegularExpressionNode, least: Int, most: Int?, isGreedy: Bool)

    enum Assertion { case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary }
}

/// Code points as ranges.
struct ScalarSet: Sendable {
    var ranges: [ClosedRange<UInt32>]
    var categories: [Substring] = []
    var negatedCategories: [Substring] = []
    var isNegated = false

    init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
        self.ranges = ranges
        self.isNegated = isNegated
    }

    static let digit = ScalarSet([48...57])
    static let blank = ScalarSet([9...10, 12...13, 32...32])
    static let word = ScalarSet([48...57, 65...90, 95...95, 97...122])
    static let all: ClosedRange<UInt32> = 0...0x10FFFF

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var found = false
        for range in ranges where range.contains(scalar.value) {
            found = true
            break
        }
        if !found, !categories.isEmpty || !negatedCategories.isEmpty {
            let name = ScalarSet.category(scalar)
            found = categories.contains { name.hasPrefix($0) } || negatedCategories.contains { !name.hasPrefix($0) }
        }
        return found != isNegated
    }

    /// The ranges that are left over.
    static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
            next = max(next, range.upperBound + 1)
        }
        if next <= all.upperBound { result.append(next...all.upperBound) }
        return result
    }

    /// Adds the other case of every letter.
    mutating func foldCase() {
        var added: [ClosedRange<UInt32>] = []
        for range in ranges {
            for (first, last, distance) in [(65, 90, 32), (97, 122, -32)] as [(UInt32, UInt32, Int64)] {
                let (low, high) = (max(range.lowerBound, first), min(range.upperBound, last))
                guard low <= high else { continue }
                added.append(UInt32(Int64(low) + distance)...UInt32(Int64(high) + distance))
            }
            guard range.upperBound > 127, range.count <= 2000 else { continue }
            for value in max(128, range.lowerBound)...range.upperBound {
                guard let properties = Unicode.Scalar(value)?.properties else { continue }
                for text in [properties.lowercaseMapping, properties.uppercaseMapping] {
                    let scalars = text.unicodeScalars
                    if scalars.count == 1, let other = scalars.first { added.append(other.value...other.value) }
                }
            }
        }
        ranges += added
    }

    static let names: Set<Substring> = [
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
        "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cs", "Co",
    ]

    static func category(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        default: "Cn"
        }
    }
}
