extension ScalarSet {
    /// Returns the bits of a general category by its name: `Lu`, or `L` for all whose names begin with it.
    static func categories(named name: String) -> UInt32? {
        if name == "Any" { return .max }
        var bits: UInt32 = 0
        for (index, known) in names.enumerated() where known == name || name.utf8.count == 1 && known.hasPrefix(name) {
            bits |= 1 << UInt32(index)
        }
        return bits == 0 ? nil : bits
    }

    private static let names = [
        "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
        "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co",
    ]

    /// Returns the bit of a code point's general category.
    static func category(_ scalar: UInt32) -> UInt32 {
        guard let scalar = Unicode.Scalar(scalar) else { return 1 << 27 }
        let index: UInt32 =
            switch scalar.properties.generalCategory {
            case .uppercaseLetter: 0
            case .lowercaseLetter: 1
            case .titlecaseLetter: 2
            case .modifierLetter: 3
            case .otherLetter: 4
            case .nonspacingMark: 5
            case .spacingMark: 6
            case .enclosingMark: 7
            case .decimalNumber: 8
            case .letterNumber: 9
            case .otherNumber: 10
            case .connectorPunctuation: 11
            case .dashPunctuation: 12
            case .openPunctuation: 13
            case .closePunctuation: 14
            case .initialPunctuation: 15
            case .finalPunctuation: 16
            case .otherPunctuation: 17
            case .mathSymbol: 18
            case .currencySymbol: 19
            case .modifierSymbol: 20
            case .otherSymbol: 21
            case .spaceSeparator: 22
            case .lineSeparator: 23
            case .paragraphSeparator: 24
            case .control: 25
            case .format: 26
            case .surrogate: 27
            case .privateUse: 28
            default: 29
            }
        return 1 << index
    }
}
