internal import Foundation

extension Library {
    /// Adds `format`: `%s %d %f %e %b %o %x %X`, with a precision for `%f` and `%e`.
    mutating func addFormat() {
        member("format", [.string, .list(.dyn)], .string, cost: .linear) { values, frame throws(Fault) in
            let pattern = Array(try values.string(0).utf8)
            let arguments = try values.list(1)
            var text: [UInt8] = []
            var next = 0
            var index = 0
            while index < pattern.count {
                let byte = pattern[index]
                index += 1
                guard byte == UInt8(ascii: "%") else {
                    text.append(byte)
                    continue
                }
                if index < pattern.count, pattern[index] == UInt8(ascii: "%") {
                    text.append(byte)
                    index += 1
                    continue
                }
                let clause = try FormatClause(pattern, &index)
                guard next < arguments.count else {
                    throw Fault(.indexOutOfRange, "the format wants argument \(next), there are \(arguments.count)")
                }
                let piece = try clause.text(arguments[next], &frame)
                text += Array(piece.utf8)
                next += 1
                try frame.charge(6 + piece.utf8.count / 10)
                if text.count > frame.maximumResultSize { throw .tooLarge(text.count, frame.maximumResultSize) }
            }
            try frame.make(text.count)
            return .string(String(decoding: text, as: UTF8.self))
        }
    }
}

private struct FormatClause {
    var precision = 6
    var letter: Unicode.Scalar

    /// Parses the specification after a `%`.
    init(_ pattern: [UInt8], _ index: inout Int) throws(Fault) {
        if index < pattern.count, pattern[index] == UInt8(ascii: ".") {
            index += 1
            var value = 0
            let start = index
            while index < pattern.count, Lexer.isDigit(pattern[index]) {
                value = min(10_000, value * 10 + Int(pattern[index]) - 48)
                index += 1
            }
            guard index > start, value <= 1000 else {
                throw Fault(.invalidArgument, "a format's precision is a number up to 1000")
            }
            precision = value
        }
        guard index < pattern.count, "sdfeboxX".utf8.contains(pattern[index]) else {
            let rest = String(decoding: pattern[index...].prefix(4), as: UTF8.self).unicodeScalars.first
            throw Fault(.invalidArgument, "a format has no clause %\(rest.map { String($0).shown } ?? "the end")")
        }
        letter = Unicode.Scalar(pattern[index])
        index += 1
    }

    func text(_ value: CELValue, _ frame: inout Frame) throws(Fault) -> String {
        switch (letter, value) {
        case ("s", _): return try FormatClause.plain(value, &frame)
        case ("d", .int(let value)): return String(value)
        case ("d", .uint(let value)): return String(value)
        case ("d", .double(let value)):
            try frame.charge(20)
            return Library.text(value)
        case ("f", _), ("e", _):
            if let number = FormatClause.number(value) {
                try frame.charge(60 + precision / 2)
                return fixed(number)
            }
        case ("b", .bool(let value)): return value ? "1" : "0"
        case ("b", _): if let text = radix(2, value) { return text }
        case ("o", _): if let text = radix(8, value) { return text }
        case ("x", .string(let value)), ("X", .string(let value)): return try hexadecimal(Array(value.utf8), &frame)
        case ("x", .bytes(let value)), ("X", .bytes(let value)): return try hexadecimal(value, &frame)
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

    private func hexadecimal(_ bytes: [UInt8], _ frame: inout Frame) throws(Fault) -> String {
        try frame.make(2 * bytes.count)
        let digits = Array((letter == "X" ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Formats a value for `%s`: strings unchanged, everything else as text, containers with their parts; charges for
    /// each part.
    private static func plain(_ value: CELValue, _ frame: inout Frame) throws(Fault) -> String {
        try frame.charge(4)
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
            var size = 0
            for part in parts { size += 8 + part.utf8.count / 10 }
            try frame.charge(size * max(1, Int.bitWidth - parts.count.leadingZeroBitCount))
            parts.sort { $0.scalarOrder(with: $1) == .before }
            return try bounded("{" + parts.joined(separator: ", ") + "}", &frame)
        case .bytes(let bytes):
            try frame.charge(bytes.count / 10)
            return String(decoding: bytes, as: UTF8.self)
        case .double:
            try frame.charge(20)
            return try Library.text(value)
        case .timestamp, .duration, .address, .network:
            try frame.charge(60)
            return try Library.text(value)
        case .optional: throw Fault(.invalidArgument, "%s does not format optional_type")
        default: return try Library.text(value)
        }
    }

    private static func bounded(_ text: String, _ frame: inout Frame) throws(Fault) -> String {
        try frame.make(text.utf8.count)
        return text
    }
}
