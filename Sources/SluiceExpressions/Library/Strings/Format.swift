internal import Foundation

extension Library {
    /// `format`: `%s %d %f %e %b %o %x %X`, with a precision for `%f` and `%e`.
    mutating func addFormat() {
        member("format", [.string, .list(.dyn)], .string, cost: .linear) { values, frame throws(Fault) in
            let pattern = Array(try values.string(0).unicodeScalars)
            let arguments = try values.list(1)
            var text = ""
            var next = 0
            var index = 0
            while index < pattern.count {
                let scalar = pattern[index]
                index += 1
                guard scalar == "%" else {
                    text.unicodeScalars.append(scalar)
                    continue
                }
                if index < pattern.count, pattern[index] == "%" {
                    text += "%"
                    index += 1
                    continue
                }
                let clause = try FormatClause(pattern, &index)
                guard next < arguments.count else {
                    throw Fault(.indexOutOfRange, "the format wants argument \(next), there are \(arguments.count)")
                }
                text += try clause.text(arguments[next], &frame)
                next += 1
                try frame.make(text.utf8.count)
            }
            return .string(text)
        }
    }
}

private struct FormatClause {
    var precision = 6
    var letter: Unicode.Scalar

    init(_ pattern: [Unicode.Scalar], _ index: inout Int) throws(Fault) {
        if index < pattern.count, pattern[index] == "." {
            index += 1
            var digits = ""
            while index < pattern.count, ("0"..."9").contains(pattern[index]) {
                digits.unicodeScalars.append(pattern[index])
                index += 1
            }
            guard let value = Int(digits), value <= 1000 else {
                throw Fault(.invalidArgument, "a format's precision is a number up to 1000")
            }
            precision = value
        }
        guard index < pattern.count, "sdfeboxX".unicodeScalars.contains(pattern[index]) else {
            let found = index < pattern.count ? String(pattern[index]) : "the end"
            throw Fault(.invalidArgument, "a format has no clause %\(found)")
        }
        letter = pattern[index]
        index += 1
    }

    func text(_ value: CELValue, _ frame: inout Frame) throws(Fault) -> String {
        switch (letter, value) {
        case ("s", _): return try FormatClause.plain(value, &frame)
        case ("d", .int(let value)): return String(value)
        case ("d", .uint(let value)): return String(value)
        case ("d", .double(let value)): return Library.text(value)
        case ("f", _), ("e", _):
            if let number = FormatClause.number(value) { return fixed(number) }
        case ("b", .bool(let value)): return value ? "1" : "0"
        case ("b", _): if let text = radix(2, value) { return text }
        case ("o", _): if let text = radix(8, value) { return text }
        case ("x", .string(let value)), ("X", .string(let value)): return hexadecimal(Array(value.utf8))
        case ("x", .bytes(let value)), ("X", .bytes(let value)): return hexadecimal(value)
        case ("x", _), ("X", _): if let text = radix(16, value) { return text }
        default: break
        }
        throw Fault(.invalidArgument, "%\(letter) does not format \(value.typeName)")
    }

    private static func number(_ value: CELValue) -> Double? {
        switch value {
        case .double(let value): value
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        default: nil
        }
    }

    private func fixed(_ value: Double) -> String {
        guard value.isFinite else { return Library.text(value) }
        return String(format: letter == "f" ? "%.*f" : "%.*e", precision, value)
    }

    private func radix(_ radix: Int, _ value: CELValue) -> String? {
        switch value {
        case .int(let value): String(value, radix: radix, uppercase: letter == "X")
        case .uint(let value): String(value, radix: radix, uppercase: letter == "X")
        default: nil
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: letter == "X") }.joined()
    }

    /// `%s`: strings as they are, everything else as text, containers with their parts; charged part by part.
    private static func plain(_ value: CELValue, _ frame: inout Frame) throws(Fault) -> String {
        try frame.charge(2)
        switch value {
        case .null: return "null"
        case .type(let name): return name
        case .string(let text): return text
        case .list(let list):
            var parts: [String] = []
            for element in list { parts.append(try plain(element, &frame)) }
            return try bounded("[" + parts.joined(separator: ", ") + "]", &frame)
        case .map(let map):
            var parts: [String] = []
            for entry in map { parts.append(try plain(entry.key, &frame) + ": " + (try plain(entry.value, &frame))) }
            parts.sort { $0.scalarOrder(with: $1) == .before }
            return try bounded("{" + parts.joined(separator: ", ") + "}", &frame)
        case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .optional: throw Fault(.invalidArgument, "%s does not format optional_type")
        default: return try Library.text(value)
        }
    }

    private static func bounded(_ text: String, _ frame: inout Frame) throws(Fault) -> String {
        try frame.make(text.utf8.count)
        return text
    }
}
