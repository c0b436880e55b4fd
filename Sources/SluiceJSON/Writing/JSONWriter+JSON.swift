/// The layout of a written ``JSON`` value.
struct JSONLayout {
    enum KeyOrder {
        case asTheyCome, byCharacters, byUTF16
    }

    var isPretty = false
    /// The separator of a key and its value when pretty-printed.
    var colon: StaticString = ": "
    var keyOrder = KeyOrder.asTheyCome
    /// A Boolean value that indicates whether numbers are written as RFC 8785 requires.
    var hasDoublesOnly = false
    /// A Boolean value that indicates whether an empty container takes three lines when pretty-printed.
    var spreadsEmpty = false
    /// The number of levels around the value.
    var depth = 0

    static let canonical = JSONLayout()
    static let pretty = JSONLayout(isPretty: true)
    static let rfc8785 = JSONLayout(keyOrder: .byUTF16, hasDoublesOnly: true)

    /// Returns the layout of Foundation's encoder.
    static func foundation(isPretty: Bool, isSorted: Bool, depth: Int) -> JSONLayout {
        JSONLayout(
            isPretty: isPretty,
            colon: " : ",
            keyOrder: isSorted ? .byCharacters : .asTheyCome,
            spreadsEmpty: true,
            depth: depth
        )
    }
}

extension JSONWriter {
    /// A container some of whose children have been written.
    private struct Open {
        var elements: [JSON] = []
        var members: [JSON.Object.Element] = []
        var isObject = false
        var next = 0

        var count: Int { isObject ? members.count : elements.count }
    }

    /// Writes a value, without recursion; returns an error if a number has no text in RFC 8785.
    mutating func json(_ value: JSON, _ layout: JSONLayout) -> JSONError? {
        var open: [Open] = []
        var value = value
        while true {
            if var container = container(value, layout) {
                self.open(container.isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                if container.count > 0 {
                    value = child(&container, layout, layout.depth + open.count + 1)
                    open.append(container)
                    continue
                }
                if layout.isPretty, layout.spreadsEmpty {
                    reserve(1)
                    put(UInt8(ascii: "\n"))
                    newLine(layout.depth + open.count)
                }
                close(container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            } else if layout.hasDoublesOnly {
                if let fault = double(of: value) { return error(fault, open) }
            } else {
                scalar(value)
            }
            // To the next child, or out of a container that ends here.
            while let last = open.indices.last, open[last].next == open[last].count {
                if layout.isPretty { newLine(layout.depth + last) }
                close(open[last].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                open.removeLast()
            }
            guard let last = open.indices.last else { return nil }
            value = child(&open[last], layout, layout.depth + open.count)
        }
    }

    private func container(_ value: JSON, _ layout: JSONLayout) -> Open? {
        switch value {
        case .array(let elements): return Open(elements: elements)
        case .object(let object):
            let members: [JSON.Object.Element]
            switch layout.keyOrder {
            case .asTheyCome: members = object.members
            case .byCharacters: members = object.members.sorted { $0.key < $1.key }
            case .byUTF16: members = object.members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
            }
            return Open(members: members, isObject: true)
        default: return nil
        }
    }

    /// Writes the separator before the next child, and returns the child.
    private mutating func child(_ container: inout Open, _ layout: JSONLayout, _ depth: Int) -> JSON {
        if layout.isPretty {
            reserve(1)
            if needsComma { put(UInt8(ascii: ",")) }
            needsComma = false
            newLine(depth)
        }
        let index = container.next
        container.next += 1
        guard container.isObject else { return container.elements[index] }
        let member = container.members[index]
        if layout.isPretty {
            string(member.key)
            reserve(3)
            for index in 0..<layout.colon.utf8CodeUnitCount { put(layout.colon.utf8Start[index]) }
            needsComma = false
        } else {
            key(text: member.key)
        }
        return member.value
    }

    private mutating func scalar(_ value: JSON) {
        switch value {
        case .bool(let value): bool(value)
        case .int(let value): integer(value)
        case .unsigned(let value): integer(value)
        case .double(let value): double(value)
        case .number(let number): verbatim(number.description)
        case .string(let value): string(value)
        case .null, .array, .object: null()
        }
    }

    /// Writes a scalar as RFC 8785 requires; returns the text of a number that it can't represent.
    private mutating func double(of value: JSON) -> String? {
        let exact: Double?
        switch value {
        case .int(let value): exact = value.magnitude <= 1 << 53 ? Double(value) : asWritten(value.description)
        case .unsigned(let value): exact = asWritten(value.description)
        case .double(let value): exact = value
        case .number(let number): exact = number.faithfulDouble
        default:
            scalar(value)
            return nil
        }
        guard let exact, exact.isFinite else { return value.description }
        double(exact, .ecmaScript)
        return nil
    }

    private func error(_ number: String, _ open: [Open]) -> JSONError {
        let path = open.map { container -> JSONPath.Component in
            container.isObject ? .key(container.members[container.next - 1].key) : .index(container.next - 1)
        }
        return JSONError(
            .numberOutOfRange,
            "no double is written as \(number), so it has no text in RFC 8785",
            hint: "make it a string",
            path: JSONPath(path),
            at: JSONPosition(line: 1, column: 1, offset: 0)
        )
    }

    /// Writes text that is already JSON.
    mutating func verbatim(_ text: String) {
        var text = text
        text.withUTF8 { raw($0) }
    }

    /// Writes a line break and the indentation of a number of levels.
    mutating func newLine(_ depth: Int) {
        reserve(depth * 2 + 1)
        put(UInt8(ascii: "\n"))
        for _ in 0..<depth * 2 { put(UInt8(ascii: " ")) }
    }
}

extension JSON.Number {
    /// The nearest double, or nil if this is a whole number that no double represents exactly.
    fileprivate var faithfulDouble: Double? {
        let isWhole = !description.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") || $0 == UInt8(ascii: ".") }
        return isWhole ? asWritten(description) : double
    }
}

/// Returns the double that is written with exactly these digits, or nil, so that no two whole numbers have the same
/// text and the text reads back as the same number.
private func asWritten(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { bytes -> Double? in
        if case .double(let value) = JSON(realText: bytes) { value } else { nil }
    }
}
