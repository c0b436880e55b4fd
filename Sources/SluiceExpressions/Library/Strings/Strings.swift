internal import Foundation
internal import SluiceJSON

extension Library {
    /// Adds tests on strings and the strings extension; indexes count code points.
    mutating func addStrings() {
        member("startsWith", [.string, .string], .bool, cost: .linear) { values, _ throws(Fault) in
            .bool(try values.string(0).hasScalarPrefix(try values.string(1)))
        }
        member("endsWith", [.string, .string], .bool, cost: .linear) { values, _ throws(Fault) in
            .bool(try values.string(0).hasScalarSuffix(try values.string(1)))
        }
        member("contains", [.string, .string], .bool, cost: .linear) { values, _ throws(Fault) in
            .bool(try values.string(0).containsScalars(try values.string(1)))
        }
        member("charAt", [.string, .int], .string, cost: .linear) { values, _ throws(Fault) in
            let text = try values.string(0)
            let start = try Library.byte(values, 1, text)
            return text.withBytes { .string(String(decoding: $0[start..<$0.end(ofScalarAt: start)], as: UTF8.self)) }
        }
        member("lowerAscii", [.string], .string, cost: .linear) { values, _ throws(Fault) in
            .string(Library.mapASCII(try values.string(0)) { (65...90).contains($0) ? $0 + 32 : $0 })
        }
        member("upperAscii", [.string], .string, cost: .linear) { values, _ throws(Fault) in
            .string(Library.mapASCII(try values.string(0)) { (97...122).contains($0) ? $0 - 32 : $0 })
        }
        member("trim", [.string], .string, cost: .linear) { values, _ throws(Fault) in
            let scalars = try values.string(0).unicodeScalars
            guard let start = scalars.firstIndex(where: { !$0.isBlank }),
                let end = scalars.lastIndex(where: { !$0.isBlank })
            else { return "" }
            return .string(String(scalars[start...end]))
        }
        member("reverse", [.string], .string, cost: .linear) { values, _ throws(Fault) in
            .string(try values.string(0).withBytes(Library.reversed))
        }
        function("strings.quote", [.string], .string, cost: .linear) { values, frame throws(Fault) in
            let text = Library.quoted(try values.string(0))
            try frame.make(text.utf8.count)
            return .string(text)
        }
        addSearch()
        addSubstrings()
        addEncoders()
    }

    static func mapASCII(_ text: String, _ change: (UInt8) -> UInt8) -> String {
        String(decoding: text.utf8.map(change), as: UTF8.self)
    }

    private static func reversed(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { result in
            var start = 0
            while start < bytes.count {
                let end = bytes.end(ofScalarAt: start)
                for index in start..<end { result[bytes.count - end + index - start] = bytes[index] }
                start = end
            }
            return bytes.count
        }
    }

    private static func quoted(_ text: String) -> String {
        var result: [UInt8] = [UInt8(ascii: "\"")]
        result.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            let letter: UInt8? =
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
                case 7: UInt8(ascii: "a")
                case 8: UInt8(ascii: "b")
                case 9: UInt8(ascii: "t")
                case 10: UInt8(ascii: "n")
                case 11: UInt8(ascii: "v")
                case 12: UInt8(ascii: "f")
                case 13: UInt8(ascii: "r")
                default: nil
                }
            if let letter {
                result.append(UInt8(ascii: "\\"))
                result.append(letter)
            } else {
                result.append(byte)
            }
        }
        result.append(UInt8(ascii: "\""))
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the byte at which the code point of an argument starts, at most the end.
    private static func byte(_ values: [CELValue], _ argument: Int, _ text: String) throws(Fault) -> Int {
        let index = try values.int(argument)
        if index >= 0, let byte = text.withBytes({ $0.start(ofScalar: index) }) { return byte }
        throw Fault(
            .indexOutOfRange,
            "index \(index) is out of range: the string has \(text.scalarCount) code points"
        )
    }

    private mutating func addSearch() {
        for parameters in [[CELType.string, .string], [.string, .string, .int]] {
            member("indexOf", parameters, .int, cost: .linearBeyond(8)) { values, _ throws(Fault) in
                let (text, part) = (try values.string(0), try values.string(1))
                let start = values.count == 3 ? try Library.byte(values, 2, text) : 0
                guard let index = Array(text.utf8).firstIndex(of: Array(part.utf8), from: start) else { return -1 }
                return .int(text.scalarCount(before: index))
            }
            member("lastIndexOf", parameters, .int, cost: .linearBeyond(8)) { values, _ throws(Fault) in
                let (text, part) = (try values.string(0), try values.string(1))
                let (count, length) = (text.utf8.count, part.utf8.count)
                let start = values.count == 3 ? try Library.byte(values, 2, text) : count
                guard length <= count else { return -1 }
                let end = min(start, count - length) + length
                let reversed = Array(text.utf8.prefix(end).reversed())
                guard let index = reversed.firstIndex(of: part.utf8.reversed(), from: 0) else { return -1 }
                return .int(text.scalarCount(before: end - index - length))
            }
        }
    }

    private mutating func addSubstrings() {
        for parameters in [[CELType.string, .int], [.string, .int, .int]] {
            member("substring", parameters, .string, cost: .linear) { values, _ throws(Fault) in
                let text = try values.string(0)
                let start = try Library.byte(values, 1, text)
                let end = values.count == 3 ? try Library.byte(values, 2, text) : text.utf8.count
                guard start <= end else {
                    let (first, last) = (try values.int(1), try values.int(2))
                    throw Fault(.indexOutOfRange, "a substring can't start at \(first) and end at \(last)")
                }
                return text.withBytes { .string(String(decoding: $0[start..<end], as: UTF8.self)) }
            }
        }
        for parameters in [[CELType.string, .string, .string], [.string, .string, .string, .int]] {
            member("replace", parameters, .string, cost: .linearBeyond(8)) { values, frame throws(Fault) in
                let limit = values.count == 4 ? try values.int(3) : -1
                let parts = try Library.split(
                    try values.string(0),
                    try values.string(1),
                    limit < 0 ? .max : limit,
                    &frame
                )
                return .string(try Library.join(parts, try values.string(2), &frame))
            }
        }
        for parameters in [[CELType.string, .string], [.string, .string, .int]] {
            member("split", parameters, .list(.string), cost: .linearBeyond(8)) { values, frame throws(Fault) in
                let limit = values.count == 3 ? try values.int(2) : -1
                if limit == 0 { return [] }
                let cuts = limit < 0 ? Int64.max : limit - 1
                let parts = try Library.split(try values.string(0), try values.string(1), cuts, &frame, isWhole: true)
                return .list(parts.map(CELValue.string))
            }
        }
        for parameters in [[CELType.list(.string)], [.list(.string), .string]] {
            member("join", parameters, .string, cost: .linear) { values, frame throws(Fault) in
                let list = try values.list(0)
                var parts: [String] = []
                for index in list.indices { parts.append(try list.string(index)) }
                return .string(try Library.join(parts, values.count == 2 ? try values.string(1) : "", &frame))
            }
        }
    }

    /// Returns the parts between separators, after at most `cuts` of them. An empty separator matches between code
    /// points and, when replacing, at both ends.
    private static func split(
        _ text: String,
        _ separator: String,
        _ cuts: Int64,
        _ frame: inout Frame,
        isWhole: Bool = false
    ) throws(Fault) -> [String] {
        if separator.isEmpty {
            try frame.charge(text.utf8.count / 10)
            try frame.charge(4 * text.scalarCount)
            let scalars = text.unicodeScalars.map { String($0) }
            let parts = isWhole ? scalars : [""] + scalars + [""]
            let kept = Int(min(Int64(parts.count), max(0, cuts)))
            if parts.count - kept <= 1 { return parts }
            return Array(parts[..<kept]) + [parts[kept...].joined()]
        }
        let (bytes, part) = (Array(text.utf8), Array(separator.utf8))
        var parts: [String] = []
        var start = 0
        while Int64(parts.count) < cuts, let found = bytes.firstIndex(of: part, from: start) {
            try frame.charge(5)
            parts.append(String(decoding: bytes[start..<found], as: UTF8.self))
            start = found + part.count
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    private static func join(_ parts: [String], _ separator: String, _ frame: inout Frame) throws(Fault) -> String {
        try frame.charge(2 * parts.count)
        var size = 0
        for part in parts { size += part.utf8.count }
        let (gaps, overflow) = separator.utf8.count.multipliedReportingOverflow(by: max(0, parts.count - 1))
        try frame.make(overflow ? .max : size + gaps)
        return parts.joined(separator: separator)
    }

    private mutating func addEncoders() {
        function("base64.encode", [.bytes], .string, cost: .linearBeyond(10)) { values, _ throws(Fault) in
            .string(Data(try values.bytes(0)).base64EncodedString())
        }
        function("base64.decode", [.string], .bytes, cost: .linearBeyond(10)) { values, _ throws(Fault) in
            var text = try values.string(0)
            text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            guard let data = Data(base64Encoded: text) else {
                throw Fault(.invalidArgument, "the string is not base64")
            }
            return .bytes(Array(data))
        }
    }
}

extension Array where Element: Equatable {
    /// Returns the first index of a part at or after an index, in time linear in both (Knuth, Morris, Pratt).
    func firstIndex(of part: [Element], from start: Int) -> Int? {
        if part.isEmpty { return start }
        guard count - start >= part.count else { return nil }
        var fallback = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[index] != part[length] { length = fallback[length - 1] }
            if part[index] == part[length] { length += 1 }
            fallback[index] = length
        }
        length = 0
        for index in start..<count {
            while length > 0, self[index] != part[length] { length = fallback[length - 1] }
            if self[index] == part[length] { length += 1 }
            if length == part.count { return index - part.count + 1 }
        }
        return nil
    }
}

extension Library {
    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
